"""The client."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from ._body import json_body
from ._resource import RequestOptions, Resource, Unpack
from ._transport import Query, Transport, decode
from .resources.account import AnalyticsFigures, Scopes, UsageFigures, Voices
from .resources.agents import Agents
from .resources.calls import Calls
from .resources.captures import Captures
from .resources.connections import Connections, Connectors, Deliveries
from .resources.events import Events, Notices
from .resources.knowledge import KnowledgeBase
from .types import Whoami

DEFAULT_BASE_URL = "http://127.0.0.1:8080"


class Frontdesk(Resource):
    """A client of the frontdesk API.

        fd = Frontdesk()  # the key from FRONTDESK_API_KEY
        for call in fd.calls.list(outcome="booking"):
            print(call["started_at"], call["duration_seconds"])

    A client can be used by many threads at once, and is best made once: it keeps
    its connections open between requests. Every method takes `timeout`,
    `max_retries`, `headers` and `idempotency_key` beside its own arguments.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """Make a client.

        api_key: default is the environment's FRONTDESK_API_KEY.
        base_url: where the server is, without /v1. Default is the environment's
            FRONTDESK_BASE_URL, else http://127.0.0.1:8080.
        timeout: seconds for each attempt, the whole answer included.
        max_retries: how often a request is tried again that was not answered, or
            answered with 408, 429, 500, 502, 503 or 504.
        headers: sent with every request.
        ssl_context: for a server whose certificate is of an authority of your own.
        """
        super().__init__(
            Transport(
                os.environ.get("FRONTDESK_API_KEY", "") if api_key is None else api_key,
                base_url or os.environ.get("FRONTDESK_BASE_URL") or DEFAULT_BASE_URL,
                timeout,
                max_retries,
                headers or {},
                ssl_context,
            )
        )
        self.scopes = Scopes(self._transport)
        self.usage = UsageFigures(self._transport)
        self.voices = Voices(self._transport)
        self.analytics = AnalyticsFigures(self._transport)
        self.agents = Agents(self._transport)
        self.calls = Calls(self._transport)
        self.captures = Captures(self._transport)
        self.notices = Notices(self._transport)
        self.events = Events(self._transport)
        self.connectors = Connectors(self._transport)
        self.connections = Connections(self._transport)
        self.deliveries = Deliveries(self._transport)
        self.knowledge = KnowledgeBase(self._transport)

    def whoami(self, **options: Unpack[RequestOptions]) -> Whoami:
        """Whose key this is, in which mode, and what it may do."""
        return self._ask("GET", "/whoami", options)

    def openapi(self, **options: Unpack[RequestOptions]) -> dict[str, Any]:
        """The API's description, an OpenAPI 3.1 document."""
        return self._ask("GET", "/openapi.json", options)

    def llms(self, **options: Unpack[RequestOptions]) -> str:
        """The API's guide in plain text."""
        return self._transport.send("GET", "/llms.txt", options).body.decode()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        json: Mapping[str, Any] | None = None,
        if_match: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Any:
        """Send any request and return its answer as it came, for what this package does not know yet.

        The path is without /v1: fd.request("GET", "/calls", query={"limit": 2}).
        """
        if not path.startswith("/"):
            raise ValueError("path must begin with /, and is without /v1")
        body = None if json is None else json_body(json)
        response = self._transport.send(method.upper(), path, options, query, body, if_match)
        return decode(path, response)

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._transport.close()

    def __enter__(self) -> Frontdesk:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Frontdesk(base_url={self._transport.base_url!r})"
