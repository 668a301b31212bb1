"""Check that a webhook comes from your server, unchanged and lately.

Works without a client:

    event = webhooks.verify(body, headers, secret)

Deliveries are signed by the Standard Webhooks convention: HMAC-SHA256 over
"id.timestamp.body". For a while after a rotation a delivery carries a signature
of the old secret and one of the new; one that fits is enough.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

from .errors import SignatureError
from .types import Event

__all__ = ["sign", "verify"]

TOLERANCE_SECONDS = 300


class _Items(Protocol):
    """What has headers as pairs: a dict, the headers of http.server, Flask or Django."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify(
    body: bytes | bytearray | str,
    headers: _Items | Iterable[tuple[str, str]] | Iterable[tuple[bytes, bytes]],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
) -> Event:
    """Return the event that a webhook carries, or raise a SignatureError.

    Give the body as it was received: JSON that was parsed and written again is
    not the same. Give several secrets while one is being replaced.
    """
    keys = [_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise SignatureError("secret", "No secret was given.")
    id_, timestamp, signatures = _signed_headers(headers)
    if abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise SignatureError(
            "timestamp",
            f"The webhook-timestamp is more than {tolerance_seconds:g} s from now: "
            "an old delivery played again, or a clock that is wrong.",
        )
    content = body.encode() if isinstance(body, str) else bytes(body)
    if not _one_fits(keys, id_, timestamp, content, signatures):
        raise SignatureError(
            "signature",
            "No signature fits. The secret is another connection's, or the body is not as it was received.",
        )
    return _event(content)


def sign(secret: str, id: str, timestamp: int, body: bytes | str) -> str:
    """Make the webhook-signature of a delivery, for tests of your receiver."""
    content = body.encode() if isinstance(body, str) else body
    digest = _digest(_key(secret), id, str(timestamp), content)
    return "v1," + base64.b64encode(digest).decode()


def _key(secret: str) -> bytes:
    # The messages must not show the secret.
    text = secret.strip()
    key = _decoded(text.removeprefix("whsec_"))
    if not text.startswith("whsec_") or not key:
        raise SignatureError("secret", "A secret is whsec_ and base64, as the connection was shown when it was made.")
    return key


def _signed_headers(headers: Any) -> tuple[str, str, str]:
    pairs: Iterable[tuple[Any, Any]] = headers.items() if hasattr(headers, "items") else headers
    found: dict[str, str] = {}
    for name, value in pairs:
        found.setdefault(_text(name).lower(), _text(value))
    values: list[str] = []
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        value = found.get(name, "").strip()
        if not value:
            raise SignatureError("headers", f"The {name} header is missing.")
        values.append(value)
    id_, timestamp, signatures = values
    if not re.fullmatch(r"[0-9]{1,18}", timestamp):
        raise SignatureError("headers", "The webhook-timestamp header must be seconds since 1970.")
    return id_, timestamp, signatures


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _one_fits(keys: list[bytes], id_: str, timestamp: str, content: bytes, signatures: str) -> bool:
    wanted = [_digest(key, id_, timestamp, content) for key in keys]
    fits = False
    for signature in signatures.split():
        version, _, text = signature.partition(",")
        given = _decoded(text)
        if version != "v1" or given is None:
            continue
        for want in wanted:
            fits = hmac.compare_digest(given, want) or fits
    return fits


def _digest(key: bytes, id_: str, timestamp: str, content: bytes) -> bytes:
    return hmac.digest(key, f"{id_}.{timestamp}.".encode() + content, hashlib.sha256)


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _event(content: bytes) -> Event:
    try:
        event: Any = json.loads(content)
    except ValueError:
        event = None
    if not isinstance(event, Mapping):
        raise SignatureError("body", "The body was signed, but is not a JSON object.")
    return cast("Event", event)
