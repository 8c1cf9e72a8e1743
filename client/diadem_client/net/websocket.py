"""A WebSocket (RFC 6455) from the client's side: its handshake, its frames, and what a server may get wrong with them.

The package `websockets`, by which the server speaks, is ready for much that no client of Diadem needs, and takes 3 MB of
memory (docs/decisions/0052). Compressed messages are read (RFC 7692) and never sent.
"""

import asyncio
import re
import secrets
import time
import zlib
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from enum import IntEnum
from hashlib import sha1
from typing import NoReturn

from msgspec import Struct

from diadem_client.net.address import Address
from diadem_client.net.stream import Stream, StreamEnded

SWITCHING_PROTOCOLS, FORBIDDEN = 101, 403
MAX_HEAD = 16 * 1024
"""Bytes of an answer to the handshake, without its body."""
MAX_BODY = 1024
"""Bytes of the body that are read, where it says why."""
KEY_SALT = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""From RFC 6455, 1.3."""
DEFLATE = "permessage-deflate"
DEFLATE_OPTIONS = frozenset(
    {"server_no_context_takeover", "client_no_context_takeover", "server_max_window_bits"}
)
"""What a server may ask for that was offered no options; none changes how it is read here."""
TAIL = b"\x00\x00\xff\xff"
"""Left out at the end of a compressed message."""
STATUS_LINE = re.compile(r"HTTP/1\.[01] (\d{3})( .*)?")
HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*")

FIN, DEFLATED, RESERVED, OPCODE = 0x80, 0x40, 0x30, 0x0F
MASKED, LENGTH = 0x80, 0x7F
SHORT, LENGTH_16, LENGTH_64 = 125, 126, 127
"""The longest payload whose length fits into the second byte, and what stands there for a longer one."""


class Opcode(IntEnum):
    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


class CloseCode(IntEnum):
    PROTOCOL_ERROR = 1002
    INVALID_DATA = 1007
    TOO_BIG = 1009


class NotAccepted(Exception):
    """The server speaks HTTP, and not this protocol with us."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.headers = headers
        """Their names are in lower case."""
        self.body = body


class NotWebSocket(Exception):
    """Whoever answers does not speak this protocol."""


class Unreadable(Exception):
    """What came is no frame, or is longer than was agreed on."""

    def __init__(self, code: CloseCode) -> None:
        super().__init__(code)
        self.code = code


class _Answer(Struct, frozen=True):
    status: int
    headers: dict[str, str]

    def words(self, name: str) -> list[str]:
        return [word.strip().casefold() for word in self.headers.get(name, "").split(",")]


async def connect(address: Address, subprotocol: str, max_size: int) -> "WebSocket":
    """Open a connection and shake hands. No redirection is followed: a token is for one server only."""
    loop = asyncio.get_running_loop()
    if address.socket:
        _transport, stream = await loop.create_unix_connection(Stream, address.socket)
    else:
        _transport, stream = await loop.create_connection(
            Stream, address.host, address.port, ssl=address.secure or None
        )
    try:
        return await _shake_hands(stream, address, subprotocol, max_size)
    except BaseException:
        await stream.end()
        raise


async def _shake_hands(
    stream: Stream, address: Address, subprotocol: str, max_size: int
) -> "WebSocket":
    key = b64encode(secrets.token_bytes(16))
    lines = [
        "GET / HTTP/1.1",
        f"Host: {address.url.partition('//')[2]}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key.decode()}",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: {subprotocol}",
        f"Sec-WebSocket-Extensions: {DEFLATE}",
    ]
    if address.player_from:
        lines.append(f"X-Forwarded-For: {address.player_from}")
    stream.write("\r\n".join([*lines, "", ""]).encode("ascii"))
    answer = _read_answer(await stream.read_until(b"\r\n\r\n", MAX_HEAD))
    if answer.status != SWITCHING_PROTOCOLS:
        raise NotAccepted(answer.status, answer.headers, await _body(stream, answer))
    accepted = b64encode(sha1(key + KEY_SALT, usedforsecurity=False).digest()).decode()
    if (
        answer.headers.get("sec-websocket-accept") != accepted
        or "websocket" not in answer.words("upgrade")
        or "upgrade" not in answer.words("connection")
    ):
        raise NotWebSocket
    return WebSocket(
        stream,
        answer.headers.get("sec-websocket-protocol", ""),
        max_size,
        deflates=_deflates(answer.headers.get("sec-websocket-extensions", "")),
    )


def _read_answer(head: bytes) -> _Answer:
    first, *rest = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    status = STATUS_LINE.fullmatch(first)
    found = [HEADER.fullmatch(line) for line in rest]
    if status is None or None in found:
        raise NotWebSocket
    headers: dict[str, str] = {}
    for name, value in (each.groups() for each in found if each):
        before = headers.get(name.casefold())
        headers[name.casefold()] = value if before is None else f"{before}, {value}"
    return _Answer(int(status[1]), headers)


async def _body(stream: Stream, answer: _Answer) -> bytes:
    """Its beginning, where that may be meant for a person."""
    length = answer.headers.get("content-length", "")
    if answer.status != FORBIDDEN or not re.fullmatch("[0-9]{1,9}", length):
        return b""
    try:
        return await stream.read(min(int(length), MAX_BODY))
    except StreamEnded:
        return b""


def _deflates(extensions: str) -> bool:
    if not extensions:
        return False
    name, *options = (part.strip() for part in extensions.split(";"))
    if name != DEFLATE or not DEFLATE_OPTIONS.issuperset(o.partition("=")[0] for o in options):
        raise NotWebSocket
    return True


class WebSocket:
    def __init__(self, stream: Stream, subprotocol: str, max_size: int, *, deflates: bool) -> None:
        """`max_size`: bytes of a message."""
        self._stream = stream
        self.subprotocol = subprotocol
        self._max_size = max_size
        self._inflater = zlib.decompressobj(wbits=-zlib.MAX_WBITS) if deflates else None
        self._asked = 0.0, asyncio.get_running_loop().create_future()
        """When the last ping was sent, and what waits for its answer."""

    async def send(self, message: bytes) -> None:
        self._write(Opcode.BINARY, message)
        await self._stream.drain()

    def ping(self) -> asyncio.Future[float]:
        """Ask for an answer; the seconds that it takes, for whoever waits for it."""
        self._asked = time.monotonic(), asyncio.get_running_loop().create_future()
        self._write(Opcode.PING, b"")
        return self._asked[1]

    async def end(self) -> None:
        await self._stream.end()

    def _write(self, opcode: Opcode, payload: bytes) -> None:
        size = len(payload)
        if size <= SHORT:
            head = bytes((FIN | opcode, MASKED | size))
        elif size < 1 << 16:
            head = bytes((FIN | opcode, MASKED | LENGTH_16)) + size.to_bytes(2)
        else:
            head = bytes((FIN | opcode, MASKED | LENGTH_64)) + size.to_bytes(8)
        mask = secrets.token_bytes(4)
        self._stream.write(head + mask + masked(payload, mask))

    async def receive(self) -> bytes | str:
        """The next message; StreamEnded, or Unreadable once the server was told why."""
        try:
            return await self._receive()
        except Unreadable as broken:
            with suppress(StreamEnded):
                self._write(Opcode.CLOSE, broken.code.to_bytes(2))
            raise

    async def _receive(self) -> bytes | str:
        message, kind, deflated = bytearray(), None, False
        while True:
            first, second = await self._stream.read(2)
            final, opcode = bool(first & FIN), first & OPCODE
            if first & RESERVED or second & MASKED:
                _break_off()
            if opcode >= Opcode.CLOSE:
                await self._heed(opcode, first, second)
                continue
            if (opcode == Opcode.CONTINUATION) is (kind is None):
                _break_off()
            if kind is None:
                kind, deflated = opcode, bool(first & DEFLATED)
                if kind not in {Opcode.TEXT, Opcode.BINARY} or (deflated and not self._inflater):
                    _break_off()
            elif first & DEFLATED:
                _break_off()
            size = await self._length(second)
            if size > self._max_size - len(message):
                _break_off(CloseCode.TOO_BIG)
            message += await self._stream.read(size)
            if final:
                return self._opened(bytes(message), kind, deflated=deflated)
            await asyncio.sleep(0)  # many fragments hold nobody up

    async def _length(self, second: int) -> int:
        size = second & LENGTH
        if size == LENGTH_16:
            return int.from_bytes(await self._stream.read(2))
        return int.from_bytes(await self._stream.read(8)) if size == LENGTH_64 else size

    def _opened(self, message: bytes, kind: int, *, deflated: bool) -> bytes | str:
        if deflated and self._inflater is not None:
            try:
                message = self._inflater.decompress(message + TAIL, self._max_size + 1)
            except zlib.error:
                _break_off(CloseCode.INVALID_DATA)
            if len(message) > self._max_size:
                _break_off(CloseCode.TOO_BIG)
        if kind == Opcode.BINARY:
            return message
        try:
            return message.decode()
        except UnicodeDecodeError:
            _break_off(CloseCode.INVALID_DATA)

    async def _heed(self, opcode: int, first: int, second: int) -> None:
        """A control frame, which may stand between the fragments of a message."""
        size = second & LENGTH
        if not first & FIN or first & DEFLATED or size > SHORT:
            _break_off()
        payload = await self._stream.read(size)
        match opcode:
            case Opcode.CLOSE:
                self._write(Opcode.CLOSE, payload[:2])
                raise StreamEnded
            case Opcode.PING:
                self._write(Opcode.PONG, payload)
                await self._stream.drain()
            case Opcode.PONG:
                since, answered = self._asked
                if not answered.done():
                    answered.set_result(time.monotonic() - since)
            case _:
                _break_off()
        await asyncio.sleep(0)  # nor do many of these


def _break_off(code: CloseCode = CloseCode.PROTOCOL_ERROR) -> NoReturn:
    raise Unreadable(code)


def masked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    spread = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(spread)).to_bytes(size)
