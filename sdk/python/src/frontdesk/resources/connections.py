"""Webhooks: where events are posted to, and what became of each delivery."""

from __future__ import annotations

from collections.abc import Sequence

from .._resource import Page, RequestOptions, Resource, Unpack, segment
from ..types import (
    AdditionalEventType,
    Connection,
    ConnectionInput,
    ConnectionPatch,
    ConnectionWithSecret,
    Connector,
    DeletedConnection,
    Delivery,
    DeliveryStatus,
    RetryResult,
    TestResult,
)


class Connectors(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Connector]:
        """The types of connections, with all that a receiver needs to know."""
        return self._page("/connectors", options, query={"limit": limit, "starting_after": starting_after})


class Connections(Resource):
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Connection]:
        """All connections; `envelope["limits"]` of the page says how many there may be."""
        return self._page("/connections", options, query={"limit": limit, "starting_after": starting_after})

    def get(self, connection_id: str, **options: Unpack[RequestOptions]) -> Connection:
        """One connection."""
        return self._ask("GET", _path(connection_id), options, part="connection")

    def create(self, input: ConnectionInput, **options: Unpack[RequestOptions]) -> ConnectionWithSecret:
        """Make a connection. Its `secret` is shown this once."""
        return self._ask("POST", "/connections", options, part="connection", json=input)

    def update(self, connection_id: str, patch: ConnectionPatch, **options: Unpack[RequestOptions]) -> Connection:
        """Change name, url or events; events are replaced whole."""
        return self._ask("PATCH", _path(connection_id), options, part="connection", json=patch)

    def delete(self, connection_id: str, **options: Unpack[RequestOptions]) -> DeletedConnection:
        """Delete a connection and its deliveries."""
        return self._ask("DELETE", _path(connection_id), options)

    def enable(self, connection_id: str, **options: Unpack[RequestOptions]) -> Connection:
        """Send events to it again."""
        return self._ask("POST", _path(connection_id) + "/enable", options, part="connection")

    def disable(
        self,
        connection_id: str,
        *,
        reason: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Connection:
        """Stop sending events to it; its deliveries wait."""
        json = None if reason is None else {"reason": reason}
        return self._ask("POST", _path(connection_id) + "/disable", options, part="connection", json=json)

    def test(self, connection_id: str, **options: Unpack[RequestOptions]) -> TestResult:
        """Send a signed test event now, and tell what became of it."""
        return self._ask("POST", _path(connection_id) + "/test", options)

    def rotate_secret(
        self,
        connection_id: str,
        *,
        grace_seconds: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> ConnectionWithSecret:
        """Replace the secret. The old one signs beside it for a day, or for `grace_seconds`."""
        json = None if grace_seconds is None else {"grace_seconds": grace_seconds}
        return self._ask("POST", _path(connection_id) + "/rotate-secret", options, part="connection", json=json)

    def set_additional_events(
        self,
        connection_id: str,
        events: Sequence[AdditionalEventType],
        **options: Unpack[RequestOptions],
    ) -> Connection:
        """Subscribe to events beyond those of `events`, such as capture.updated; replaced whole."""
        path = _path(connection_id) + "/additional-events"
        return self._ask("PUT", path, options, part="connection", json={"events": list_of(events)})

    def deliveries(
        self,
        connection_id: str,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        status: DeliveryStatus | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Delivery]:
        """What was sent to it, and what became of it."""
        query = {"limit": limit, "starting_after": starting_after, "status": status}
        return self._page(_path(connection_id) + "/deliveries", options, query=query)


class Deliveries(Resource):
    def retry(self, delivery_id: str, **options: Unpack[RequestOptions]) -> RetryResult:
        """Try a failed or dead delivery once more, now."""
        return self._ask("POST", f"/deliveries/{segment('delivery_id', delivery_id)}/retry", options)


def list_of(events: Sequence[AdditionalEventType]) -> Sequence[AdditionalEventType]:
    if isinstance(events, str):
        raise TypeError('events must be a list, such as ["capture.updated"]')
    return [*events]


def _path(connection_id: str) -> str:
    return f"/connections/{segment('connection_id', connection_id)}"
