from __future__ import annotations

import json
import time
import unittest
from email.message import Message
from typing import Any

from frontdesk import SignatureError, webhooks

from .description import Description

OLD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
NEW = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
BODY = '{"type": "capture.created", "future": "ñ"}'
ID = "msg_p5jXN8AQM9LWM0D4loKWxJek"


def signed(*secrets: str, body: str = BODY, age: int = 0) -> dict[str, str]:
    timestamp = int(time.time()) - age
    signatures = " ".join(webhooks.sign(secret, ID, timestamp, body) for secret in secrets)
    return {"webhook-id": ID, "webhook-timestamp": str(timestamp), "webhook-signature": signatures}


class Verify(unittest.TestCase):
    def fails(self, check: str, body: Any, headers: Any, secret: Any = OLD) -> None:
        with self.assertRaises(SignatureError) as caught:
            webhooks.verify(body, headers, secret)
        self.assertEqual(caught.exception.check, check)
        for hidden in (OLD, NEW, OLD[6:], NEW[6:]):
            self.assertNotIn(hidden, str(caught.exception))

    def test_the_vector_of_the_standard(self) -> None:
        signature = webhooks.sign(OLD, ID, 1614265330, '{"test": 2432232314}')
        self.assertEqual(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")

    def test_the_vector_of_the_description(self) -> None:
        found: list[dict[str, str]] = []

        def walk(value: Any) -> None:
            if isinstance(value, dict):
                if set(value) == {"secret", "id", "timestamp", "body", "signature"} and isinstance(value["id"], str):  # pyright: ignore[reportUnknownArgumentType]
                    found.append(value)  # pyright: ignore[reportUnknownArgumentType]
                for inner in value.values():  # pyright: ignore[reportUnknownVariableType]
                    walk(inner)
            elif isinstance(value, list):
                for inner in value:  # pyright: ignore[reportUnknownVariableType]
                    walk(inner)

        walk(Description().document)
        self.assertTrue(found)
        for example in found:
            got = webhooks.sign(example["secret"], example["id"], int(example["timestamp"]), example["body"])
            self.assertEqual(got, example["signature"])

    def test_the_event_comes_back_as_it_was_sent(self) -> None:
        for body in (BODY, BODY.encode(), bytearray(BODY.encode())):
            self.assertEqual(webhooks.verify(body, signed(OLD), OLD), json.loads(BODY))

    def test_rotated_secrets(self) -> None:
        for sent, kept in (
            ((NEW, OLD), OLD),
            ((NEW, OLD), NEW),
            ((OLD,), [NEW, OLD]),
            ((NEW,), [NEW, OLD]),
            ((NEW, OLD), (OLD, NEW)),
        ):
            webhooks.verify(BODY, signed(*sent), kept)
        self.fails("signature", BODY, signed(NEW), OLD)
        self.fails("signature", BODY, signed(OLD), [NEW])

    def test_headers_in_all_forms(self) -> None:
        headers = signed(OLD)
        message = Message()
        for name, value in headers.items():
            message[name.title()] = value
        webhooks.verify(BODY, message, OLD)
        webhooks.verify(BODY, {name.upper(): value for name, value in headers.items()}, OLD)
        webhooks.verify(BODY, list(headers.items()), OLD)
        webhooks.verify(BODY, [(name.encode(), value.encode()) for name, value in headers.items()], OLD)

    def test_among_signatures_that_are_broken(self) -> None:
        headers = signed(OLD)
        headers["webhook-signature"] = "v1 v1, , v2,AAAA v1,%% " + headers["webhook-signature"]
        webhooks.verify(BODY, headers, OLD)

    def test_what_was_changed(self) -> None:
        self.fails("signature", BODY + " ", signed(OLD))
        self.fails("signature", BODY, {**signed(OLD), "webhook-id": "other"})
        moved = signed(OLD)
        moved["webhook-timestamp"] = str(int(moved["webhook-timestamp"]) + 1)
        self.fails("signature", BODY, moved)
        for signature in ("v1,", "v2," + signed(OLD)["webhook-signature"][3:], "x", "v1,AAAA", "v1,ñ"):
            self.fails("signature", BODY, {**signed(OLD), "webhook-signature": signature})

    def test_what_is_missing_or_malformed(self) -> None:
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            headers = signed(OLD)
            del headers[name]
            self.fails("headers", BODY, headers)
            self.fails("headers", BODY, {**headers, name: ""})
        for stamp in ("now", "1.0", "-5", "1_0", "٣", "9" * 30):
            self.fails("headers", BODY, {**signed(OLD), "webhook-timestamp": stamp})

    def test_the_tolerance(self) -> None:
        webhooks.verify(BODY, signed(OLD, age=290), OLD)
        webhooks.verify(BODY, signed(OLD, age=-290), OLD)
        self.fails("timestamp", BODY, signed(OLD, age=310))
        self.fails("timestamp", BODY, signed(OLD, age=-310))
        webhooks.verify(BODY, signed(OLD, age=3000), OLD, tolerance_seconds=3600)
        with self.assertRaises(SignatureError):
            webhooks.verify(BODY, signed(OLD, age=20), OLD, tolerance_seconds=10)

    def test_secrets_that_are_none(self) -> None:
        for secret in ("", "whsec_", OLD[6:], "whsec_!!", "whsec_ñ", [], [OLD, "x"]):
            self.fails("secret", BODY, signed(OLD), secret)

    def test_a_body_that_is_no_event(self) -> None:
        for body in ("[]", "not JSON", ""):
            self.fails("body", body, signed(OLD, body=body))
