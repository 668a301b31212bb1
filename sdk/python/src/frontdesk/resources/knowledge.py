"""The documents that the receptionists answer questions from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import IO, cast

from .._body import document_body
from .._resource import Page, RequestOptions, Resource, Unpack, segment
from .._transport import Transport
from ..types import (
    DeletedDocument,
    Document,
    DocumentStatus,
    Knowledge,
    KnowledgeAnswer,
    UploadResult,
)

_CONTENT_TYPES = {
    ".pdf": "application/pdf",
    ".md": "text/markdown",
    ".csv": "text/csv",
    ".txt": "text/plain",
}


class KnowledgeBase(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.documents = Documents(transport)

    def get(self, **options: Unpack[RequestOptions]) -> Knowledge:
        """How much there is, how much there may be, and what callers asked in vain."""
        return self._ask("GET", "/knowledge", options)

    def ask(
        self,
        question: str,
        *,
        agent_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> KnowledgeAnswer:
        """Ask as a caller would, and see the answer and what it rests on."""
        json = {"question": question}
        if agent_id is not None:
            json["agent_id"] = agent_id
        return self._ask("POST", "/knowledge/test", options, json=json)


class Documents(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        status: DocumentStatus | None = None,
        agent_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Document]:
        """All documents; `envelope["limits"]` of the page says how many there may be."""
        query = {"limit": limit, "starting_after": starting_after, "status": status, "agent_id": agent_id}
        return self._page("/knowledge/documents", options, query=query)

    def get(self, document_id: str, **options: Unpack[RequestOptions]) -> Document:
        """One document; ask until its status is `ready` or `error`."""
        return self._ask("GET", _path(document_id), options, part="document")

    def upload(
        self,
        file: str | os.PathLike[str] | bytes | IO[bytes] | Iterable[bytes],
        *,
        filename: str | None = None,
        title: str | None = None,
        agent_id: str | None = None,
        content_type: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> UploadResult:
        """Upload a document: PDF, Markdown, CSV or plain text.

        `file` is a path, the bytes themselves, a file open in binary mode, or
        blocks of bytes. It is sent as it is read. What can be read only once, such
        as a pipe or a generator, is not tried again after reading has begun.

        `filename` is needed where the file has no name of its own. Its extension
        says what the document is: .pdf, .md, .csv or .txt.
        """
        filename = filename or _name(file)
        kind = content_type or _CONTENT_TYPES.get(os.path.splitext(filename)[1].lower(), "application/octet-stream")
        query = {"filename": filename, "title": title, "agent_id": agent_id}
        if isinstance(file, (str, os.PathLike)):
            with open(file, "rb") as opened:
                return self._ask(
                    "POST", "/knowledge/documents", options, query=query, body=document_body(opened, kind)
                )
        return self._ask("POST", "/knowledge/documents", options, query=query, body=document_body(file, kind))

    def delete(self, document_id: str, **options: Unpack[RequestOptions]) -> DeletedDocument:
        """Delete a document; it is no longer used in answers."""
        return self._ask("DELETE", _path(document_id), options)


def _name(file: object) -> str:
    named = isinstance(file, (str, os.PathLike))
    path: object = cast("object", file) if named else getattr(file, "name", None)
    if isinstance(path, os.PathLike):
        path = os.fspath(cast("os.PathLike[str]", path))
    # The name of a pipe is a number.
    name = os.path.basename(path) if isinstance(path, str) else ""
    if not name:
        raise ValueError("filename is needed, with one of the extensions .pdf, .md, .csv or .txt")
    return name


def _path(document_id: str) -> str:
    return f"/knowledge/documents/{segment('document_id', document_id)}"
