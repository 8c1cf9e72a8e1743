"""A websocket of the server without a network: what it reads is given to it, what it writes is looked at."""

import asyncio
from typing import Any

from websockets.client import ClientProtocol
from websockets.extensions.permessage_deflate import (
    ClientPerMessageDeflateFactory,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Close, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from diadem_server.limits.rate_limits import Bucket
from diadem_server.net.http import HttpAnswer
from diadem_server.net.outbox import Flusher, Outbox
from diadem_server.net.websocket import Options, WebSocket
from diadem_shared.protocol import SUBPROTOCOL

PLENTY = 1e9
PEER = ("192.0.2.1", 1024)


class Wire(asyncio.Transport):
    """Keeps what is written, and takes it for sent."""

    def __init__(self, *, has_half_close: bool) -> None:
        super().__init__()
        self._has_half_close = has_half_close
        self.written = bytearray()
        self.writes = 0
        self.is_paused = False
        self.has_ended = False
        """Nothing is written any more."""
        self.is_closed = False
        self.is_aborted = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert not self.has_ended
        self.written += data
        self.writes += 1

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """There are none."""

    def pause_reading(self) -> None:
        self.is_paused = True

    def resume_reading(self) -> None:
        self.is_paused = False

    def can_write_eof(self) -> bool:
        return self._has_half_close

    def write_eof(self) -> None:
        assert not self.is_closing()
        self.has_ended = True

    def is_closing(self) -> bool:
        return self.is_closed or self.is_aborted

    def close(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_aborted = True


class Heard:
    """A conversation that keeps what it hears."""

    def __init__(self, websocket: WebSocket) -> None:
        self.outbox = Outbox(websocket, Flusher())
        self.messages: list[bytes | str] = []
        self.floods = 0
        self.is_lost = False

    def receive(self, message: bytes | str) -> None:
        self.messages.append(message)

    def flooded(self) -> None:
        self.floods += 1

    def last_words(self, code: int) -> bytes | None:
        return b"too long" if code == 1009 else None

    def lost(self) -> None:
        self.is_lost = True


class Wired:
    """One connection, and the client's side of it as websockets has it. It is the endpoint, too."""

    def __init__(
        self,
        *,
        most: float = PLENTY,
        compresses: bool = False,
        has_half_close: bool = True,
        answer: HttpAnswer | None = None,
    ) -> None:
        """`most` frames may come at once."""
        self._answer = answer
        self.heard: Heard | None = None
        self.is_lost = False
        self.wire = Wire(has_half_close=has_half_close)
        self.websocket = WebSocket(
            self,
            PEER,
            Bucket(0.0, most),
            Options(extensions=[ServerPerMessageDeflateFactory()] if compresses else []),
        )
        self.client = ClientProtocol(
            parse_uri("ws://diadem"),
            subprotocols=[Subprotocol(SUBPROTOCOL)],
            extensions=[ClientPerMessageDeflateFactory()] if compresses else None,
        )
        self._seen = 0
        self.websocket.connection_made(self.wire)

    # The endpoint

    def made(self, websocket: WebSocket) -> None:
        """It is the only one."""

    def answer(self, websocket: WebSocket, request: Request) -> HttpAnswer | None:
        return self._answer

    def opened(self, websocket: WebSocket, request: Request) -> Heard:
        self.heard = Heard(websocket)
        return self.heard

    def lost(self, websocket: WebSocket) -> None:
        self.is_lost = True

    # Both ends

    def request(self) -> bytes:
        self.client.send_request(self.client.connect())
        return b"".join(self.client.data_to_send())

    def give(self, data: bytes) -> None:
        """As a transport does: as much at a time as there is room for."""
        while data and not self.wire.is_closing():
            buffer = self.websocket.get_buffer(-1)
            size = min(len(buffer), len(data))
            buffer[:size] = data[:size]
            data = data[size:]
            self.websocket.buffer_updated(size)

    def open(self) -> "Wired":
        self.give(self.request())
        (response,) = self.events()
        assert isinstance(response, Response)
        assert response.status_code == 101
        return self

    def events(self) -> list[Event]:
        """What the client makes of all that was written since the last time."""
        new, self._seen = bytes(self.wire.written[self._seen :]), len(self.wire.written)
        self.client.receive_data(new)
        return self.client.events_received()

    def frames(self) -> list[tuple[Opcode, bytes]]:
        return [
            (event.opcode, bytes(event.data)) for event in self.events() if isinstance(event, Frame)
        ]

    @property
    def messages(self) -> list[bytes | str]:
        assert self.heard is not None
        return self.heard.messages

    def lose(self, error: Exception | None = None) -> None:
        self.websocket.connection_lost(error)


def from_client(data: bytes, opcode: Opcode = Opcode.BINARY, **given: Any) -> bytes:
    return Frame(opcode, data, **given).serialize(mask=True)


def closed_with(wired: Wired) -> int:
    """The code with which the server has closed."""
    *_, (opcode, data) = wired.frames()
    assert opcode is Opcode.CLOSE
    return Close.parse(data).code


async def turns() -> None:
    """Of the loop, in which timers that are due are called."""
    for _ in range(3):
        await asyncio.sleep(0)
