"""Holds the client to the API's description: every operation, every parameter, every answer."""

from __future__ import annotations

import json
import re
import unittest
from collections.abc import Callable
from typing import Any, cast, get_type_hints

from frontdesk import Frontdesk, Page, types

from .description import Description
from .server import Asked, Reply, Server, client

# How each operation is called with everything that it takes.
CALLS: dict[str, Callable[[Frontdesk], Any]] = {
    "getWhoami": lambda fd: fd.whoami(),
    "listScopes": lambda fd: fd.scopes.list(),
    "getUsage": lambda fd: fd.usage.get(),
    "listAgents": lambda fd: fd.agents.list(),
    "getAgent": lambda fd: fd.agents.get("a"),
    "updateAgent": lambda fd: (
        fd.agents.preview("a", {"policy": "p"}, if_match="e"),
        fd.agents.update("a", {"policy": "p"}, if_match="e"),
    )[1],
    "listAgentHistory": lambda fd: fd.agents.history.list("a", limit=2, starting_after="s"),
    "getAgentRevision": lambda fd: fd.agents.history.get("a", "r"),
    "restoreAgentRevision": lambda fd: fd.agents.history.restore("a", "r", if_match="e"),
    "getCalendar": lambda fd: fd.agents.calendar.get("a"),
    "replaceCalendar": lambda fd: fd.agents.calendar.replace("a", {"slot_minutes": 15}, if_match="e"),
    "getAvailability": lambda fd: fd.agents.availability(
        "a", from_="2026-11-16", to="2026-11-17", service_id="s", party_size=2, resource_id="r"
    ),
    "getAgenda": lambda fd: fd.agents.agenda("a", from_="2026-11-16", to="2026-11-17"),
    "listVoices": lambda fd: fd.voices.list(),
    "listCalls": lambda fd: fd.calls.list(
        limit=2,
        starting_after="s",
        outcome="booking",
        channel="web",
        started_from="2026-11-16T00:00:00Z",
        started_to="2026-11-17T00:00:00Z",
        agent_id="a",
        language="es",
        caller="+34600000012",
        search="mesa",
    ),
    "getCall": lambda fd: fd.calls.get("c"),
    "getAnalytics": lambda fd: fd.analytics.get(days=7, timezone="Europe/Madrid", channel="web", agent="a"),
    "listCaptures": lambda fd: fd.captures.list(
        limit=2,
        starting_after="s",
        status="confirmed",
        kind="lead",
        agent_id="a",
        scheduled_from="2026-11-16",
        scheduled_to="2026-11-17",
        updated_from="2026-11-16T00:00:00Z",
        phone="600 000 012",
    ),
    "createCapture": lambda fd: fd.captures.create({"agent": "a"}),
    "getCapture": lambda fd: fd.captures.get("c"),
    "updateCapture": lambda fd: fd.captures.set_status("c", "confirmed"),
    "changeCapture": lambda fd: fd.captures.change("c", {"notes": None}, if_match="e"),
    "listNotices": lambda fd: fd.notices.list(
        limit=2, starting_after="s", status="dead", kind="reminder", capture_id="c"
    ),
    "listEvents": lambda fd: fd.events.list(
        limit=2, starting_after="s", type="capture.updated", agent_id="a", created_from="2026-11-16T00:00:00Z"
    ),
    "getEvent": lambda fd: fd.events.get("e"),
    "listConnectors": lambda fd: fd.connectors.list(limit=2, starting_after="s"),
    "listConnections": lambda fd: fd.connections.list(limit=2, starting_after="s"),
    "createConnection": lambda fd: fd.connections.create(
        {"name": "n", "url": "https://example.com", "events": ["call.completed"]}
    ),
    "getConnection": lambda fd: fd.connections.get("c"),
    "updateConnection": lambda fd: fd.connections.update("c", {"name": "n"}),
    "deleteConnection": lambda fd: fd.connections.delete("c"),
    "enableConnection": lambda fd: fd.connections.enable("c"),
    "disableConnection": lambda fd: fd.connections.disable("c", reason="r"),
    "testConnection": lambda fd: fd.connections.test("c"),
    "rotateSecret": lambda fd: fd.connections.rotate_secret("c", grace_seconds=0),
    "replaceAdditionalEvents": lambda fd: fd.connections.set_additional_events("c", ["capture.updated"]),
    "listDeliveries": lambda fd: fd.connections.deliveries("c", limit=2, starting_after="s", status="dead"),
    "retryDelivery": lambda fd: fd.deliveries.retry("d"),
    "getKnowledge": lambda fd: fd.knowledge.get(),
    "listDocuments": lambda fd: fd.knowledge.documents.list(limit=2, starting_after="s", status="ready", agent_id="a"),
    "uploadDocument": lambda fd: fd.knowledge.documents.upload(b"x", filename="x.md", title="t", agent_id="a"),
    "getDocument": lambda fd: fd.knowledge.documents.get("d"),
    "deleteDocument": lambda fd: fd.knowledge.documents.delete("d"),
    "testKnowledge": lambda fd: fd.knowledge.ask("q", agent_id="a"),
    "getOpenapi": lambda fd: fd.openapi(),
    "getLlmsTxt": lambda fd: fd.llms(),
}

# The body of a request where it has properties, and all of them are arguments.
BODIES = {
    "disableConnection": {"reason": "r"},
    "rotateSecret": {"grace_seconds": 0},
    "testKnowledge": {"question": "q", "agent_id": "a"},
    "updateCapture": {"status": "confirmed"},
    "replaceAdditionalEvents": {"events": ["capture.updated"]},
}

# Of these the name is told by a query parameter, and need not be told twice.
LEFT_OUT = {("uploadDocument", "X-Service-Filename")}


class Operations(unittest.TestCase):
    description = Description()

    def test_every_operation_is_called_with_every_parameter(self) -> None:
        called = set(CALLS)
        for method, path, operation in self.description.operations():
            name = operation["operationId"]
            called.discard(name)
            with self.subTest(operation=name):
                self.assertIn(name, CALLS, "the client has no method for it, or this test does not know it")
                example = self.description.answer(operation)
                with Server(answer=lambda _, example=example: Reply(200, example)) as server:
                    fd, _ = client(server)
                    result = CALLS[name](fd)
                self.check_request(name, method, path, self.description.parameters(path, operation), server.asked[0])
                self.check_result(name, result, example)
        self.assertEqual(called, set(), "the description has no such operation")

    def check_request(self, name: str, method: str, path: str, parameters: list[dict[str, Any]], asked: Asked) -> None:
        self.assertEqual(asked.method, method.upper())
        self.assertRegex(asked.path, "^/v1" + re.sub(r"\{[a-z_]+\}", "[a-z]", path) + "$")
        queries = {p["name"] for p in parameters if p["in"] == "query"}
        self.assertEqual(set(asked.query), queries)
        for parameter in parameters:
            if parameter["in"] == "header" and (name, parameter["name"]) not in LEFT_OUT:
                self.assertIn(parameter["name"].lower(), asked.headers)
        if name in BODIES:
            self.assertEqual(json.loads(asked.body), BODIES[name])

    def check_result(self, name: str, result: Any, example: bytes) -> None:
        """A thing comes alone, a list as a page, everything else as it is."""
        if name == "getLlmsTxt":
            self.assertEqual(result, example.decode())
            return
        answer = json.loads(example)
        if isinstance(result, Page):
            self.assertIn(cast("Page[Any]", result).data, list(answer.values()))
            return
        alone = len(answer) == 1 and isinstance(next(iter(answer.values())), dict)
        self.assertEqual(result, next(iter(answer.values())) if alone else answer)

    def test_every_schema_has_a_type(self) -> None:
        for name in self.description.document["components"]["schemas"]:
            if name != "Error":  # it is ErrorBody, and the client's own classes
                self.assertTrue(hasattr(types, name), name)

    def test_every_type_can_be_looked_into(self) -> None:
        """Libraries that check data by types do this, on every version of Python."""
        for name in types.__all__:
            kind = getattr(types, name)
            if isinstance(kind, type) and kind is not str:
                self.assertTrue(get_type_hints(kind), name)

    def test_every_type_of_error_has_a_class(self) -> None:
        from frontdesk.errors import _BY_TYPE  # pyright: ignore[reportPrivateUsage]

        self.assertEqual(set(_BY_TYPE), set(self.description.document["components"]["schemas"]["Error"]["properties"]["type"]["enum"]))
