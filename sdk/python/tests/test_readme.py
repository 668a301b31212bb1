"""Runs what the README shows against a server that answers with the description's examples."""

from __future__ import annotations

import contextlib
import io
import os
import re
import unittest
from typing import Any
from unittest import mock

from . import ROOT
from .description import Description
from .server import KEY, Asked, Reply, Server, failure

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
DESCRIPTION = Description()


def answer(asked: Asked) -> Reply:
    if b"2020-01-01" in asked.body:
        return failure(409, "conflict_error", "slot_unavailable", "scheduled_at")
    for method, path, operation in DESCRIPTION.operations():
        pattern = "/v1" + re.sub(r"\{[a-z_]+\}", "[^/]+", path)
        if asked.method == method.upper() and re.fullmatch(pattern, asked.path):
            # An example of a page says that there are more; here there are none.
            example = DESCRIPTION.answer(operation).replace(b'"has_more": true', b'"has_more": false')
            return Reply(200, example)
    return failure(404, "invalid_request_error", "route_not_found")


class Readme(unittest.TestCase):
    def test_every_block_runs(self) -> None:
        self.assertGreater(len(BLOCKS), 10)
        names: dict[str, Any] = {"__name__": "readme"}
        with Server(answer=answer) as server:
            settings = {"FRONTDESK_API_KEY": KEY, "FRONTDESK_BASE_URL": server.url, "WEBHOOK_SECRETS": "whsec_AA=="}
            with (
                mock.patch.dict(os.environ, settings),
                mock.patch("time.sleep"),
                mock.patch("http.server.HTTPServer"),
                contextlib.redirect_stdout(io.StringIO()) as said,
            ):
                for number, block in enumerate(BLOCKS):
                    with self.subTest(block=block):
                        exec(compile(block, f"README.md, block {number}", "exec"), names)
            names["fd"].close()
        self.assertIn("Do this.", said.getvalue())
        paths = {asked.path for asked in server.asked}
        self.assertIn("/v1/knowledge/test", paths)
