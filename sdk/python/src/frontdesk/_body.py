"""What a request carries: JSON, or a document that is sent as it is read."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timezone
from typing import IO, Any, Protocol, cast

BLOCK = 64 * 1024


class Body(Protocol):
    """The content of a request."""

    content_type: str
    length: int | None  # None: not known before it has been read

    def blocks(self) -> Iterator[bytes]:
        """The content from its beginning."""
        ...

    def can_be_sent(self) -> bool:
        """Whether blocks can give the content from its beginning, perhaps once more."""
        ...


class BytesBody:
    """Content that is at hand."""

    def __init__(self, content: bytes, content_type: str) -> None:
        self.content_type = content_type
        self.length: int | None = len(content)
        self._content = content

    def blocks(self) -> Iterator[bytes]:
        for start in range(0, len(self._content), BLOCK):
            yield self._content[start : start + BLOCK]

    def can_be_sent(self) -> bool:
        return True


class FileBody:
    """A binary file that can go back to where it stood."""

    def __init__(self, file: IO[bytes], content_type: str) -> None:
        self.content_type = content_type
        self._file = file
        self._start = file.tell()
        self.length: int | None = file.seek(0, os.SEEK_END) - self._start
        file.seek(self._start)

    def blocks(self) -> Iterator[bytes]:
        self._file.seek(self._start)
        left = self.length or 0
        while left > 0:
            block = self._file.read(min(BLOCK, left))
            if not block:
                raise OSError("the file became shorter while it was read")
            left -= len(block)
            yield block

    def can_be_sent(self) -> bool:
        return True


class StreamBody:
    """Content that comes once: a pipe, a generator."""

    def __init__(self, stream: Iterable[bytes], content_type: str) -> None:
        self.content_type = content_type
        self.length: int | None = None
        self._stream = stream
        self._begun = False

    def blocks(self) -> Iterator[bytes]:
        self._begun = True
        for block in self._stream:
            if block:
                yield bytes(block)

    def can_be_sent(self) -> bool:
        return not self._begun


def json_body(value: Mapping[str, Any]) -> BytesBody:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=date_text)
    return BytesBody(text.encode(), "application/json")


def date_text(value: object) -> str:
    """A date, an instant in UTC, or, without a time zone, the business's own local time."""
    if isinstance(value, datetime):
        if value.tzinfo is None:
            return value.isoformat(timespec="seconds")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"a value of type {type(value).__name__} cannot be sent as JSON")


def document_body(document: bytes | IO[bytes] | Iterable[bytes], content_type: str) -> Body:
    """The body for a document that is bytes, an open binary file or blocks of bytes."""
    if isinstance(document, (bytes, bytearray, memoryview)):
        return BytesBody(bytes(document), content_type)
    if isinstance(document, io.TextIOBase):
        raise TypeError('open the file in binary mode: open(name, "rb")')
    if hasattr(document, "read"):
        file = cast("IO[bytes]", document)
        if _can_seek(file):
            return FileBody(file, content_type)
        return StreamBody(iter(lambda: file.read(BLOCK), b""), content_type)
    return StreamBody(cast("Iterable[bytes]", document), content_type)


def _can_seek(file: IO[bytes]) -> bool:
    seekable = getattr(file, "seekable", None)
    return bool(seekable and seekable())
