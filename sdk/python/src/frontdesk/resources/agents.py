"""The receptionists: their configuration, its history, and their calendar."""

from __future__ import annotations

from datetime import date

from .._resource import Page, RequestOptions, Resource, Unpack, segment
from .._transport import Transport
from ..types import (
    Agenda,
    Agent,
    AgentChanged,
    AgentPatch,
    Availability,
    Calendar,
    Revision,
    RevisionDetail,
)


def _path(slug: str) -> str:
    return f"/agents/{segment('slug', slug)}"


class Agents(Resource):
    def __init__(self, transport: Transport) -> None:
        super().__init__(transport)
        self.history = AgentHistory(transport)
        self.calendar = AgentCalendar(transport)

    def list(self, **options: Unpack[RequestOptions]) -> Page[Agent]:
        """All agents."""
        return self._page("/agents", options, items="agents")

    def get(self, slug: str, **options: Unpack[RequestOptions]) -> Agent:
        """One agent. Its version, for `if_match`, is response_of(agent).etag."""
        return self._ask("GET", _path(slug), options, part="agent")

    def update(
        self,
        slug: str,
        patch: AgentPatch,
        *,
        if_match: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Agent:
        """Change an agent.

        hours, menu, products, services and listings are replaced whole; send all
        of their entries.
        """
        return self._ask("PATCH", _path(slug), options, part="agent", json=patch, if_match=if_match)

    def preview(
        self,
        slug: str,
        patch: AgentPatch,
        *,
        if_match: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AgentChanged:
        """Show what an update would do, as `agent` and `changes`, and write nothing."""
        query = {"dry_run": True}
        return self._ask("PATCH", _path(slug), options, query=query, json=patch, if_match=if_match)

    def availability(
        self,
        slug: str,
        *,
        from_: str | date,
        to: str | date,
        service_id: str | None = None,
        party_size: int | None = None,
        resource_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Availability:
        """What can be booked, by day, from `from_` until the day before `to`; 31 days at most."""
        query = {
            "from": from_,
            "to": to,
            "service_id": service_id,
            "party_size": party_size,
            "resource_id": resource_id,
        }
        return self._ask("GET", _path(slug) + "/availability", options, query=query)

    def agenda(
        self,
        slug: str,
        *,
        from_: str | date,
        to: str | date,
        **options: Unpack[RequestOptions],
    ) -> Agenda:
        """Who comes, by day, from `from_` until the day before `to`; 31 days at most."""
        return self._ask("GET", _path(slug) + "/agenda", options, query={"from": from_, "to": to})


class AgentHistory(Resource):
    def list(
        self,
        slug: str,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Revision]:
        """The versions of an agent: who changed what, and when."""
        query = {"limit": limit, "starting_after": starting_after}
        return self._page(_path(slug) + "/history", options, query=query)

    def get(self, slug: str, revision: str, **options: Unpack[RequestOptions]) -> RevisionDetail:
        """An agent as it was: configuration, calendar and rules."""
        return self._ask("GET", _revision(slug, revision), options, part="revision")

    def restore(
        self,
        slug: str,
        revision: str,
        *,
        if_match: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Agent:
        """Make an agent again what it was."""
        path = _revision(slug, revision) + "/restore"
        return self._ask("POST", path, options, part="agent", if_match=if_match)


def _revision(slug: str, revision: str) -> str:
    return f"{_path(slug)}/history/{segment('revision', revision)}"


class AgentCalendar(Resource):
    def get(self, slug: str, **options: Unpack[RequestOptions]) -> Calendar:
        """When an agent's business is open, and with whom one can have an appointment."""
        return self._ask("GET", _path(slug) + "/calendar", options)

    def replace(
        self,
        slug: str,
        calendar: Calendar,
        *,
        if_match: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Calendar:
        """Replace the calendar whole. What is left out has its default."""
        return self._ask("PUT", _path(slug) + "/calendar", options, json=calendar, if_match=if_match)
