"""One request of a caller: its headers, its attempts, its answer read as JSON."""

from __future__ import annotations

import json
import logging
import ssl
import time
import uuid
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypedDict, cast
from urllib.parse import SplitResult, quote, unquote, urlencode, urlsplit

from ._body import Body, date_text
from ._pool import Pool, Request
from ._response import Response
from ._retry import wait_before, worth_retrying
from ._version import __version__
from .errors import APIConnectionError, APIError, FrontdeskError, error_of

log = logging.getLogger("frontdesk")

Query = Mapping[str, "str | int | bool | date | None"]


class RequestOptions(TypedDict, total=False):
    """What every method takes beside its own arguments."""

    timeout: float | None
    """Seconds for each attempt. Default: the client's."""
    max_retries: int | None
    """How often to try again. Default: the client's."""
    idempotency_key: str | None
    """For a POST. Default: a new one for each call, the same in all its attempts."""
    headers: Mapping[str, str] | None
    """More headers."""


class Transport:
    def __init__(
        self,
        api_key: str,
        base_url: str,
        timeout: float,
        max_retries: int,
        headers: Mapping[str, str],
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        self._authorization = "Bearer " + checked_key(api_key)
        base = checked_base(base_url)
        self.base_url = base.geturl()
        self._prefix = base.path + "/v1"
        self._timeout = checked_timeout(timeout)
        self._max_retries = checked_retries(max_retries)
        self._headers = dict(headers)
        self._pool = Pool(base, ssl_context)
        self.sleep: Callable[[float], object] = time.sleep

    def close(self) -> None:
        self._pool.close()

    def send(
        self,
        method: str,
        path: str,
        options: RequestOptions,
        query: Query | None = None,
        body: Body | None = None,
        if_match: str | None = None,
    ) -> Response:
        """Send a request until it is answered, or not worth trying again."""
        unknown = options.keys() - RequestOptions.__annotations__.keys()
        if unknown:
            raise TypeError(f"unexpected keyword argument {sorted(unknown)[0]!r}")
        request = self._request(method, path, options, query, body, if_match)
        return self._attempts(
            request,
            checked_timeout(_either(options.get("timeout"), self._timeout)),
            checked_retries(_either(options.get("max_retries"), self._max_retries)),
        )

    def _request(
        self,
        method: str,
        path: str,
        options: RequestOptions,
        query: Query | None,
        body: Body | None,
        if_match: str | None,
    ) -> Request:
        headers = {
            "Accept": "application/json",
            "User-Agent": f"frontdesk-python/{__version__}",
            "Authorization": self._authorization,
        }
        key = options.get("idempotency_key")
        if key is None and method == "POST":
            key = str(uuid.uuid4())
        if key is not None:
            headers["Idempotency-Key"] = key
        if if_match is not None:
            headers["If-Match"] = if_match
        for name, value in [*self._headers.items(), *(options.get("headers") or {}).items()]:
            for ours in [known for known in headers if known.lower() == name.lower()]:
                del headers[ours]
            headers[name] = value
        path = self._prefix + path
        return Request(method, path, path + _query_string(query), headers, body)

    def _attempts(self, request: Request, timeout: float, max_retries: int) -> Response:
        answer_lost = False
        attempt = 0
        while True:
            error: APIError | APIConnectionError
            asked = None
            try:
                response = self._pool.exchange(request, timeout)
            except APIConnectionError as failure:
                answer_lost, error = True, failure
                retry = request.body is None or request.body.can_be_sent()
                log.debug("%s %s: %s", request.method, request.path, failure)
            else:
                response.attempts = attempt + 1
                log.debug("%s %s: %d %s", request.method, request.path, response.status, response.request_id)
                if 200 <= response.status < 300:
                    return response
                error = error_of(response)
                if answer_lost and _deleted_before(request, error):
                    return response
                answer_lost = answer_lost or response.status in (502, 504)
                retry = worth_retrying(error.status, error.code)
                retry = retry and (request.body is None or request.body.can_be_sent())
                asked = error.retry_after
            wait = wait_before(attempt, asked) if retry and attempt < max_retries else None
            if wait is None:
                raise error
            attempt += 1
            log.debug("%s %s: trying again in %.2f s (%d of %d)", request.method, request.path, wait, attempt, max_retries)
            self.sleep(wait)


def _deleted_before(request: Request, error: APIError) -> bool:
    """Whether an earlier attempt, whose answer was lost, did the deleting."""
    return request.method == "DELETE" and error.status == 404 and error.code == "not_found"


def decode(path: str, response: Response) -> Any:
    """Read an answer as JSON."""
    if response.status == 404:  # only what an earlier attempt deleted comes here
        return {"deleted": True, "id": unquote(path.rsplit("/", 1)[-1])}
    try:
        return json.loads(response.body)
    except ValueError as cause:
        raise not_the_api(response) from cause


def not_the_api(response: Response) -> APIError:
    return APIError(response, detail="The answer is not what the API sends. Is something else at base_url?")


def segment(name: str, value: str) -> str:
    """A value as a part of a path. It can name nothing but what it is meant to name."""
    if not isinstance(cast("object", value), str):
        raise TypeError(f"{name} must be a string")
    if value in ("", ".", ".."):
        raise ValueError(f"{name} must not be {value!r}")
    return quote(value, safe="")


def _query_string(query: Query | None) -> str:
    pairs = [(name, _query_value(value)) for name, value in (query or {}).items() if value is not None]
    return "?" + urlencode(pairs, quote_via=quote) if pairs else ""


def _query_value(value: str | int | bool | date) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date):
        return date_text(value)
    return str(value)


def _either(given: Any, default: Any) -> Any:
    return default if given is None else given


def checked_key(key: str) -> str:
    """The key without blanks around it. No message here or below shows it."""
    key = key.strip()
    if not key:
        raise FrontdeskError(
            "No API key. Give Frontdesk(api_key=...) or set FRONTDESK_API_KEY. The server's operator makes one "
            "with `frontdesk key create`; `frontdesk serve --demo` prints two."
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise FrontdeskError("The API key has characters that no key has. Copy it again, whole and alone.")
    return key


def checked_base(text: str) -> SplitResult:
    base = urlsplit(text.strip())
    try:
        port_fits = base.port is None or base.port > 0
    except ValueError:
        port_fits = False
    if base.scheme not in ("http", "https") or not base.hostname or not port_fits:
        raise FrontdeskError(f"base_url must be like http://127.0.0.1:8080 or https://desk.example.com, not {text!r}")
    if base.username is not None or base.query or base.fragment:
        raise FrontdeskError("base_url must have no user, password, query or fragment")
    path = base.path.rstrip("/")
    return base._replace(path=path.removesuffix("/v1"))


def checked_timeout(seconds: float) -> float:
    if not 0 < seconds < 1e9:
        raise ValueError("timeout must be more than 0 seconds, and not without end")
    return seconds


def checked_retries(count: int) -> int:
    if count < 0:
        raise ValueError("max_retries must not be negative")
    return count
