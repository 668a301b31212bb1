from __future__ import annotations

import io
import os
import tempfile
import threading
import unittest
from collections.abc import Iterator
from pathlib import Path

from frontdesk import APIConnectionError, Frontdesk, InvalidRequestError, ServerError

from .server import KEY, Reply, Server, client, failure, ok

STORED = ok({"document": {"id": "d1", "size_bytes": 3}, "deduped": False, "limits": {}})
UNAVAILABLE = failure(503, "api_error", "database_unavailable")
CONTENT = bytes(range(256)) * 1000  # some blocks


class Uploads(unittest.TestCase):
    def test_what_can_be_uploaded(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "prices ñ.md"
            path.write_bytes(CONTENT)
            with open(path, "rb") as file:
                for given, filename, length in (
                    (path, None, True),
                    (str(path), None, True),
                    (CONTENT, "prices ñ.md", True),
                    (io.BytesIO(CONTENT), "prices ñ.md", True),
                    (file, None, True),
                    (iter([CONTENT[:7], b"", CONTENT[7:]]), "prices ñ.md", False),
                ):
                    with self.subTest(given=type(given)), Server(STORED) as server:
                        fd, _ = client(server)
                        result = fd.knowledge.documents.upload(given, filename=filename)
                        self.assertEqual(result["document"]["id"], "d1")
                        asked = server.asked[0]
                        self.assertEqual(asked.body, CONTENT)
                        self.assertEqual(asked.query, {"filename": ["prices ñ.md"]})
                        self.assertEqual(asked.headers["content-type"], "text/markdown")
                        self.assertEqual("content-length" in asked.headers, length)

    def test_content_types(self) -> None:
        for name, kind in {
            "a.pdf": "application/pdf",
            "a.PDF": "application/pdf",
            "a.md": "text/markdown",
            "a.csv": "text/csv",
            "a.txt": "text/plain",
            "a.docx": "application/octet-stream",
        }.items():
            with self.subTest(name=name), Server(STORED) as server:
                client(server)[0].knowledge.documents.upload(b"x", filename=name)
                self.assertEqual(server.asked[0].headers["content-type"], kind)
        with Server(STORED) as server:
            client(server)[0].knowledge.documents.upload(b"x", filename="a.md", content_type="text/plain")
            self.assertEqual(server.asked[0].headers["content-type"], "text/plain")

    def test_what_cannot(self) -> None:
        with Server() as server:
            documents = client(server)[0].knowledge.documents
            with self.assertRaisesRegex(ValueError, "filename"):
                documents.upload(b"x")
            with self.assertRaisesRegex(TypeError, "binary"):
                documents.upload(io.StringIO("x"), filename="a.txt")  # pyright: ignore[reportArgumentType]
            with self.assertRaises(FileNotFoundError):
                documents.upload("/no/such/file.md")

    def test_a_file_is_sent_again_from_where_it_stood(self) -> None:
        file = io.BytesIO(b"skip" + CONTENT)
        file.seek(4)
        with Server(UNAVAILABLE, Reply(reset=True), STORED) as server:
            client(server)[0].knowledge.documents.upload(file, filename="a.txt")
            self.assertEqual([asked.body for asked in server.asked], [CONTENT] * 3)
            self.assertEqual(len({asked.headers["idempotency-key"] for asked in server.asked}), 1)

    def test_what_comes_once_is_sent_once(self) -> None:
        for lost, kind in ((UNAVAILABLE, ServerError), (Reply(reset=True), APIConnectionError)):
            with self.subTest(kind=kind), Server(lost) as server:
                with self.assertRaises(kind):
                    client(server)[0].knowledge.documents.upload(iter([b"a", b"b"]), filename="a.txt")
                self.assertEqual(len(server.asked), 1)

    def test_what_comes_once_waits_until_somebody_listens(self) -> None:
        with Server() as server:
            fd, waits = client(server)
        with self.assertRaises(APIConnectionError):
            fd.knowledge.documents.upload(iter([b"a"]), filename="a.txt")
        self.assertEqual(len(waits.seconds), 2)

    def test_a_pipe(self) -> None:
        readable, writable = os.pipe()

        def write() -> None:
            with open(writable, "wb") as end:
                end.write(CONTENT)

        writer = threading.Thread(target=write)
        writer.start()
        with open(readable, "rb") as pipe, Server(STORED) as server:
            client(server)[0].knowledge.documents.upload(pipe, filename="a.txt")
            self.assertEqual(server.asked[0].body, CONTENT)
        writer.join()

    def test_a_failure_of_the_callers_own_is_not_ours(self) -> None:
        class Broken(Exception):
            pass

        def blocks() -> Iterator[bytes]:
            yield b"a"
            raise Broken

        with Server() as server, self.assertRaises(Broken):
            client(server)[0].knowledge.documents.upload(blocks(), filename="a.txt")

    def test_a_file_that_becomes_shorter(self) -> None:
        class Shrinking(io.BytesIO):
            def read(self, size: int | None = -1, /) -> bytes:
                return b""

        with Server() as server, self.assertRaisesRegex(OSError, "shorter"):
            client(server)[0].knowledge.documents.upload(Shrinking(CONTENT), filename="a.txt")

    def test_it_is_sent_as_it_is_read(self) -> None:
        """A block goes out before the next one is asked for."""
        arrived = threading.Event()
        with RawServer(arrived) as server:

            def blocks() -> Iterator[bytes]:
                yield b"first"
                self.assertTrue(arrived.wait(10))
                yield b"second"

            fd = Frontdesk(KEY, base_url=server.url, max_retries=0)
            with self.assertRaises(InvalidRequestError):
                fd.knowledge.documents.upload(blocks(), filename="a.txt")

    def test_an_answer_before_everything_was_sent(self) -> None:
        """A server that has seen enough answers and stops listening; its answer is what counts."""
        with RawServer(threading.Event()) as server:
            answered = server.answered

            def blocks() -> Iterator[bytes]:
                yield b"first"
                self.assertTrue(answered.wait(10))
                for _ in range(1000):
                    yield b"x" * 65536

            fd = Frontdesk(KEY, base_url=server.url, max_retries=0)
            with self.assertRaises(InvalidRequestError) as caught:
                fd.knowledge.documents.upload(blocks(), filename="a.txt")
            self.assertEqual(caught.exception.code, "document_too_large")


class RawServer:
    """Reads until the first block, then answers 413, and reads no further."""

    def __init__(self, arrived: threading.Event) -> None:
        import socket

        self.arrived = arrived
        self.answered = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve)

    def _serve(self) -> None:
        connection, _ = self._socket.accept()
        with connection:
            seen = b""
            while b"first" not in seen:
                seen += connection.recv(65536)
            self.arrived.set()
            body = failure(413, "invalid_request_error", "document_too_large").body
            connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
            self.answered.set()

    def __enter__(self) -> RawServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()
        self._socket.close()
