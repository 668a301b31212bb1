"""What can go wrong.

Everything that this package raises on purpose is a FrontdeskError; only a wrong
use of it (an empty id, an option that does not exist) is a ValueError or a
TypeError. An answer of the API that is an error becomes an APIError of the class
that its `type` names; one whose type nobody knows is a plain APIError.
"""

from __future__ import annotations

import json
from typing import Any, cast

from ._response import Response
from ._retry import retry_after


class FrontdeskError(Exception):
    """The parent of all errors of this package."""


class APIError(FrontdeskError):
    """The server answered with an error.

    `detail` is the API's own sentence, which says what to do. `type`, `code`,
    `param` and `request_id` are None where the answer came from something before
    the API, such as a proxy.
    """

    def __init__(
        self,
        response: Response,
        *,
        detail: str,
        type: str | None = None,
        code: str | None = None,
        param: str | None = None,
        request_id: str | None = None,
    ) -> None:
        self.response = response
        self.status = response.status
        self.headers = response.headers
        self.detail = detail
        self.type = type
        self.code = code
        self.param = param
        self.request_id = request_id or response.request_id
        self.retry_after = retry_after(response.headers)
        super().__init__(self._line())

    @property
    def message(self) -> str:
        """The whole line: `400 parameter_invalid (limit): … [req_…]`."""
        return str(self)

    def _line(self) -> str:
        line = str(self.status)
        if self.code:
            line += f" {self.code}"
        if self.param:
            line += f" ({self.param})"
        line += f": {self.detail}"
        if self.request_id:
            line += f" [{self.request_id}]"
        return line

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.detail, self.type, self.code, self.param, self.request_id)
        return _restore, (self.__class__, self.response, *fields)


def _restore(cls: type[APIError], response: Response, detail: str, *rest: str | None) -> APIError:
    """Make an error again that was sent between processes."""
    type_, code, param, request_id = rest
    return cls(response, detail=detail, type=type_, code=code, param=param, request_id=request_id)


class InvalidRequestError(APIError):
    """Something of the request is wrong; `param` says what."""


class NotFoundError(InvalidRequestError):
    """There is no such thing for this key: missing, another account's, or the other mode's."""


class AuthenticationError(APIError):
    """The key is missing, wrong, expired or revoked."""


class PermissionDeniedError(APIError):
    """The key lacks a scope, is a test key where a live one is needed, or the field is protected."""


class ConflictError(APIError):
    """The place in the calendar is not free, or the capture cannot be changed as it stands."""


class IdempotencyError(APIError):
    """The Idempotency-Key was used for another request, or its first request still runs."""


class RateLimitError(APIError):
    """Too many requests with this key; `retry_after` says how many seconds to wait."""


class ServerError(APIError):
    """A fault of the server, not of the request."""


class APIConnectionError(FrontdeskError):
    """No answer came: no connection, or one that broke off. What was sent may have been done."""


class APITimeoutError(APIConnectionError):
    """No answer came in time. What was sent may have been done."""


class SignatureError(FrontdeskError):
    """A webhook is not what the server signed, or not with this secret, or too old.

    `check` names what failed: `secret`, `headers`, `timestamp`, `signature` or `body`.
    """

    def __init__(self, check: str, message: str) -> None:
        super().__init__(message)
        self.check = check

    def __reduce__(self) -> tuple[Any, ...]:
        return self.__class__, (self.check, str(self))


_BY_TYPE: dict[str, type[APIError]] = {
    "invalid_request_error": InvalidRequestError,
    "authentication_error": AuthenticationError,
    "permission_error": PermissionDeniedError,
    "conflict_error": ConflictError,
    "idempotency_error": IdempotencyError,
    "rate_limit_error": RateLimitError,
    "api_error": ServerError,
}


def error_of(response: Response) -> APIError:
    """Read an answer that is an error."""
    envelope = _envelope(response.body)
    if envelope is None:
        return APIError(response, detail=_without_envelope(response))
    type_ = _text(envelope, "type")
    cls = _BY_TYPE.get(type_ or "", APIError)
    if cls is InvalidRequestError and response.status == 404:
        cls = NotFoundError
    return cls(
        response,
        detail=_text(envelope, "message") or _without_envelope(response),
        type=type_,
        code=_text(envelope, "code"),
        param=_text(envelope, "param"),
        request_id=_text(envelope, "request_id"),
    )


def _envelope(body: bytes) -> dict[str, Any] | None:
    try:
        answer: Any = json.loads(body)
    except ValueError:
        return None
    if not isinstance(answer, dict):
        return None
    error = cast("dict[str, Any]", answer).get("error")
    return cast("dict[str, Any]", error) if isinstance(error, dict) else None


def _text(envelope: dict[str, Any], name: str) -> str | None:
    value = envelope.get(name)
    return value if isinstance(value, str) else None


def _without_envelope(response: Response) -> str:
    if 300 <= response.status < 400:
        where = response.headers.get("location", "another address")
        return f"The server redirects to {where}; redirects are not followed. Set base_url to where the API is."
    return "The answer is not one of the API's. Is something else at base_url, or a proxy in between?"
