"""The relay between a stranger's connection and asyncssh: nothing is lost, and nothing is buffered without bound."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from diadem_server.gates.ssh import relay
from diadem_server.gates.ssh.byte_limits import LOGIN_BYTES, ByteLimiter
from diadem_server.gates.ssh.relay import Relay

MUCH = 30_000_000
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class FakeConnection:
    def __init__(self) -> None:
        self.paused = 0
        self.was_exceeded = asyncio.Event()
        self.is_full = False

    def pause_writing(self) -> None:
        self.paused += 1

    def resume_writing(self) -> None:
        self.paused -= 1

    def keeps_too_much(self) -> bool:
        return self.is_full

    def exceeded(self) -> None:
        self.was_exceeded.set()


@asynccontextmanager
async def relayed(
    line: FakeConnection, serve: Serve, *, logged_in: bool = True
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter, asyncio.Future[None]]]:
    """The player's end of a relayed connection; done when the relay is."""
    over: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        meter = ByteLimiter(20.0)
        if logged_in:
            meter.logged_in()
        await Relay(reader, writer, meter).run(with_streams, line)
        over.set_result(None)

    async def with_streams(end: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=end)
        with suppress(ConnectionError):
            await serve(reader, writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        yield reader, writer, over
        writer.transport.abort()
        await over


async def test_all_that_is_sent_arrives_either_way() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.read(-1))

    sent = bytes(range(256)) * 150
    async with relayed(FakeConnection(), echo) as (reader, writer, over):
        writer.write(sent)
        writer.write_eof()
        assert await reader.read(-1) == sent
        await over


async def test_who_takes_nothing_is_not_written_for_and_then_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relay, "STALLED_SECONDS", 0.2)
    line = FakeConnection()

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(bytes(100_000))
            await writer.drain()

    async with relayed(line, talk) as (_reader, _writer, over):
        await over
        assert line.paused


async def test_who_takes_slowly_is_sent_all() -> None:
    line = FakeConnection()

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _piece in range(MUCH // 100_000):
            writer.write(bytes(100_000))
            await writer.drain()

    async with relayed(line, talk) as (reader, _writer, _over):
        taken = 0
        while some := await reader.read(50_000):
            taken += len(some)
        assert taken == MUCH
        assert not line.paused


async def swallow(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    while await reader.read(1 << 16):
        pass


async def test_before_login_a_line_ends_with_what_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("diadem_server.gates.ssh.byte_limits.LOGIN_RATE", 10**9)
    line = FakeConnection()
    async with relayed(line, swallow, logged_in=False) as (_reader, writer, over):
        writer.write(bytes(LOGIN_BYTES))
        await writer.drain()
        assert not line.was_exceeded.is_set()
        writer.write(b"x")
        await line.was_exceeded.wait()
        await over


async def test_what_is_kept_is_looked_at_with_every_piece() -> None:
    line = FakeConnection()
    async with relayed(line, swallow) as (_reader, writer, over):
        line.is_full = True
        writer.write(b"x")
        await line.was_exceeded.wait()
        await over
