from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from frontdesk import APIError

from . import SOURCES
from .server import KEY, Asked, Reply, Server, client, ok


def echo(asked: Asked) -> Reply:
    return ok({"call": {"id": asked.path.rsplit("/", 1)[-1]}})


# In a process of its own: one with threads must not fork.
FORKS = """
import os, sys
from frontdesk import Frontdesk
fd = Frontdesk(sys.argv[2], base_url=sys.argv[1], max_retries=0)
fd.calls.get("1")
child = os.fork()
if child == 0:
    fd.calls.get("2")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
fd.calls.get("3")
"""


class Connections(unittest.TestCase):
    def test_they_are_used_again(self) -> None:
        with Server(answer=echo) as server:
            fd, _ = client(server)
            for number in range(5):
                self.assertEqual(fd.calls.get(str(number))["id"], str(number))
            self.assertEqual(len({asked.peer for asked in server.asked}), 1)

    def test_one_that_the_server_closed_is_noticed(self) -> None:
        for goodbye in ({"Connection": "close"}, {}):
            with self.subTest(goodbye=goodbye), Server(answer=lambda _, h=goodbye: Reply(headers=h)) as server:
                fd, waits = client(server, max_retries=0)
                fd.whoami()
                server.hang_up()
                fd.whoami()
                self.assertEqual(waits.seconds, [])
                self.assertNotEqual(server.asked[0].peer, server.asked[1].peer)

    def test_one_that_was_idle_too_long_is_not_used(self) -> None:
        with Server(answer=echo) as server, mock.patch("frontdesk._pool.MAX_IDLE_SECONDS", 0):
            fd, _ = client(server)
            fd.calls.get("1")
            fd.calls.get("2")
            self.assertNotEqual(server.asked[0].peer, server.asked[1].peer)

    def test_not_too_many_are_kept(self) -> None:
        together = threading.Barrier(3)
        with Server(answer=echo) as server, mock.patch("frontdesk._pool.MAX_IDLE", 1):
            fd, _ = client(server)

            def work(number: int) -> None:
                def blocks() -> Iterator[bytes]:
                    together.wait()  # all three have a connection now
                    yield b"x"

                with contextlib.suppress(APIError):  # the answer is no upload's
                    fd.knowledge.documents.upload(blocks(), filename="a.txt")

            with ThreadPoolExecutor(3) as pool:
                list(pool.map(work, range(3)))
            first = {asked.peer for asked in server.asked}
            self.assertEqual(len(first), 3)
            fd.calls.get("1")
            self.assertIn(server.asked[-1].peer, first)
            self.assertEqual(len(fd._transport._pool._idle), 1)  # pyright: ignore[reportPrivateUsage]

    def test_many_threads_with_one_client(self) -> None:
        with Server(answer=echo) as server:
            fd, _ = client(server, max_retries=0)
            gate = threading.Barrier(8)

            def work(thread: int) -> list[str]:
                gate.wait()
                return [fd.calls.get(f"{thread}-{number}")["id"] for number in range(50)]

            with ThreadPoolExecutor(8) as pool:
                results = list(pool.map(work, range(8)))
            for thread, ids in enumerate(results):
                self.assertEqual(ids, [f"{thread}-{number}" for number in range(50)])
            self.assertEqual(len(server.asked), 400)
            self.assertLessEqual(len({asked.peer for asked in server.asked}), 8)

    def test_a_page_can_be_read_by_many_threads(self) -> None:
        def answer(asked: Asked) -> Reply:
            last = int(asked.query.get("starting_after", ["0"])[0]) + 1
            return ok({"data": [{"id": str(last)}], "has_more": last < 5, "next_starting_after": str(last)})

        with Server(answer=answer) as server:
            fd, _ = client(server)
            page = fd.calls.list()

            def read(_: int) -> list[str]:
                return [call["id"] for call in page]

            with ThreadPoolExecutor(4) as pool:
                for ids in pool.map(read, range(4)):
                    self.assertEqual(ids, ["1", "2", "3", "4", "5"])

    @unittest.skipUnless(hasattr(os, "fork"), "NOT COVERED: this system has no fork")
    def test_a_fork_does_not_share_them(self) -> None:
        with Server(answer=echo) as server:
            environment = {**os.environ, "PYTHONPATH": SOURCES}
            subprocess.run([sys.executable, "-c", FORKS, server.url, KEY], check=True, env=environment)
            peers = [asked.peer for asked in server.asked]
            self.assertEqual(peers[0], peers[2])
            self.assertNotEqual(peers[0], peers[1])
