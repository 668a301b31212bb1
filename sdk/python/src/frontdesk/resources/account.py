"""What the key may do, what was used, and the figures of all calls."""

from __future__ import annotations

from .._resource import Page, RequestOptions, Resource, Unpack
from ..types import Analytics, Channel, Scope, Usage, Voice


class Scopes(Resource):
    def list(self, **options: Unpack[RequestOptions]) -> Page[Scope]:
        """All scopes, with what each allows and whether the key has it."""
        return self._page("/scopes", options, items="scopes")


class UsageFigures(Resource):
    def get(self, **options: Unpack[RequestOptions]) -> Usage:
        """Seconds and calls of the current period and of those before."""
        return self._ask("GET", "/usage", options)


class Voices(Resource):
    def list(self, **options: Unpack[RequestOptions]) -> Page[Voice]:
        """The voices that an agent can have."""
        return self._page("/voices", options, items="voices")


class AnalyticsFigures(Resource):
    def get(
        self,
        *,
        days: int | None = None,
        timezone: str | None = None,
        channel: Channel | None = None,
        agent: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Analytics:
        """Figures by day and by hour, for the last 30 days if `days` does not say otherwise."""
        query = {"days": days, "timezone": timezone, "channel": channel, "agent": agent}
        return self._ask("GET", "/analytics", options, query=query)
