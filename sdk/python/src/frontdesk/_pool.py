"""Connections to the server, kept open between requests.

Pool.exchange does one attempt: it takes a connection that nobody else has, sends
the request, reads the whole answer and puts the connection back. So any number
of threads can use one pool, each with a connection of its own. Nothing here
decides whether to try again.
"""

from __future__ import annotations

import functools
import http.client
import io
import os
import socket
import ssl
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import SplitResult

from ._body import Body
from ._response import Headers, Response
from .errors import APIConnectionError, APITimeoutError

MAX_IDLE = 32  # connections
MAX_IDLE_SECONDS = 50.0


class Request:
    """A request, ready to be sent as often as it takes."""

    def __init__(self, method: str, path: str, target: str, headers: Mapping[str, str], body: Body | None) -> None:
        self.method = method
        self.path = path  # without the query, which can hold a caller's number: for errors and logs
        self.target = target
        self.headers = headers
        self.body = body

    def __repr__(self) -> str:
        return f"Request({self.method} {self.path})"


class Pool:
    def __init__(self, base: SplitResult, context: ssl.SSLContext | None) -> None:
        self._secure = base.scheme == "https"
        self._host = base.hostname or ""
        self._port = base.port
        self._context = context
        self._lock = threading.Lock()
        self._idle: list[tuple[float, http.client.HTTPConnection]] = []
        self._process = os.getpid()

    def exchange(self, request: Request, timeout: float) -> Response:
        """Send the request once. The timeout is for all of it, the last byte included."""
        deadline = _Deadline(timeout)
        with _failures(request, deadline):
            connection = self._take(deadline)
        try:
            response = _exchange(connection, request, deadline)
        except BaseException:
            connection.close()
            raise
        # http.client closes the socket by itself when the server said so.
        if cast("Any", connection).sock is not None:
            self._put(connection)
        return response

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, connection in idle:
            connection.close()

    def __del__(self) -> None:
        self.close()

    def _take(self, deadline: _Deadline) -> http.client.HTTPConnection:
        while (kept := self._take_idle()) is not None:
            since, connection = kept
            if time.monotonic() - since < MAX_IDLE_SECONDS and _still_open(connection.sock):
                return connection
            connection.close()
        connection = self._new(deadline.left())
        connection.connect()
        return connection

    def _take_idle(self) -> tuple[float, http.client.HTTPConnection] | None:
        with self._lock:
            if self._process != os.getpid():
                # After a fork the sockets are the parent's too. Closing them here does not close them there.
                for _, connection in self._idle:
                    connection.close()
                self._process, self._idle = os.getpid(), []
            return self._idle.pop() if self._idle else None

    def _put(self, connection: http.client.HTTPConnection) -> None:
        now = time.monotonic()
        with self._lock:
            self._idle.append((now, connection))
            # The last one used is the first to be used again, so the oldest stand in front.
            keep = [kept for kept in self._idle if now - kept[0] < MAX_IDLE_SECONDS][-MAX_IDLE:]
            drop, self._idle = self._idle[: len(self._idle) - len(keep)], keep
        for _, old in drop:
            old.close()

    def _new(self, timeout: float) -> http.client.HTTPConnection:
        if not self._secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        with self._lock:
            if self._context is None:
                self._context = ssl.create_default_context()  # reads files: once is enough
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)


class _Deadline:
    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self._end = time.monotonic() + timeout

    def left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


class _TimedReader(io.RawIOBase):
    """Reads a socket, and gives up when the deadline of the whole exchange has come.

    A socket's own timeout begins anew with every read, so a server that sends a
    byte now and then could hold a caller for ever.
    """

    def __init__(self, sock: socket.socket, raw: io.RawIOBase, deadline: _Deadline) -> None:
        self._sock = sock
        self._raw = raw
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(self._deadline.left())
        return cast("int | None", cast("Any", self._raw).readinto(buffer))

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedResponse(http.client.HTTPResponse):
    def __init__(self, deadline: _Deadline, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        raw = cast("io.RawIOBase", cast("Any", self).fp.detach())
        self.fp = io.BufferedReader(_TimedReader(sock, raw, deadline))


def _exchange(connection: http.client.HTTPConnection, request: Request, deadline: _Deadline) -> Response:
    cast("Any", connection).response_class = functools.partial(_TimedResponse, deadline)
    unsent = _send(connection, request, deadline)
    with _failures(request, deadline):
        try:
            answer = connection.getresponse()
        except TimeoutError:
            raise
        except (OSError, http.client.HTTPException) as failure:
            raise unsent or failure from None
        body = answer.read()
    if unsent:
        connection.close()
    return Response(answer.status, Headers(answer.getheaders()), body)


def _send(connection: http.client.HTTPConnection, request: Request, deadline: _Deadline) -> OSError | None:
    """Send the request.

    A server may answer before it has read everything, a document that is too
    large for one, and then stop listening. So when sending fails, the failure is
    returned: there may be an answer to read all the same.
    """
    body = request.body
    with _failures(request, deadline):
        connection.sock.settimeout(deadline.left())
        connection.putrequest(request.method, request.target)
        for name, value in request.headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Type", body.content_type)
            if body.length is None:
                connection.putheader("Transfer-Encoding", "chunked")
            else:
                connection.putheader("Content-Length", str(body.length))
        elif request.method != "GET":
            connection.putheader("Content-Length", "0")
        connection.endheaders()
    # What goes wrong while the caller's file is read is not a failure of the connection.
    for block in _framed(body) if body is not None else ():
        with _failures(request, deadline):
            connection.sock.settimeout(deadline.left())
            try:
                connection.send(block)
            except ConnectionError as failure:
                return failure
    return None


def _framed(body: Body) -> Iterator[bytes]:
    if body.length is not None:
        yield from body.blocks()
        return
    for block in body.blocks():
        yield b"%x\r\n%b\r\n" % (len(block), block)
    yield b"0\r\n\r\n"


def _still_open(sock: socket.socket) -> bool:
    """Whether an idle connection can be used: the server has neither closed it nor sent anything."""
    try:
        sock.settimeout(0)
        socket.socket.recv(sock, 1, socket.MSG_PEEK)  # not SSLSocket's, which cannot peek
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


@contextmanager
def _failures(request: Request, deadline: _Deadline) -> Generator[None, None, None]:
    """Turn what sockets raise into this package's errors."""
    try:
        yield
    except TimeoutError as cause:
        raise APITimeoutError(
            f"{request.method} {request.path}: no answer within {deadline.timeout:g} s. "
            "Give a longer timeout if that is too short."
        ) from cause
    except (OSError, http.client.HTTPException) as cause:
        raise APIConnectionError(
            f"{request.method} {request.path}: no answer from the server ({_reason(cause)}). "
            "Is it running, and is base_url right?"
        ) from cause


def _reason(cause: Exception) -> str:
    return f"{type(cause).__name__}: {cause}" if str(cause) else type(cause).__name__
