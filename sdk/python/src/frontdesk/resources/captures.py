"""What came of the conversations: appointments, leads, orders, messages."""

from __future__ import annotations

from datetime import date, datetime

from .._resource import Page, RequestOptions, Resource, Unpack, segment
from ..types import Capture, CaptureChange, CaptureInput, CaptureStatus


class Captures(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        status: CaptureStatus | None = None,
        kind: str | None = None,
        agent_id: str | None = None,
        scheduled_from: str | date | None = None,
        scheduled_to: str | date | None = None,
        updated_from: str | datetime | None = None,
        phone: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Capture]:
        """Captures, newest first. Dates of `scheduled_*` are the business's own, without an offset."""
        query = {
            "limit": limit,
            "starting_after": starting_after,
            "status": status,
            "kind": kind,
            "agent_id": agent_id,
            "scheduled_from": scheduled_from,
            "scheduled_to": scheduled_to,
            "updated_from": updated_from,
            "phone": phone,
        }
        return self._page("/captures", options, query=query)

    def get(self, capture_id: str, **options: Unpack[RequestOptions]) -> Capture:
        """One capture. Its version, for `if_match`, is response_of(capture).etag."""
        return self._ask("GET", _path(capture_id), options, part="capture")

    def create(self, input: CaptureInput, **options: Unpack[RequestOptions]) -> Capture:
        """Write a capture of the business's own, such as an appointment made at the counter.

        A place that is not free is a ConflictError whose `detail` names what is
        free nearest; `"force": True` writes it all the same.
        """
        return self._ask("POST", "/captures", options, part="capture", json=input)

    def set_status(self, capture_id: str, status: CaptureStatus, **options: Unpack[RequestOptions]) -> Capture:
        """Confirm, cancel or mark as no-show."""
        return self._ask("PATCH", _path(capture_id), options, part="capture", json={"status": status})

    def change(
        self,
        capture_id: str,
        change: CaptureChange,
        *,
        if_match: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Capture:
        """Move a capture or change what it says. What is left out stays; None clears."""
        path = _path(capture_id) + "/change"
        return self._ask("POST", path, options, part="capture", json=change, if_match=if_match)


def _path(capture_id: str) -> str:
    return f"/captures/{segment('capture_id', capture_id)}"
