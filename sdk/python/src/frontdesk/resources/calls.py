"""The conversations that the receptionists had."""

from __future__ import annotations

from datetime import datetime

from .._resource import Page, RequestOptions, Resource, Unpack, segment
from ..types import Call, CallDetail, Channel, Language, Outcome


class Calls(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        outcome: Outcome | None = None,
        channel: Channel | None = None,
        started_from: str | datetime | None = None,
        started_to: str | datetime | None = None,
        agent_id: str | None = None,
        language: Language | None = None,
        caller: str | None = None,
        search: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Call]:
        """Calls, newest first. `search` looks for words of the transcript."""
        query = {
            "limit": limit,
            "starting_after": starting_after,
            "outcome": outcome,
            "channel": channel,
            "started_from": started_from,
            "started_to": started_to,
            "agent_id": agent_id,
            "language": language,
            "caller": caller,
            "search": search,
        }
        return self._page("/calls", options, query=query)

    def get(self, call_id: str, **options: Unpack[RequestOptions]) -> CallDetail:
        """One call with its transcript."""
        return self._ask("GET", f"/calls/{segment('call_id', call_id)}", options, part="call")
