from __future__ import annotations

import json
import logging
import os
import pickle
import unittest
from datetime import date, datetime, timedelta, timezone
from typing import Any
from unittest import mock

from frontdesk import (
    APIConnectionError,
    APIError,
    AuthenticationError,
    ConflictError,
    Frontdesk,
    FrontdeskError,
    IdempotencyError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    __version__,
    response_of,
)

from .server import KEY, Reply, Server, client, failure, ok


class Construction(unittest.TestCase):
    def test_key_and_address_from_the_environment(self) -> None:
        with Server(ok({})) as server:
            with mock.patch.dict(os.environ, {"FRONTDESK_API_KEY": KEY + "\n", "FRONTDESK_BASE_URL": server.url}):
                Frontdesk().whoami()
            self.assertEqual(server.asked[0].headers["authorization"], "Bearer " + KEY)

    def test_what_is_given_wins_over_the_environment(self) -> None:
        with Server(ok({})) as server:
            with mock.patch.dict(os.environ, {"FRONTDESK_API_KEY": "other", "FRONTDESK_BASE_URL": "http://127.0.0.1:1"}):
                client(server)[0].whoami()
            self.assertEqual(server.asked[0].headers["authorization"], "Bearer " + KEY)

    def test_no_key(self) -> None:
        for key in ("", "  "):
            with mock.patch.dict(os.environ, {"FRONTDESK_API_KEY": key}):
                with self.assertRaisesRegex(FrontdeskError, "FRONTDESK_API_KEY"):
                    Frontdesk()
        with mock.patch.dict(os.environ), self.assertRaises(FrontdeskError):
            os.environ.pop("FRONTDESK_API_KEY", None)
            Frontdesk()

    def test_a_key_that_cannot_be_one_is_not_shown(self) -> None:
        for key in ("svc_live_a\r\nX-Evil: 1", "svc_live_a svc_live_b", "svc_live_ñ"):
            with self.assertRaises(FrontdeskError) as caught:
                Frontdesk(key)
            self.assertNotIn("svc_live_", str(caught.exception))

    def test_addresses(self) -> None:
        for given, path in {
            "": "/v1/whoami",
            "/": "/v1/whoami",
            "/v1": "/v1/whoami",
            "/v1/": "/v1/whoami",
            "/desk/": "/desk/v1/whoami",
        }.items():
            with self.subTest(given=given), Server(ok({})) as server:
                Frontdesk(KEY, base_url=server.url + given).whoami()
                self.assertEqual(server.asked[0].path, path)

    def test_addresses_that_are_none(self) -> None:
        for given in ("127.0.0.1:8080", "ftp://a", "http://", "http://a:port", "http://u:p@a", "http://a?b=c", "http://a#b"):
            with self.subTest(given=given), self.assertRaises(FrontdeskError):
                Frontdesk(KEY, base_url=given)

    def test_close_and_use_again(self) -> None:
        with Server(ok({}), ok({})) as server:
            with client(server)[0] as fd:
                fd.whoami()
            fd.whoami()
            self.assertNotEqual(server.asked[0].peer, server.asked[1].peer)


class Requests(unittest.TestCase):
    def test_headers(self) -> None:
        with Server(ok({})) as server:
            fd, _ = client(server, headers={"X-One": "1", "X-Two": "1"})
            fd.whoami(headers={"X-Two": "2"})
            headers = server.asked[0].headers
            self.assertEqual(headers["user-agent"], f"frontdesk-python/{__version__}")
            self.assertEqual((headers["x-one"], headers["x-two"]), ("1", "2"))

    def test_a_header_of_the_callers_own_stands_once(self) -> None:
        with Server(ok({})) as server:
            fd, _ = client(server, headers={"user-agent": "mine"})
            fd.whoami()
            self.assertEqual(server.asked[0].headers["user-agent"], "mine")
            self.assertEqual(server.asked[0].header_names.count("user-agent"), 1)

    def test_values_of_the_query(self) -> None:
        with Server(answer=lambda _: ok({"data": [], "has_more": False, "days": []})) as server:
            fd, _ = client(server)
            madrid = timezone(timedelta(hours=1))
            fd.calls.list(started_from=datetime(2026, 11, 1, 0, 30, tzinfo=madrid), caller="+34 600", search="café & té")
            fd.captures.list(scheduled_from=date(2026, 11, 1), scheduled_to=datetime(2026, 11, 2, 9, 0))
            self.assertEqual(
                server.asked[0].query,
                {"started_from": ["2026-10-31T23:30:00.000Z"], "caller": ["+34 600"], "search": ["café & té"]},
            )
            self.assertEqual(
                server.asked[1].query, {"scheduled_from": ["2026-11-01"], "scheduled_to": ["2026-11-02T09:00:00"]}
            )

    def test_dates_in_a_body(self) -> None:
        with Server(answer=lambda _: ok({"capture": {}})) as server:
            fd, _ = client(server)
            fd.request("POST", "/captures", json={"scheduled_at": datetime(2026, 11, 2, 9, 0), "on": date(2026, 11, 2)})
            self.assertEqual(json.loads(server.asked[0].body), {"scheduled_at": "2026-11-02T09:00:00", "on": "2026-11-02"})
            with self.assertRaisesRegex(TypeError, "set cannot be sent"):
                fd.request("POST", "/captures", json={"notes": {1}})

    def test_an_id_cannot_name_anything_else(self) -> None:
        with Server(ok({"call": {}})) as server:
            fd, _ = client(server)
            fd.calls.get("../agents?x=1#/ñ")
            self.assertEqual(server.asked[0].path, "/v1/calls/..%2Fagents%3Fx%3D1%23%2F%C3%B1")
            for empty in ("", ".", ".."):
                with self.assertRaises(ValueError):
                    fd.calls.get(empty)
            with self.assertRaises(TypeError):
                fd.calls.get(None)  # pyright: ignore[reportArgumentType]
            self.assertEqual(len(server.asked), 1)

    def test_an_argument_that_does_not_exist(self) -> None:
        with Server() as server:
            fd, _ = client(server)
            with self.assertRaisesRegex(TypeError, "outcom"):
                fd.calls.list(outcom="booking")  # pyright: ignore[reportCallIssue]

    def test_letters_of_all_languages(self) -> None:
        with Server(ok({"capture": {"customer_name": "Lucía"}})) as server:
            fd, _ = client(server)
            self.assertEqual(fd.captures.create({"agent": "a", "customer_name": "Lucía ☎"}).get("customer_name"), "Lucía")
            self.assertEqual(json.loads(server.asked[0].body), {"agent": "a", "customer_name": "Lucía ☎"})

    def test_any_request(self) -> None:
        with Server(ok({"new": True})) as server:
            fd, _ = client(server)
            self.assertEqual(fd.request("post", "/future", query={"x": 1}, json={"y": None}), {"new": True})
            asked = server.asked[0]
            self.assertEqual((asked.method, asked.path, asked.query), ("POST", "/v1/future", {"x": ["1"]}))
            self.assertEqual(asked.body, b'{"y":null}')
            self.assertIn("idempotency-key", asked.headers)
            with self.assertRaises(ValueError):
                fd.request("GET", "https://example.com/")


class Answers(unittest.TestCase):
    def test_the_response_is_at_hand(self) -> None:
        reply = ok({"agent": {"slug": "a"}}, ETag='"v1"', Idempotent_Replayed="true")
        with Server(answer=lambda _: reply) as server:
            fd, _ = client(server)
            agent = fd.agents.get("a")
            response = response_of(agent)
            self.assertEqual((response.status, response.request_id, response.etag), (200, "req_1", '"v1"'))
            self.assertTrue(response.replayed)
            self.assertEqual(response.headers["X-REQUEST-ID"], "req_1")
            self.assertEqual(json.dumps(agent), '{"slug": "a"}')
            self.assertEqual(response_of(pickle.loads(pickle.dumps(agent))).etag, '"v1"')
            with self.assertRaises(TypeError):
                response_of(dict(agent))

    def test_what_nobody_knows_stays(self) -> None:
        capture = {"id": "1", "status": "postponed", "kind": "séance", "future": {"a": [1]}}
        with Server(ok({"capture": capture})) as server:
            fd, _ = client(server)
            self.assertEqual(dict(fd.captures.get("1")), capture)

    def test_an_answer_that_is_not_the_apis(self) -> None:
        for body in (b"<html>", b"[]", b"{}", b'{"call": 1}', b"\xff", b""):
            with self.subTest(body=body), Server(Reply(200, body)) as server:
                fd, _ = client(server)
                with self.assertRaises(APIError) as caught:
                    fd.calls.get("1")
                self.assertEqual(type(caught.exception), APIError)
                self.assertIn("base_url", str(caught.exception))

    def test_a_list_that_is_none(self) -> None:
        with Server(ok({"object": "list"})) as server:
            with self.assertRaises(APIError):
                client(server)[0].calls.list()


class Pages(unittest.TestCase):
    def test_all_items_over_all_pages(self) -> None:
        pages: list[dict[str, Any]] = [
            {"data": [{"id": "1"}, {"id": "2"}], "has_more": True, "next_starting_after": "2"},
            {"data": [], "has_more": True, "next_starting_after": "5"},
            {"data": [{"id": "6"}], "has_more": False, "next_starting_after": None},
        ]
        with Server(*[ok(page) for page in pages]) as server:
            fd, _ = client(server)
            calls = fd.calls.list(limit=2, outcome="booking", headers={"X-One": "1"})
            self.assertEqual(len(server.asked), 1)
            self.assertEqual([call["id"] for call in calls], ["1", "2", "6"])
            self.assertEqual([asked.query.get("starting_after") for asked in server.asked], [None, ["2"], ["5"]])
            for asked in server.asked:
                self.assertEqual((asked.query["outcome"], asked.query["limit"]), (["booking"], ["2"]))
                self.assertEqual(asked.headers["x-one"], "1")

    def test_page_by_page(self) -> None:
        first = {"data": [{"id": "1"}], "has_more": True, "next_starting_after": "1", "limits": {"used": 2}}
        last = {"data": [{"id": "2"}], "has_more": False, "next_starting_after": None}
        with Server(ok(first), ok(last)) as server:
            fd, _ = client(server)
            page = fd.connections.list()
            self.assertEqual((page.has_more, page.next_starting_after), (True, "1"))
            self.assertEqual(page.envelope["limits"], {"used": 2})
            self.assertEqual(response_of(page).request_id, "req_1")
            second = page.next_page()
            assert second is not None
            self.assertEqual([one["id"] for one in second.data], ["2"])
            self.assertIsNone(second.next_page())

    def test_stopping_early_asks_for_no_more(self) -> None:
        with Server(ok({"data": [{"id": "1"}], "has_more": True, "next_starting_after": "1"})) as server:
            fd, _ = client(server)
            next(iter(fd.calls.list()))
            self.assertEqual(len(server.asked), 1)

    def test_lists_without_pages(self) -> None:
        with Server(ok({"agents": [{"slug": "a"}, {"slug": "b"}]})) as server:
            agents = client(server)[0].agents.list()
            self.assertEqual([agent["slug"] for agent in agents], ["a", "b"])
            self.assertFalse(agents.has_more)


class Errors(unittest.TestCase):
    def test_the_class_follows_the_type(self) -> None:
        for status, type_, kind in (
            (400, "invalid_request_error", InvalidRequestError),
            (404, "invalid_request_error", NotFoundError),
            (401, "authentication_error", AuthenticationError),
            (403, "permission_error", PermissionDeniedError),
            (409, "conflict_error", ConflictError),
            (409, "idempotency_error", IdempotencyError),
            (429, "rate_limit_error", RateLimitError),
            (500, "api_error", ServerError),
            (418, "teapot_error", APIError),
        ):
            with self.subTest(type=type_, status=status), Server(failure(status, type_, "some_code", "p")) as server:
                fd, _ = client(server)
                with self.assertRaises(APIError) as caught:
                    fd.request("GET", "/x", max_retries=0)
                error = caught.exception
                self.assertIs(type(error), kind)
                self.assertEqual(
                    (error.status, error.type, error.code, error.param, error.detail, error.request_id),
                    (status, type_, "some_code", "p", "Do this.", "req_1"),
                )
                self.assertEqual(error.message, f"{status} some_code (p): Do this. [req_1]")
                again = pickle.loads(pickle.dumps(error))
                self.assertEqual((type(again), str(again), again.status), (kind, str(error), status))

    def test_bodies_that_are_no_envelope(self) -> None:
        for body in (b"", b"<html>bad gateway</html>", b"[]", b'{"error": "no"}', b"null", b"\xff"):
            with self.subTest(body=body), Server(Reply(502, body)) as server:
                fd, _ = client(server)
                with self.assertRaises(APIError) as caught:
                    fd.request("GET", "/x", max_retries=0)
                self.assertIs(type(caught.exception), APIError)
                self.assertEqual((caught.exception.status, caught.exception.code), (502, None))

    def test_redirects_are_not_followed(self) -> None:
        with Server() as elsewhere:
            for status in (301, 302, 303, 307, 308):
                with self.subTest(status=status):
                    with Server(Reply(status, b"", {"Location": elsewhere.url + "/v1/whoami"})) as server:
                        with self.assertRaisesRegex(APIError, elsewhere.url):
                            client(server)[0].whoami()
            self.assertEqual(elsewhere.asked, [])

    def test_the_key_is_never_shown(self) -> None:
        shown: list[str] = []

        class Keep(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                shown.append(record.getMessage())

        log, keep = logging.getLogger("frontdesk"), Keep()
        log.addHandler(keep)
        self.addCleanup(log.removeHandler, keep)
        level = log.level
        log.setLevel(logging.DEBUG)
        self.addCleanup(log.setLevel, level)
        with Server(failure(503, "api_error", "x"), Reply(reset=True), Reply(401)) as server:
            fd, _ = client(server)
            with self.assertRaises(APIError) as caught:
                fd.calls.list(caller="+34600000012")
            shown += [repr(fd), repr(caught.exception), str(caught.exception), repr(caught.exception.response)]
        with self.assertRaises(APIConnectionError) as lost:
            fd.whoami()
        shown += [repr(lost.exception), repr(lost.exception.__cause__)]
        self.assertGreater(len(shown), 8)
        for line in shown:
            self.assertNotIn(KEY, line)
            self.assertNotIn("34600000012", line)
