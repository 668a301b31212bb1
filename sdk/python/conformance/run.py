"""Runs the scenarios that all SDKs must master, against a proxy that misbehaves.

The header X-Conformance names the fault to the proxy. Each scenario prints one
line of JSON. See test/sdk, which starts it and judges what it prints.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from frontdesk import (  # noqa: E402
    APIError,
    APITimeoutError,
    Frontdesk,
    NotFoundError,
    RateLimitError,
    SignatureError,
    webhooks,
)
from frontdesk.types import CaptureInput  # noqa: E402

Values = dict[str, Any]


def asks_for(scenario: str) -> dict[str, str]:
    return {"X-Conformance": scenario}


def a_lead(fd: Frontdesk) -> CaptureInput:
    agent = fd.agents.list().data[0]
    return {"agent": agent["slug"], "kind": "lead", "customer_name": "Conformance", "customer_phone": "+34600000099"}


def rate_limited(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    return {"tenant": fd.whoami(headers=headers)["tenant"]["slug"]}


def make_capture(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    return {"capture_id": fd.captures.create(a_lead(fd), headers=headers)["id"]}


def three_pages(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    return {"ids": [capture["id"] for capture in fd.captures.list(limit=2, headers=headers)]}


def upload(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    with open(os.environ["CONFORMANCE_UPLOAD"], "rb") as file:
        result = fd.knowledge.documents.upload(file, headers=headers)
    document = result["document"]
    return {"document_id": document["id"], "size_bytes": document["size_bytes"]}


def timeout(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    try:
        fd.whoami(headers=headers, timeout=0.3, max_retries=0)
    except APITimeoutError as error:
        return {"error": type(error).__name__, "detail": str(error)}
    raise AssertionError("there was an answer")


def rotated_secret(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    told = json.loads(Path(os.environ["CONFORMANCE_WEBHOOK"]).read_text(encoding="utf-8"))
    old, new = told["secretOld"], told["secretNew"]
    secrets = {"old": old, "new": new, "both": [old, new]}
    results: dict[str, bool] = {}
    for case in told["cases"]:
        try:
            webhooks.verify(case["body"], case["headers"], secrets[case["secrets"]])
            results[case["name"]] = True
        except SignatureError:
            results[case["name"]] = False
    wrong = [case["name"] for case in told["cases"] if results[case["name"]] != case["ok"]]
    return {"results": results, "ok": not wrong, "detail": "wrong: " + ", ".join(wrong) if wrong else ""}


def error_with_request_id(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    try:
        fd.calls.get("01a1cf40-1300-7942-bd9b-256f44904ab7", headers=headers)
    except NotFoundError as error:
        return {"status": error.status, "type": error.type, "code": error.code, "request_id": error.request_id}
    raise AssertionError("there is such a call")


def unknown_enum(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    id_ = fd.captures.list(limit=1).data[0]["id"]
    capture = fd.captures.get(id_, headers=headers)
    return {"status": capture["status"], "kind": capture["kind"], "future": capture.get("future")}


def retry_gives_up(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    try:
        fd.whoami(headers=headers, max_retries=2)
    except APIError as error:  # whatever its class: the proxy's 503 need not have the API's envelope
        return {"attempts_error": error.status}
    raise AssertionError("there was an answer")


def long_retry_after(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    try:
        fd.whoami(headers=headers)
    except RateLimitError as error:
        return {"retry_after": error.retry_after}
    raise AssertionError("there was an answer")


def cancelled(fd: Frontdesk, headers: Mapping[str, str]) -> Values:
    return {"detail": "not applicable"}


SCENARIOS: dict[str, Callable[[Frontdesk, Mapping[str, str]], Values]] = {
    "rate-limited": rate_limited,
    "unavailable-twice": make_capture,
    "reset-in-post": make_capture,
    "three-pages": three_pages,
    "upload": upload,
    "timeout": timeout,
    "rotated-secret": rotated_secret,
    "error-with-request-id": error_with_request_id,
    "unknown-enum": unknown_enum,
    "retry-gives-up": retry_gives_up,
    "long-retry-after": long_retry_after,
    "cancelled": cancelled,
}


def main() -> None:
    with Frontdesk() as fd:
        for name, scenario in SCENARIOS.items():
            line: Values = {"scenario": name, "ok": True, "detail": ""}
            try:
                line.update(scenario(fd, asks_for(name)))
            except Exception as error:  # noqa: BLE001, the harness is to see what it was
                line.update(ok=False, detail=f"{type(error).__name__}: {error}")
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
