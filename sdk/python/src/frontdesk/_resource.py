"""What all resources do: ask for a thing, a list, or for something to be done."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from ._body import Body, json_body
from ._page import Page
from ._response import Answer, Response
from ._transport import Query, RequestOptions, Transport, decode, not_the_api, segment

if TYPE_CHECKING:
    from typing_extensions import Unpack  # those who check types have it
elif sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing import Optional as Unpack  # nobody evaluates it but typing.get_type_hints

__all__ = ["Page", "RequestOptions", "Resource", "Unpack", "segment"]


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _ask(
        self,
        method: str,
        path: str,
        options: RequestOptions,
        *,
        part: str | None = None,
        query: Query | None = None,
        json: Mapping[str, Any] | None = None,
        body: Body | None = None,
        if_match: str | None = None,
    ) -> Any:
        """Send a request and return its answer, or the one part of it that was asked for."""
        if json is not None:
            body = json_body(json)
        response = self._transport.send(method, path, options, query, body, if_match)
        answer = _object(path, response)
        return Answer(answer if part is None else _part(answer, part, response), response)

    def _page(
        self,
        path: str,
        options: RequestOptions,
        *,
        query: Query | None = None,
        items: str = "data",
    ) -> Page[Any]:
        """Fetch a page of a list; it can fetch the one after it."""

        def fetch(starting_after: str) -> Page[Any]:
            return self._page(path, options, query={**(query or {}), "starting_after": starting_after}, items=items)

        response = self._transport.send("GET", path, options, query)
        return Page(_object(path, response), items, response, fetch)


def _object(path: str, response: Response) -> dict[str, Any]:
    answer = decode(path, response)
    if not isinstance(answer, dict):
        raise not_the_api(response)
    return cast("dict[str, Any]", answer)


def _part(answer: dict[str, Any], part: str, response: Response) -> dict[str, Any]:
    value = answer.get(part)
    if not isinstance(value, dict):
        raise not_the_api(response)
    return cast("dict[str, Any]", value)
