"""What a type checker must make of the client. It is read by pyright and never run."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

from frontdesk import Frontdesk, Page, response_of, webhooks
from frontdesk.types import Agent, AgentChanged, Call, CallDetail, Capture, ConnectionWithSecret, UploadResult


def check(fd: Frontdesk) -> None:
    assert_type(fd.calls.list(outcome="booking"), Page[Call])
    assert_type(fd.calls.get("id"), CallDetail)
    assert_type(fd.agents.update("slug", {"policy": "…"}), Agent)
    assert_type(fd.agents.preview("slug", {"policy": "…"}), AgentChanged)
    assert_type(fd.knowledge.documents.upload(b"", filename="a.md"), UploadResult)
    assert_type(fd.connections.rotate_secret("id"), ConnectionWithSecret)
    assert_type(fd.request("GET", "/x"), Any)
    for call in fd.calls.list():
        assert_type(call, Call)
        assert_type(call["duration_seconds"], int)
    capture: Capture = fd.captures.get("id", timeout=1.5, max_retries=0, headers={"a": "b"})
    assert_type(capture["agent_id"], "str | None")
    assert_type(response_of(capture).request_id, "str | None")

    # A value that the API may come to have is not refused, an argument that does not exist is.
    fd.calls.list(outcome="future")
    fd.calls.list(outcom="booking")  # pyright: ignore[reportCallIssue]
    fd.captures.create({"agent": "a", "nmae": "x"})  # pyright: ignore[reportArgumentType]
    fd.captures.change("id", {"notes": None})
    capture["customer_nmae"]  # pyright: ignore[reportGeneralTypeIssues, reportTypedDictNotRequiredAccess, reportUnusedExpression]


def receive(body: bytes, headers: dict[str, str]) -> None:
    event = webhooks.verify(body, headers, ["whsec_…"])
    if event["type"] == "capture.created":
        assert_type(event["data"]["object"], Capture)
    elif event["type"] == "call.completed":
        assert_type(event["data"]["object"], Call)
