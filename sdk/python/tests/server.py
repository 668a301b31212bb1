"""A real HTTP server on loopback that answers as a test tells it, and remembers what it was asked."""

from __future__ import annotations

import json
import socket
import ssl
import struct
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from frontdesk import Frontdesk

KEY = "svc_test_0123456789abcdefghijABCDEFGHIJ01234567"


@dataclass
class Asked:
    """A request that came."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes
    peer: tuple[str, int]
    header_names: list[str]


@dataclass
class Reply:
    """What to answer."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=lambda: {})
    reset: bool = False  # break the connection instead
    hold: threading.Event | None = None  # answer when this is set
    drip: threading.Event | None = None  # send the body byte by byte until this is set


def ok(value: Any, **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(200, json.dumps(value).encode(), named)


def failure(status: int, type: str, code: str, param: str | None = None, **headers: str) -> Reply:
    error = {"type": type, "code": code, "message": "Do this.", "param": param, "request_id": "req_1"}
    reply = ok({"error": error}, **headers)
    reply.status = status
    return reply


class Listener(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that go away: tests make them do so."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, ssl.SSLError)):
            super().handle_error(request, client_address)


class Server:
    """Answers with the given replies in their order, or as a function says."""

    def __init__(
        self,
        *replies: Reply,
        answer: Callable[[Asked], Reply] | None = None,
        certificate: tuple[Path, Path] | None = None,
    ) -> None:
        self.asked: list[Asked] = []
        self._replies = list(replies)
        self._answer = answer or self._next_reply
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                with outer._lock:
                    outer._open.append(self.connection)

            def _serve(self) -> None:
                split = urlsplit(self.path)
                asked = Asked(
                    self.command,
                    split.path,
                    parse_qs(split.query, keep_blank_values=True),
                    {name.lower(): value for name, value in self.headers.items()},
                    self._body(),
                    self.client_address,
                    [name.lower() for name in self.headers.keys()],
                )
                with outer._lock:
                    outer.asked.append(asked)
                    reply = outer._answer(asked)
                self._write(reply)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve

            def _body(self) -> bytes:
                if self.headers.get("transfer-encoding") != "chunked":
                    length = int(self.headers.get("content-length", "0"))
                    return self._whole(self.rfile.read(length), length)
                body = b""
                while size := int(self._whole(self.rfile.readline(), 1), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
                return body

            def _whole(self, content: bytes, least: int) -> bytes:
                if len(content) < least:
                    raise ConnectionError("the client went away")
                return content

            def _write(self, reply: Reply) -> None:
                if reply.hold is not None:
                    reply.hold.wait(30)
                if reply.reset:
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.connection.close()
                    self.close_connection = True
                    return
                self.send_response(reply.status)
                for name, value in {"X-Request-Id": "req_1", **reply.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                if reply.drip is not None:
                    for byte in reply.body:
                        self.wfile.write(bytes([byte]))
                        self.wfile.flush()
                        if reply.drip.wait(0.01):
                            break
                    self.close_connection = True
                    return
                self.wfile.write(reply.body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = Listener(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            # The handshake is made by the thread that serves the connection.
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
            self.url = self.url.replace("http:", "https:")

    def _next_reply(self, _: Asked) -> Reply:
        return self._replies.pop(0)

    def hang_up(self) -> None:
        """Close all connections, as a server does with those that it finds idle."""
        for connection in self._open:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # closed already

    def __enter__(self) -> Server:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self.hang_up()
        self._server.server_close()
        self._thread.join()


class Waits:
    """Takes the place of time.sleep in a client, so that a test need not wait."""

    def __init__(self, fd: Frontdesk) -> None:
        self.seconds: list[float] = []
        fd._transport.sleep = self.seconds.append  # pyright: ignore[reportPrivateUsage]


def client(server: Server, **settings: Any) -> tuple[Frontdesk, Waits]:
    fd = Frontdesk(KEY, base_url=server.url, **settings)
    return fd, Waits(fd)
