"""The client's WebSocket: whatever is said is heard, and frames that break the protocol are refused."""

import asyncio
import ssl
import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.exceptions import InvalidHandshake
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from diadem_client.net.address import Address
from diadem_client.net.stream import StreamEnded
from diadem_client.net.websocket import READ, Unreadable, WebSocket, connect
from tests.patience import PATIENCE
from tests.server.certificate import certificate, needs_openssl
from tests.thoroughness import times

SPOKEN = Subprotocol("spoken")
MOST = 10_000
MESSAGES = st.lists(
    st.binary(max_size=300) | st.text(max_size=300) | st.integers(65_530, 66_000), max_size=5
)


class Server:
    """What is sent here is written by the library, but for what is no frame at all."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self.protocol = ServerProtocol(
            subprotocols=[SPOKEN], extensions=[ServerPerMessageDeflateFactory()]
        )

    async def accept(self) -> None:
        (request,) = await self.receive()
        assert isinstance(request, Request)
        self.protocol.send_response(self.protocol.accept(request))
        self.flush()

    def flush(self) -> None:
        self.writer.write(b"".join(self.protocol.data_to_send()))

    def say(self, *raw: bytes) -> None:
        self.writer.writelines(raw)

    async def receive(self) -> Sequence[object]:
        while not (events := self.protocol.events_received()):
            data = await self._reader.read(1 << 16)
            assert data
            self.protocol.receive_data(data)
        return events


async def talking(talk: Callable[[Server, WebSocket], Awaitable[None]], most: int = MOST) -> None:
    served: asyncio.Future[Server] = asyncio.get_running_loop().create_future()

    async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = Server(reader, writer)
        await server.accept()
        served.set_result(server)

    async with asyncio.timeout(PATIENCE):
        listening = await asyncio.start_server(come, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        client = await connect(Address("127.0.0.1", port), SPOKEN, most)
        assert client.subprotocol == SPOKEN
        try:
            await talk(await served, client)
        finally:
            await client.end()
            (await served).writer.close()
            listening.close()


@settings(max_examples=times(15, 200), deadline=None)
@given(messages=MESSAGES, cuts=st.lists(st.integers(1, 200), max_size=4))
def test_what_is_said_is_heard_however_it_is_cut(
    messages: list[bytes | str | int], cuts: list[int]
) -> None:
    """Numbers stand for messages of that length."""
    said = [bytes(each) if isinstance(each, int) else each for each in messages]

    async def talk(server: Server, client: WebSocket) -> None:
        for message in said:
            _send_in_pieces(server.protocol, message, cuts)
        server.flush()
        for message in said:
            assert await client.receive() == message
        sent = [message for message in said if isinstance(message, bytes)]
        for message in sent:
            await client.send(message)
        heard: list[bytes] = []
        while len(heard) < len(sent):
            heard += [
                bytes(each.data)
                for each in await server.receive()
                if isinstance(each, Frame) and each.opcode is Opcode.BINARY
            ]
        assert heard == sent

    asyncio.run(talking(talk, 1 << 20))


def _send_in_pieces(protocol: ServerProtocol, message: bytes | str, cuts: Iterable[int]) -> None:
    data = message if isinstance(message, bytes) else message.encode()
    first, is_text = True, isinstance(message, str)
    for cut in cuts:
        piece, data = data[:cut], data[cut:]
        if first:
            (protocol.send_text if is_text else protocol.send_binary)(piece, fin=False)
        else:
            protocol.send_continuation(piece, fin=False)
        protocol.send_ping(b"between")
        first = False
    if first:
        (protocol.send_text if is_text else protocol.send_binary)(data)
    else:
        protocol.send_continuation(data, fin=True)


async def test_pings_are_answered_both_ways() -> None:
    async def talk(server: Server, client: WebSocket) -> None:
        pong = client.ping()
        (ping,) = await server.receive()
        assert isinstance(ping, Frame)
        assert ping.opcode is Opcode.PING
        server.protocol.send_ping(b"there?")
        server.protocol.send_binary(b"done")
        server.flush()
        assert await client.receive() == b"done"
        assert 0 <= await pong < 20
        (answer,) = await server.receive()
        assert isinstance(answer, Frame)
        assert (answer.opcode, answer.data) == (Opcode.PONG, b"there?")

    await talking(talk)


async def test_who_is_sent_away_answers_and_goes() -> None:
    async def talk(server: Server, client: WebSocket) -> None:
        server.protocol.send_close(1008, "not you")
        server.flush()
        with pytest.raises(StreamEnded):
            await client.receive()
        (answer,) = await server.receive()
        assert isinstance(answer, Frame)
        assert (answer.opcode, answer.data) == (Opcode.CLOSE, (1008).to_bytes(2) + b"not you")

    await talking(talk)


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(
        b"\x00\x00\xff\xff"
    )


def frame(first: int, data: bytes) -> bytes:
    return bytes((first, 126)) + len(data).to_bytes(2) + data


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (
            frame(0xC2, deflated(bytes(MOST + 1))),
            CloseCode.MESSAGE_TOO_BIG,
        ),  # a few bytes that become many
        (frame(0xC2, b"\xff" * 20), CloseCode.PROTOCOL_ERROR),
        (
            frame(0x02, bytes(MOST)) + b"\x80\x01x",
            CloseCode.MESSAGE_TOO_BIG,
        ),  # too long with its last part
        (b"\x82\x7f" + b"\xff" * 8, CloseCode.MESSAGE_TOO_BIG),
        (b"\x02\x00\x82\x00", CloseCode.PROTOCOL_ERROR),  # a message within another
        (b"\x83\x00", CloseCode.PROTOCOL_ERROR),
        (b"\x8b\x00", CloseCode.PROTOCOL_ERROR),
        (b"\x09\x00", CloseCode.PROTOCOL_ERROR),  # a ping in parts
        (b"\x82\x80abcd", CloseCode.PROTOCOL_ERROR),  # masked
        (b"\xa2\x00", CloseCode.PROTOCOL_ERROR),
        (b"\x81\x01\xff", CloseCode.INVALID_DATA),
    ],
)
async def test_what_is_no_frame_or_too_long_is_refused_with_a_reason(raw: bytes, code: int) -> None:
    async def talk(server: Server, client: WebSocket) -> None:
        server.say(raw)
        with pytest.raises(Unreadable):
            await client.receive()
        events = await server.receive()
        assert isinstance(events[-1], Frame)
        assert bytes(events[-1].data)[:2] == code.to_bytes(2)

    await talking(talk)


@pytest.mark.parametrize("flood", [b"\x8a\x00", b"\x89\x00", b"\x00\x00"])
async def test_a_flood_of_empty_frames_leaves_others_their_turn(flood: bytes) -> None:
    async def talk(server: Server, client: WebSocket) -> None:
        server.say(b"\x02\x00" if flood == b"\x00\x00" else b"", flood * 20_000, b"\x82\x00")
        received, turns = asyncio.create_task(client.receive()), 0
        while not received.done():
            await asyncio.sleep(0)
            turns += 1
        assert turns >= 40_000 // READ

    await talking(talk)


@pytest.mark.parametrize(
    "extensions", ["x-odd", "permessage-deflate; odd=1", "permessage-deflate, x-odd"]
)
async def test_an_extension_that_was_not_offered_is_refused(extensions: str) -> None:
    async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = ServerProtocol()
        server.receive_data(await reader.readuntil(b"\r\n\r\n"))
        (request,) = server.events_received()
        assert isinstance(request, Request)
        answer = server.accept(request)
        answer.headers["Sec-WebSocket-Extensions"] = extensions
        server.send_response(answer)
        writer.write(b"".join(server.data_to_send()))
        writer.close()

    async with (
        asyncio.timeout(PATIENCE),
        await asyncio.start_server(come, "127.0.0.1", 0) as listening,
    ):
        with pytest.raises(InvalidHandshake):
            await connect(Address(*listening.sockets[0].getsockname()), SPOKEN, MOST)


@needs_openssl
async def test_a_secure_connection_is_made_with_whom_one_can_trust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, key = certificate(tmp_path)
    own = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    own.load_cert_chain(made, key)

    async def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await Server(reader, writer).accept()
        await reader.read()
        writer.close()

    async with (
        asyncio.timeout(PATIENCE),
        await asyncio.start_server(come, "127.0.0.1", 0, ssl=own) as listening,
    ):
        host, port = listening.sockets[0].getsockname()
        address = Address(host, port, secure=True)
        with pytest.raises(ssl.SSLCertVerificationError):
            await connect(address, SPOKEN, MOST)
        monkeypatch.setenv("SSL_CERT_FILE", str(made))
        client = await connect(address, SPOKEN, MOST)
        assert client.subprotocol == SPOKEN
        await client.end()
