from __future__ import annotations

import email.utils
import threading
import time
import unittest

from frontdesk import (
    APIConnectionError,
    APIError,
    APITimeoutError,
    ConflictError,
    IdempotencyError,
    NotFoundError,
    RateLimitError,
    ServerError,
    response_of,
)
from frontdesk._retry import retry_after, wait_before

from .server import Reply, Server, client, failure, ok

UNAVAILABLE = failure(503, "api_error", "database_unavailable")
CAPTURE = ok({"capture": {"id": "c1"}})


class Retries(unittest.TestCase):
    def test_statuses_that_pass(self) -> None:
        for status in (408, 429, 500, 502, 503, 504):
            with self.subTest(status=status), Server(Reply(status), ok({"livemode": True})) as server:
                fd, waits = client(server)
                self.assertEqual(response_of(fd.whoami()).attempts, 2)
                self.assertEqual(len(waits.seconds), 1)

    def test_statuses_that_stay(self) -> None:
        for status in (400, 401, 403, 404, 405, 409, 412, 413, 501):
            with self.subTest(status=status), Server(Reply(status)) as server:
                fd, _ = client(server)
                with self.assertRaises(APIError) as caught:
                    fd.whoami()
                self.assertEqual(caught.exception.status, status)

    def test_it_gives_up(self) -> None:
        with Server(*[UNAVAILABLE] * 3) as server:
            fd, waits = client(server)
            with self.assertRaises(ServerError) as caught:
                fd.whoami()
            self.assertEqual(caught.exception.response.attempts, 3)
            self.assertEqual(len(server.asked), 3)
            self.assertTrue(0.375 <= waits.seconds[0] <= 0.625 and 0.75 <= waits.seconds[1] <= 1.25, waits.seconds)

    def test_the_number_of_retries(self) -> None:
        for given, want in ((0, 1), (1, 2), (4, 5)):
            with self.subTest(given=given), Server(answer=lambda _: UNAVAILABLE) as server:
                fd, _ = client(server)
                with self.assertRaises(ServerError):
                    fd.whoami(max_retries=given)
                self.assertEqual(len(server.asked), want)

    def test_a_post_has_one_key_in_all_attempts(self) -> None:
        with Server(UNAVAILABLE, Reply(reset=True), CAPTURE, CAPTURE) as server:
            fd, _ = client(server)
            self.assertEqual(fd.captures.create({"agent": "a"})["id"], "c1")
            keys = [asked.headers["idempotency-key"] for asked in server.asked]
            self.assertEqual(len(set(keys)), 1)
            fd.captures.create({"agent": "a"})
            self.assertNotEqual(server.asked[3].headers["idempotency-key"], keys[0])

    def test_a_key_of_the_callers_own(self) -> None:
        with Server(CAPTURE) as server:
            fd, _ = client(server)
            fd.captures.create({"agent": "a"}, idempotency_key="mine")
            self.assertEqual(server.asked[0].headers["idempotency-key"], "mine")

    def test_a_get_has_no_key(self) -> None:
        with Server(ok({})) as server:
            fd, _ = client(server)
            fd.whoami()
            self.assertNotIn("idempotency-key", server.asked[0].headers)

    def test_of_the_conflicts_only_a_running_request(self) -> None:
        running = failure(409, "idempotency_error", "idempotency_key_in_use")
        with Server(running, CAPTURE) as server:
            fd, _ = client(server)
            self.assertEqual(fd.captures.create({"agent": "a"})["id"], "c1")
        for type_, code, kind in (
            ("idempotency_error", "idempotency_key_reused", IdempotencyError),
            ("conflict_error", "slot_unavailable", ConflictError),
        ):
            with self.subTest(code=code), Server(failure(409, type_, code)) as server:
                fd, _ = client(server)
                with self.assertRaises(kind):
                    fd.captures.create({"agent": "a"})

    def test_retry_after_wins(self) -> None:
        limited = failure(429, "rate_limit_error", "rate_limited", Retry_After="7")
        with Server(limited, ok({})) as server:
            fd, waits = client(server)
            fd.whoami()
            self.assertEqual(waits.seconds, [7.0])

    def test_a_long_retry_after_is_the_callers_matter(self) -> None:
        limited = failure(429, "rate_limit_error", "rate_limited", Retry_After="61")
        with Server(limited) as server:
            fd, waits = client(server)
            with self.assertRaises(RateLimitError) as caught:
                fd.whoami()
            self.assertEqual(caught.exception.retry_after, 61)
            self.assertEqual(waits.seconds, [])

    def test_nobody_listens(self) -> None:
        with Server() as server:
            fd, waits = client(server)
        with self.assertRaises(APIConnectionError) as caught:
            fd.whoami()
        self.assertIn("/v1/whoami", str(caught.exception))
        self.assertEqual(len(waits.seconds), 2)

    def test_a_reset_is_tried_again(self) -> None:
        for name in ("GET", "PUT", "PATCH", "POST", "DELETE"):
            with self.subTest(name=name), Server(Reply(reset=True), ok({"a": 1})) as server:
                fd, _ = client(server)
                self.assertEqual(fd.request(name, "/x"), {"a": 1})
                self.assertEqual([asked.method for asked in server.asked], [name, name])


class Timeouts(unittest.TestCase):
    def setUp(self) -> None:
        self.end = threading.Event()

    def test_no_answer_in_time(self) -> None:
        with Server(answer=lambda _: Reply(hold=self.end)) as server:
            fd, waits = client(server)
            with self.assertRaises(APITimeoutError) as caught:
                fd.whoami(timeout=0.05)
            self.end.set()
            self.assertIn("0.05 s", str(caught.exception))
            self.assertEqual(len(waits.seconds), 2)

    def test_the_timeout_is_for_the_whole_answer(self) -> None:
        drip = Reply(body=b'"' + b"a" * 500 + b'"', drip=self.end)
        with Server(answer=lambda _: drip) as server:
            fd, _ = client(server)
            with self.assertRaises(APITimeoutError):
                fd.whoami(timeout=0.2, max_retries=0)
            self.end.set()

    def test_an_answer_after_a_timeout(self) -> None:
        replies = [Reply(hold=self.end), ok({"a": 1})]
        with Server(*replies) as server:
            fd, _ = client(server, timeout=0.2)
            answer = fd.whoami()
            self.end.set()
            self.assertEqual(dict(answer), {"a": 1})
            # The answer that came too late is not taken for that of another request.
            self.assertNotEqual(server.asked[0].peer, server.asked[1].peer)

    def test_what_makes_no_sense(self) -> None:
        with Server() as server:
            fd, _ = client(server)
            for timeout in (0, -1, float("nan"), float("inf")):
                with self.assertRaises(ValueError):
                    fd.whoami(timeout=timeout)
            with self.assertRaises(ValueError):
                fd.whoami(max_retries=-1)


class Deletes(unittest.TestCase):
    GONE = failure(404, "invalid_request_error", "not_found")

    def test_gone_after_a_lost_answer_is_done(self) -> None:
        for lost in (Reply(reset=True), Reply(502), Reply(504)):
            with self.subTest(lost=lost), Server(lost, self.GONE) as server:
                fd, _ = client(server)
                self.assertEqual(fd.connections.delete("c 1"), {"deleted": True, "id": "c 1"})

    def test_gone_at_once_is_an_error(self) -> None:
        with Server(self.GONE) as server:
            fd, _ = client(server)
            with self.assertRaises(NotFoundError):
                fd.connections.delete("c1")

    def test_gone_after_a_refusal_is_an_error(self) -> None:
        limited = failure(429, "rate_limit_error", "rate_limited", Retry_After="1")
        with Server(limited, self.GONE) as server:
            fd, _ = client(server)
            with self.assertRaises(NotFoundError):
                fd.connections.delete("c1")

    def test_no_such_route_is_an_error(self) -> None:
        with Server(Reply(reset=True), failure(404, "invalid_request_error", "route_not_found")) as server:
            fd, _ = client(server)
            with self.assertRaises(NotFoundError):
                fd.connections.delete("c1")

    def test_only_a_delete(self) -> None:
        with Server(Reply(reset=True), self.GONE) as server:
            fd, _ = client(server)
            with self.assertRaises(NotFoundError):
                fd.connections.get("c1")


class Waiting(unittest.TestCase):
    def test_growing_with_some_randomness(self) -> None:
        for attempt, middle in ((0, 0.5), (1, 1.0), (2, 2.0), (3, 4.0)):
            waits = {wait_before(attempt, None) or 0.0 for _ in range(200)}
            self.assertTrue(all(middle * 0.75 <= wait <= middle * 1.25 for wait in waits), waits)
            self.assertGreater(len(waits), 100)

    def test_never_longer_than_eight_seconds(self) -> None:
        for attempt in (4, 5, 100, 10_000):
            self.assertTrue(all((wait_before(attempt, None) or 0.0) <= 8.0 for _ in range(50)))

    def test_what_the_server_asks_for(self) -> None:
        self.assertEqual(wait_before(0, 0.0), 0.0)
        self.assertEqual(wait_before(0, 60.0), 60.0)
        self.assertIsNone(wait_before(0, 60.1))

    def test_retry_after_in_all_spellings(self) -> None:
        self.assertEqual(retry_after({"retry-after": "0"}), 0.0)
        self.assertEqual(retry_after({"retry-after": " 12 "}), 12.0)
        soon = email.utils.formatdate(time.time() + 3600, usegmt=True)
        self.assertAlmostEqual(retry_after({"retry-after": soon}) or 0.0, 3600.0, delta=60)
        past = email.utils.formatdate(time.time() - 3600, usegmt=True)
        self.assertEqual(retry_after({"retry-after": past}), 0.0)
        for nonsense in ("", "soon", "-1", "1.5", "٣"):
            self.assertIsNone(retry_after({"retry-after": nonsense}), nonsense)
        self.assertIsNone(retry_after({}))
