"""Lists, a page at a time or all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar, cast

from ._response import Response
from ._transport import not_the_api

T = TypeVar("T")


class Page(Generic[T]):
    """A page of a list, newest first.

    Iterating goes over all items of this page and of those after it, which are
    fetched as they are needed. `data` is this page alone.
    """

    def __init__(
        self,
        envelope: dict[str, Any],
        items: str,
        response: Response,
        fetch: Callable[[str], Page[T]] | None,
    ) -> None:
        data: Any = envelope.get(items)
        if not isinstance(data, list):
            raise not_the_api(response)
        self.data: list[T] = cast("list[T]", data)
        self.has_more: bool = envelope.get("has_more") is True
        self.next_starting_after: str | None = envelope.get("next_starting_after")
        self.envelope = envelope
        """The answer as it came; some lists have more in it, such as `limits`."""
        self.response = response
        self._fetch = fetch

    def next_page(self) -> Page[T] | None:
        """Fetch the page after this one; None after the last."""
        if self._fetch is None or not self.has_more or not self.next_starting_after:
            return None
        return self._fetch(self.next_starting_after)

    def __iter__(self) -> Iterator[T]:
        page: Page[T] | None = self
        while page is not None:
            yield from page.data
            page = page.next_page()

    def __repr__(self) -> str:
        return f"Page({len(self.data)} items, has_more={self.has_more})"
