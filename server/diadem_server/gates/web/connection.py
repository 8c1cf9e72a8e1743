"""One websocket of the page: what it says first, then keys and sizes, and how it ends."""

import asyncio
from typing import TYPE_CHECKING

from diadem_server.gates.web.messages import (
    BadMessage,
    Close,
    read_hello,
    read_resized,
)
from diadem_server.gates.web.requests import Visitor
from diadem_server.net.websocket import WebSocket

if TYPE_CHECKING:
    from diadem_server.gates.web.listener import WebListener
    from diadem_server.gates.web.session import WebSession

STALLED_SECONDS = 45.0
"""Seconds after which a browser that reads nothing counts as gone."""


class WebConnection:
    def __init__(self, listener: "WebListener", websocket: WebSocket, visitor: Visitor) -> None:
        self._listener = listener
        self._websocket = websocket
        self.visitor = visitor
        self.session: WebSession | None = None
        """What it shows; None before it has said what it wants, and after it has lost it to another window."""
        self._is_over = False
        self._loop = asyncio.get_running_loop()
        self._hello_timeout = self._loop.call_later(
            listener.config.hello_seconds, self.close, Close.BAD_MESSAGE, "nothing was said"
        )
        self._stalled: asyncio.TimerHandle | None = None

    # What the page says

    def receive(self, message: bytes | str) -> None:
        if self._is_over:
            return
        try:
            if self.session is None:
                hello = read_hello(message)
                self._hello_timeout.cancel()
                self._listener.enter(self, hello)
            elif isinstance(message, bytes):
                self.session.feed(message)
            else:
                self.session.resize(read_resized(message))
        except BadMessage:
            self.close(Close.BAD_MESSAGE, "that is not understood")

    def flooded(self) -> None:
        self.close(Close.FLOODED, "you send too much")

    def last_words(self, code: int) -> bytes | None:
        return None

    def lost(self) -> None:
        self._end()

    # What it is sent

    @property
    def outbox(self) -> "WebConnection":
        """Nothing waits here: what the browser does not take stays in the terminal."""
        return self

    def take(self) -> list[bytes]:
        return []

    def pause(self) -> None:
        """The browser does not read as fast as it is sent to."""
        if self._stalled is None and not self._is_over:
            self._stalled = self._loop.call_later(STALLED_SECONDS, self._websocket.abort)
            if self.session is not None:
                self.session.pause()

    def resume(self) -> None:
        self._stop_stalling()
        if self.session is not None:
            self.session.resume()

    def _stop_stalling(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def show(self, session: "WebSession", welcome: str) -> None:
        """From now on what this session's terminal says is for this browser."""
        self.session = session
        self._websocket.write_text(welcome)

    def write(self, data: bytes) -> None:
        self._websocket.write([data])

    def hold(self) -> None:
        self._websocket.backpressure.hold()

    def release(self) -> None:
        self._websocket.backpressure.release()

    # The end

    def close(self, code: Close, reason: str = "") -> None:
        self._end()
        self._websocket.close(code, reason)

    def refuse(self, code: Close, reason: str) -> None:
        """Close as soon as it is open; nothing that it says is heard."""
        self._end()
        self._loop.call_soon(self._websocket.close, code, reason)

    def _end(self) -> None:
        self._is_over = True
        self._hello_timeout.cancel()
        self._stop_stalling()
        session, self.session = self.session, None
        if session is not None:
            session.detach(self)
