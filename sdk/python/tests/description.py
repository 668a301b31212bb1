"""Reads the API's description for the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PATH = Path(__file__).resolve().parents[3] / "internal" / "description" / "openapi.json"


class Description:
    def __init__(self) -> None:
        self.document: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for path, item in self.document["paths"].items():
            for method, operation in item.items():
                if method in ("get", "post", "put", "patch", "delete"):
                    yield method, path, operation

    def parameters(self, path: str, operation: dict[str, Any]) -> list[dict[str, Any]]:
        every: list[dict[str, Any]] = self.document["paths"][path].get("parameters", []) + operation.get("parameters", [])
        return [self.resolved(one) for one in every]

    def resolved(self, value: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in value:
            return value
        target: Any = self.document
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return target

    def answer(self, operation: dict[str, Any]) -> bytes:
        """The example of a good answer, or one that is as little as the schema allows."""
        good = next(r for status, r in operation["responses"].items() if status.startswith("2"))
        kind, content = next(iter(self.resolved(good)["content"].items()))
        if kind != "application/json":
            return b"text"
        if "example" in content:
            return json.dumps(content["example"]).encode()
        if "examples" in content:
            return json.dumps(self.resolved(next(iter(content["examples"].values())))["value"]).encode()
        return json.dumps(self.least(content["schema"])).encode()

    def least(self, schema: dict[str, Any]) -> Any:
        schema = self.resolved(schema)
        if "const" in schema:
            return schema["const"]
        kinds = schema.get("type", "object")
        kind = kinds if isinstance(kinds, str) else kinds[0]
        if kind != "object":
            least: dict[str, Any] = {"array": [], "string": "s", "boolean": True, "integer": 1, "number": 1.5}
            return least[kind]
        properties = schema.get("properties", {})
        return {name: self.least(properties[name]) for name in schema.get("required", [])}
