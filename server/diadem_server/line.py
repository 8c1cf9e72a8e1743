"""A websocket line that keeps one client from taking the time of all.

What is received is taken in sips, and of sips and frames no more than an honest client needs: one
piece of a flood may hold thousands of frames, and control frames never reach the limits on commands.
"""

import asyncio
from typing import ClassVar

from websockets.asyncio.server import ServerConnection
from websockets.protocol import Event

from diadem_server.config import Config
from diadem_server.connection import FAREWELL_SECONDS, WEARY
from diadem_server.door import Door, Peer
from diadem_server.limits import Bucket

SIP = 512
"""Bytes."""
SPARE = 40
"""Sips and frames beyond those of commands: whoever hurries is heard long enough to be told so."""


class Line(ServerConnection):
    door: ClassVar[Door]
    config: ClassVar[Config]
    _peer: Peer
    _is_heard = True
    _unheard = b""
    """Received, and kept for the next turns of the loop."""
    _has_more = False

    @classmethod
    def behind(cls, door: Door, config: Config) -> "type[Line]":
        """The class of lines that come by this door."""
        return type("LineBehindTheDoor", (cls,), {"door": door, "config": config})

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._peer = transport.get_extra_info("peername")[:2]
        if self.door.come(self._peer):
            # A command that comes by itself is a sip and a frame.
            self._patience = Bucket(
                2 * self.config.commands_a_second, 2 * (self.config.burst + WEARY) + SPARE
            )
            super().connection_made(transport)
        elif isinstance(transport, asyncio.Transport):
            transport.abort()

    def data_received(self, data: bytes) -> None:
        is_waited_for = bool(self._unheard)
        self._unheard += data
        if not is_waited_for:
            self._take_a_sip()

    def _take_a_sip(self) -> None:
        """One a turn of the loop: in between, the others are heard."""
        if not self._unheard:
            return  # the other side has hung up meanwhile
        sip, self._unheard = self._unheard[:SIP], self._unheard[SIP:]
        super().data_received(sip)
        if not self._patience.take():
            self._hear_no_more()
        if not self._is_heard:
            self._unheard = b""
            self.transport.pause_reading()
        elif self._unheard:
            self._has_more = True
            self.transport.pause_reading()
            self.loop.call_soon(self._take_a_sip)
        elif self._has_more:
            self._has_more = False
            self.transport.resume_reading()

    def process_event(self, event: Event) -> None:
        super().process_event(event)
        if not self._patience.take():
            self._hear_no_more()

    def _hear_no_more(self) -> None:
        if self._is_heard:
            self._is_heard = False
            self.loop.call_later(FAREWELL_SECONDS, self.transport.abort)

    def has_asked(self) -> None:
        """It has said what it wants, or is gone."""
        self.door.go(self._peer)

    def eof_received(self) -> None:
        self._unheard = b""
        super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        if hasattr(self, "transport"):
            self._unheard = b""
            self.has_asked()
            super().connection_lost(exc)
