"""What happened, and who was told of it."""

from __future__ import annotations

from datetime import datetime

from .._resource import Page, RequestOptions, Resource, Unpack, segment
from ..types import EventType, Notice, NoticeKind, NoticeStatus, RecordedEvent


class Events(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        type: EventType | None = None,
        agent_id: str | None = None,
        created_from: str | datetime | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[RecordedEvent]:
        """What webhooks carried in the last 30 days, for those who missed some."""
        query = {
            "limit": limit,
            "starting_after": starting_after,
            "type": type,
            "agent_id": agent_id,
            "created_from": created_from,
        }
        return self._page("/events", options, query=query)

    def get(self, event_id: str, **options: Unpack[RequestOptions]) -> RecordedEvent:
        """One event, by the webhook-id of its deliveries."""
        return self._ask("GET", f"/events/{segment('event_id', event_id)}", options, part="event")


class Notices(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        status: NoticeStatus | None = None,
        kind: NoticeKind | None = None,
        capture_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Notice]:
        """Messages to people: confirmations, reminders, the owner's notices."""
        query = {
            "limit": limit,
            "starting_after": starting_after,
            "status": status,
            "kind": kind,
            "capture_id": capture_id,
        }
        return self._page("/notices", options, query=query)
