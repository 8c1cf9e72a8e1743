"""A WebSocket to a server, spoken by websockets' sans-I/O layer.

What the package has above that layer takes more memory, for proxies and HTTP which no client of Diadem uses
(docs/decisions/0052). Compressed messages are read and never sent.
"""

import asyncio
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress

from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from diadem_client.net.address import Address
from diadem_client.net.stream import Stream, StreamEnded

READ = 1024
"""Bytes that are parsed at once: some five hundred empty frames at the most, which hold nobody up for long."""
BROKEN = frozenset(
    {
        CloseCode.PROTOCOL_ERROR,
        CloseCode.UNSUPPORTED_DATA,
        CloseCode.INVALID_DATA,
        CloseCode.MESSAGE_TOO_BIG,
    }
)
"""The close codes that a server is sent for frames that break the protocol or are too long."""


class Unreadable(Exception):
    """What came is no frame, or is longer than was agreed on. The server was told so."""


async def connect(address: Address, subprotocol: str, max_size: int) -> "WebSocket":
    """Open a connection and shake hands; InvalidHandshake says why there is none.

    No redirection is followed: a token is for one server only.
    """
    loop = asyncio.get_running_loop()
    if address.opened_by is not None:
        opened = await address.opened_by()
        _transport, stream = await loop.create_unix_connection(Stream, sock=opened)
    else:
        _transport, stream = await loop.create_connection(
            Stream, address.host, address.port, ssl=address.secure or None
        )
    protocol = ClientProtocol(
        parse_uri(address.url),
        extensions=[ClientPerMessageDeflateFactory()],
        subprotocols=[Subprotocol(subprotocol)],
        max_size=max_size,
    )
    try:
        await _shake_hands(stream, protocol)
    except BaseException:
        await stream.end()
        raise
    return WebSocket(stream, protocol)


async def _shake_hands(stream: Stream, protocol: ClientProtocol) -> None:
    protocol.send_request(protocol.connect())
    while protocol.state is State.CONNECTING and protocol.handshake_exc is None:
        stream.write(b"".join(protocol.data_to_send()))
        try:
            protocol.receive_data(await stream.read(READ))
        except StreamEnded:
            protocol.receive_eof()
    if protocol.handshake_exc is not None:
        raise protocol.handshake_exc


class ServerRestarts(StreamEnded):
    """The server, or another one in its place, goes on with this session over the next connection."""


class WebSocket:
    def __init__(self, stream: Stream, protocol: ClientProtocol) -> None:
        self._stream = stream
        self._protocol = protocol
        self._messages: deque[bytes | str] = deque()
        """Received, and not given away yet."""
        self._parts = bytearray()
        self._is_text = False
        """Of the message whose parts these are."""
        self._asked = 0.0, asyncio.get_running_loop().create_future()
        """When the last ping was sent, and what waits for its answer."""
        self._heed(protocol.events_received())

    @property
    def subprotocol(self) -> str | None:
        return self._protocol.subprotocol

    async def send(self, message: bytes) -> None:
        self._check_open()
        self._protocol.send_binary(message)
        self._flush()
        await self._stream.drain()

    def ping(self) -> asyncio.Future[float]:
        """Ask for an answer; the seconds that it takes, for whoever waits for it."""
        self._check_open()
        self._asked = time.monotonic(), asyncio.get_running_loop().create_future()
        self._protocol.send_ping(b"")
        self._flush()
        return self._asked[1]

    async def receive(self) -> bytes | str:
        """The next message; StreamEnded, or Unreadable once the server was told why."""
        while not self._messages:
            if self._protocol.state is not State.OPEN:
                self._protocol.receive_eof()  # after a close frame nothing is waited for
                raise _why(self._protocol.close_exc)
            try:
                self._protocol.receive_data(await self._stream.read(READ))
            except StreamEnded:
                self._protocol.receive_eof()
            self._heed(self._protocol.events_received())
            with suppress(StreamEnded):  # who hung up may have said why before
                self._flush()
                await self._stream.drain()
            await asyncio.sleep(0)  # many frames without a message hold nobody up
        return self._messages.popleft()

    async def end(self) -> None:
        await self._stream.end()

    def _check_open(self) -> None:
        if self._protocol.state is not State.OPEN:
            raise StreamEnded

    def _flush(self) -> None:
        if data := b"".join(self._protocol.data_to_send()):
            self._stream.write(data)

    def _heed(self, events: Iterable[object]) -> None:
        for frame in events:
            if not isinstance(frame, Frame):  # the answer to the handshake
                continue
            if frame.opcode is Opcode.PONG:
                since, answered = self._asked
                if not answered.done():
                    answered.set_result(time.monotonic() - since)
            elif frame.opcode in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
                self._add(frame)

    def _add(self, frame: Frame) -> None:
        if frame.opcode is not Opcode.CONT:
            self._is_text = frame.opcode is Opcode.TEXT
        self._parts += frame.data
        if not frame.fin:
            return
        message = bytes(self._parts)
        self._parts.clear()
        try:
            self._messages.append(message.decode() if self._is_text else message)
        except UnicodeDecodeError:
            self._protocol.fail(CloseCode.INVALID_DATA)


def _why(closed: ConnectionClosed) -> Exception:
    """Whether this side closed the connection because of what it received, or the other side to be asked again at once."""
    if closed.rcvd is not None and closed.rcvd.code == CloseCode.SERVICE_RESTART:
        return ServerRestarts()
    sent = closed.sent
    is_ours = sent is not None and sent.code in BROKEN and not closed.rcvd_then_sent
    return Unreadable(sent) if is_ours else StreamEnded()
