"""When to try again, and how long to wait before."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from datetime import timezone
from email.utils import parsedate_to_datetime

FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
LONGEST_RETRY_AFTER = 60.0

_STATUSES = frozenset({408, 429, 500, 502, 503, 504})


def worth_retrying(status: int, code: str | None) -> bool:
    """Whether the same request may be answered otherwise a little later."""
    return status in _STATUSES or (status == 409 and code == "idempotency_key_in_use")


def wait_before(attempt: int, asked: float | None) -> float | None:
    """How many seconds to wait after the attempt of this number, from 0.

    None says: not worth it, because the server asks for a wait so long that the
    caller should decide.
    """
    if asked is not None:
        return asked if asked <= LONGEST_RETRY_AFTER else None
    wait = FIRST_WAIT * 2.0 ** min(attempt, 10) * random.uniform(0.75, 1.25)
    return min(wait, LONGEST_WAIT)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that Retry-After asks to wait, whether it has seconds or a date."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=timezone.utc)
    return max(0.0, when.timestamp() - time.time())
