"""A websocket line that keeps one client from taking the time of all.

What is received is taken in sips, and no more frames and bytes of it than an honest client needs: one
piece of a flood may hold thousands of frames, and control frames never reach the limits on commands.
Whoever brings more than a sip waits at a turnstile with all who do, and who brings much at a slow one.
"""

import asyncio
from typing import ClassVar

from websockets.exceptions import PayloadTooBig
from websockets.frames import Frame, Opcode
from websockets.protocol import CONNECTING, Event

from diadem.protocol import MAX_FRAME, Bye, pack
from diadem.refusals import Code, Refusal
from diadem_server.config import Config
from diadem_server.net.admission import Admission, Peer
from diadem_server.net.connection import FAREWELL_SECONDS, WEARY
from diadem_server.net.rate_limits import Bucket
from diadem_server.net.shortcut import Shortcut
from diadem_server.net.turnstile import Turnstile

SIP = 64
"""Bytes: most commands are one. In a flood it is up to ten frames, which take 0.3 ms."""
FRAME = 256
"""Bytes that weigh as much as a frame does."""
SPARE = 40
"""Frames beyond those of commands: whoever hurries is heard long enough to be told so."""
END_OF_REQUEST = b"\r\n\r\n"
TOO_LONG = Frame(
    Opcode.BINARY, pack(Bye(Refusal(Code.FRAME_TOO_LONG, {"most": MAX_FRAME})))
).serialize(mask=False)
LITTLE = 1024
"""Bytes that an honest client may well bring at once, such as a handshake."""


class Line(Shortcut):
    admission: ClassVar[Admission]
    config: ClassVar[Config]
    crowd: ClassVar[Turnstile]
    few: ClassVar[Turnstile]
    _peer: Peer
    _is_heard = True
    _unheard = b""
    """Received, and kept for later."""
    _is_waiting = False

    @classmethod
    def with_limits(cls, admission: Admission, config: Config, crowd: Turnstile) -> "type[Line]":
        """The class of lines of one server."""
        its_own = {"admission": admission, "config": config, "crowd": crowd, "few": Turnstile(0)}
        return type("LimitedLine", (cls,), its_own)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        peer = transport.get_extra_info("peername")
        # uvloop does not know any more who has hung up already.
        if peer is not None and self.admission.begin(peer[:2]):
            self._peer = peer[:2]
            self._patience = Bucket(
                2 * self.config.commands_a_second, 2 * (self.config.burst + WEARY) + SPARE
            )
            super().connection_made(transport)
            self.recv_messages.pause = self.recv_messages.resume = self._go_on
        elif isinstance(transport, asyncio.Transport):
            transport.abort()

    def data_received(self, data: bytes) -> None:
        is_waited_for = bool(self._unheard)
        self._unheard += data
        if not is_waited_for:
            self.take_a_sip()

    @property
    def unheard(self) -> int:
        return len(self._unheard)

    def take_a_sip(self) -> None:
        self._is_waiting = False
        if not self._unheard:
            return  # the other side has hung up meanwhile
        size = self._next_sip()
        sip, self._unheard = self._unheard[:size], self._unheard[size:]
        super().data_received(sip)
        self._bear(len(sip) / FRAME)
        self._go_on()

    def _next_sip(self) -> int:
        if self.protocol.state is CONNECTING:
            end = self._unheard.find(END_OF_REQUEST, 0, LITTLE)
            if end >= 0:
                return end + len(END_OF_REQUEST)
        return SIP

    def _go_on(self) -> None:
        """Hear more, once what was heard has been taken up; and receive more, once all of it was heard."""
        if not self._is_heard:
            self._unheard = b""
        if self._unheard or not self._is_heard or self.recv_messages.paused:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()
        if self._unheard and not self.recv_messages.paused and not self._is_waiting:
            self._is_waiting = True
            (self.few if self.unheard < LITTLE else self.crowd).wait(self.take_a_sip)

    def send_data(self) -> None:
        """In one write: a sip may hold dozens of pings, and each would get its answer in its own."""
        pieces = self.protocol.data_to_send()
        is_over = pieces[-1:] == [b""]
        if is_over and isinstance(self.protocol.parser_exc, PayloadTooBig):
            pieces.insert(-2, TOO_LONG)  # before the close frame
        if said := b"".join(pieces):
            self.transport.write(said)
        if is_over and self.transport.can_write_eof():
            self.transport.write_eof()
        elif is_over:
            self.transport.close()

    def process_event(self, event: Event) -> None:
        super().process_event(event)
        self._bear(1)

    def _bear(self, weight: float) -> None:
        """Not for ever, and not at all once it cannot be understood any more."""
        is_borne = self._patience.take(weight) and self.protocol.parser_exc is None
        if self._is_heard and not is_borne:
            self._is_heard = False
            self.loop.call_later(FAREWELL_SECONDS, self.crowd.wait, self.transport.abort)

    def has_asked(self) -> None:
        """It has said what it wants, or is gone."""
        self.admission.end(self._peer)

    def eof_received(self) -> None:
        self._unheard = b""
        super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        if hasattr(self, "transport"):
            self._unheard = b""
            self.has_asked()
            super().connection_lost(exc)
            self._let_go()

    def _let_go(self) -> None:
        """Whatever holds the line itself would keep it until garbage is collected, of many at once."""
        self.recv_messages.pause = self.recv_messages.resume = _nothing
        _forget_how(self.protocol.parser_exc)
        _forget_how(self.protocol.handshake_exc)


def _nothing() -> None:
    """There is nothing to be received any more."""


def _forget_how(trouble: BaseException | None) -> None:
    while trouble is not None:
        trouble.__traceback__ = None
        trouble = trouble.__cause__ or trouble.__context__
