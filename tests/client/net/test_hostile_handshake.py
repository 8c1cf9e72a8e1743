"""A hostile or foreign server ends in a sentence, within the handshake timeout."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from diadem_client.net import transport
from diadem_client.net.address import Address
from diadem_client.net.client import Client
from diadem_client.net.session import ClientSession
from diadem_client.net.transport import Closed
from diadem_client.state.client_state import ClientState
from diadem_client.wording.refusals import sentence_for
from diadem_shared.protocol import SUBPROTOCOL, Bye, pack
from diadem_shared.refusals import Code, Refusal
from tests.patience import PATIENCE

Talk: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]

UPGRADE = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"


def saying(*parts: bytes) -> Talk:
    """Send these bytes and close."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.writelines(parts)
        await writer.drain()
        writer.write_eof()
        await reader.read()

    return talk


def without_end(first: bytes, again: bytes, pause: float = 0.0) -> Talk:
    async def talk(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(first)
        while not writer.is_closing():
            writer.write(again)
            await writer.drain()
            await asyncio.sleep(pause)

    return talk


def refusing(why: Refusal) -> Talk:
    """Shake hands, then say why nobody comes in, and hang up: all of that in one segment."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = ServerProtocol(subprotocols=[Subprotocol(SUBPROTOCOL)])
        server.receive_data(await reader.readuntil(b"\r\n\r\n"))
        (request,) = server.events_received()
        assert isinstance(request, Request)
        server.send_response(server.accept(request))
        writer.write(b"".join(server.data_to_send()))
        await reader.read(1)  # the hello begins
        server.send_binary(pack(Bye(why)))
        server.send_close(CloseCode.POLICY_VIOLATION)
        writer.write(b"".join(server.data_to_send()))
        writer.write_eof()
        await reader.read()

    return talk


async def test_why_nobody_comes_in_is_told_although_the_line_ends_with_it() -> None:
    for _ in range(20):
        async with answering(refusing(Refusal(Code.NAME_IN_USE, {"name": "Ana"}))) as port:
            assert await code_at(port) == Code.NAME_IN_USE


@asynccontextmanager
async def answering(talk: Talk) -> AsyncIterator[int]:
    talks: set[asyncio.Task[None]] = set()

    async def once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        talks.add(task)
        with suppress(OSError, asyncio.IncompleteReadError):
            await talk(reader, writer)
        writer.transport.abort()

    async with await asyncio.start_server(once, "127.0.0.1", 0) as listening:
        yield listening.sockets[0].getsockname()[1]
        listening.close()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*talks)


async def code_at(port: int) -> str:
    pictures: list[ClientState] = []
    session = ClientSession(
        "Ana",
        version="test",
        first_id=1,
        token="a token",  # noqa: S106
        password="a password",  # noqa: S106
    )
    async with asyncio.timeout(PATIENCE):
        await Client(Address("127.0.0.1", port), session, pictures.append).run()
    link = pictures[-1].link
    assert isinstance(link, Closed)
    assert sentence_for(link.why).isprintable()
    return link.why.code


ANSWERS: dict[str, tuple[Talk, set[str]]] = {
    "nothing": (saying(), {"not_diadem"}),
    "noise": (saying(bytes(range(256)) * 64), {"not_diadem"}),
    "a line without end": (without_end(b"", b"x" * 4096), {"not_diadem", "no_answer"}),
    "headers without end": (
        without_end(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"),
        {"not_diadem", "no_answer"},
    ),
    "a header without end": (
        without_end(b"HTTP/1.1 200 OK\r\nA: ", b"b" * 4096),
        {"not_diadem", "no_answer"},
    ),
    "a body without end": (
        without_end(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", b"b" * 4096),
        {"not_diadem", "no_answer"},
    ),
    "a page": (saying(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), {"not_diadem"}),
    "an odd status": (saying(b"HTTP/1.1 999 \x1b[2J\r\n\r\n"), {"not_diadem"}),
    "an upgrade without a key": (saying(UPGRADE, b"\r\n"), {"not_diadem"}),
    "a wrong key": (saying(UPGRADE, b"Sec-WebSocket-Accept: x\r\n\r\n"), {"not_diadem"}),
    "a slow drip": (without_end(b"", b"H", pause=0.02), {"no_answer"}),
    "slow headers": (without_end(b"HTTP/1.1 200 OK\r\n", b"A: b\r\n", pause=0.02), {"no_answer"}),
    "no word for too long": (
        saying(b"HTTP/1.1 503 Busy\r\nRetry-After: 99999999999999\r\nContent-Length: 0\r\n\r\n"),
        {"server_full"},
    ),
    "a refusal in words of its own": (
        saying(b"HTTP/1.1 403 No\r\nContent-Length: 12\r\n\r\n\x1b[2J[b]\xff\x07no\n"),
        {"forbidden"},
    ),
    "a redirection to nowhere": (
        saying(b"HTTP/1.1 302 Found\r\nLocation: gopher://[::::\r\nContent-Length: 0\r\n\r\n"),
        {"not_diadem"},
    ),
}


@pytest.mark.parametrize("what", ANSWERS)
async def test_what_is_no_server_ends_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    talk, codes = ANSWERS[what]
    if "no_answer" in codes:  # what ends by itself has time, on a busy machine as well
        monkeypatch.setattr(transport, "CONNECT_TIMEOUT", 0.5)
    async with answering(talk) as port:
        assert await code_at(port) in codes


async def test_another_subprotocol_is_another_version() -> None:
    async def nothing(_line: ServerConnection) -> None:
        """The line is not used."""

    def another(_line: ServerConnection, _offered: object) -> Subprotocol:
        return Subprotocol("diadem.v9")

    async with serve(nothing, "127.0.0.1", 0, select_subprotocol=another) as listening:
        assert await code_at(next(iter(listening.sockets)).getsockname()[1]) == "version_differs"


async def test_a_redirection_to_elsewhere_is_not_followed() -> None:
    """A token is sent to no server but the one that gave it."""
    came: list[ServerConnection] = []

    async def elsewhere(line: ServerConnection) -> None:
        came.append(line)

    spoken = [Subprotocol(SUBPROTOCOL)]
    async with serve(elsewhere, "127.0.0.1", 0, subprotocols=spoken) as listening:
        other = next(iter(listening.sockets)).getsockname()[1]
        for status in (b"301 Moved", b"302 Found", b"307 Temporary", b"308 Permanent"):
            location = b"Location: ws://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n" % other
            async with answering(saying(b"HTTP/1.1 " + status + b"\r\n", location)) as port:
                assert await code_at(port) == "not_diadem"
    assert not came


@pytest.mark.parametrize(
    "frame",
    [
        b"\xff" * 64,  # reserved bits
        b"\x82\xff" + b"\xff" * 16,  # masked, and as long as can be written
        b"\x82\x7f\x00\x00\x00\x00\x7f\xff\xff\xff",  # 2 GiB
        b"\x81\x02\xff\xfe",  # text that is none
        b"\x80\x01x",  # the end of what was not begun
        b"\x89\x7e\x01\x00" + b"x" * 256,  # a ping too long
    ],
)
async def test_broken_websocket_frames_end_in_a_sentence(frame: bytes) -> None:
    async def babble(line: ServerConnection) -> None:
        await line.recv()
        line.transport.write(frame)
        await line.wait_closed()

    spoken = [Subprotocol(SUBPROTOCOL)]
    async with serve(babble, "127.0.0.1", 0, subprotocols=spoken) as listening:
        assert await code_at(next(iter(listening.sockets)).getsockname()[1]) == "not_understood"
