"""What came back from the server, beside the thing that was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


class Headers(Mapping[str, str]):
    """The headers of an answer. Case does not matter; of a repeated one the first counts."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._values: dict[str, str] = {}
        for name, value in pairs:
            self._values.setdefault(name.lower(), value)

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values!r})"


class Response:
    """An answer as it came: status, headers, bytes, and which attempt it answers."""

    def __init__(self, status: int, headers: Headers, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        self.attempts = 1

    @property
    def request_id(self) -> str | None:
        """What to quote when asking about this request: the server's log has it."""
        return self.headers.get("x-request-id")

    @property
    def etag(self) -> str | None:
        """The version of an agent, calendar or capture, for `if_match`."""
        return self.headers.get("etag")

    @property
    def replayed(self) -> bool:
        """Whether a POST was answered from an earlier request with the same Idempotency-Key."""
        return self.headers.get("idempotent-replayed") == "true"

    def __repr__(self) -> str:
        return f"Response(status={self.status}, request_id={self.request_id!r}, attempts={self.attempts})"


class Answer(dict[str, Any]):
    """A JSON object as the server sent it, that knows its response."""

    __slots__ = ("response",)

    def __init__(self, values: Mapping[str, Any], response: Response) -> None:
        super().__init__(values)
        self.response = response

    def __reduce__(self) -> tuple[Any, ...]:
        return self.__class__, (dict(self), self.response)


def response_of(thing: object) -> Response:
    """The response that brought a thing: its request id, ETag, headers and status.

    Works with what a method of the client returned, itself and not a copy or a
    part of it: response_of(fd.calls.get(id)).request_id
    """
    response = getattr(thing, "response", None)
    if isinstance(response, Response):
        return response
    raise TypeError("response_of takes what a method of the client returned; this is a copy, a part of it, or text")
