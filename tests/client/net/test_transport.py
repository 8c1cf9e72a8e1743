"""The connection to a server: handshake, heartbeat, closing, and reconnecting with a backoff."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from diadem_client.net import transport
from diadem_client.net.address import Address
from diadem_client.net.session import Answered, ClientSession, SessionEvent
from diadem_client.net.transport import (
    NOT_CONNECTED,
    Closed,
    Connected,
    Connecting,
    Link,
    Reconnecting,
    Silent,
    Transport,
)
from diadem_client.refusals import ClientCode
from diadem_shared import protocol
from diadem_shared.protocol import SUBPROTOCOL, Bye, Refused, Said, Welcome, pack
from diadem_shared.refusals import Code, Refusal
from tests.patience import PATIENCE

LATE = 15.0
"""Seconds that a busy machine may take to look."""
SPOKEN = Subprotocol(SUBPROTOCOL)
WELCOME = pack(Welcome("Ana", "token", "Home", "0", None))
Talk = Callable[[ServerConnection], Awaitable[None]]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "BACKOFF_SECONDS", (0.01,))
    monkeypatch.setattr(transport, "HEARTBEAT_SECONDS", 0.05)


class Watched:
    """A transport, every state its link was in, and all that it told."""

    def __init__(self, port: int) -> None:
        self.links: list[Link] = []
        self.told: list[SessionEvent] = []
        self.session = ClientSession("Ana", version="test", first_id=1)
        self.changed = asyncio.Event()
        self.transport = Transport(
            Address("127.0.0.1", port), self.session, self.told.append, self._link_changed
        )

    def _link_changed(self, link: Link) -> None:
        self.links.append(link)
        self.changed.set()

    @property
    def kinds(self) -> list[type]:
        return [type(link) for link in self.links]

    async def until(self, kind: type) -> None:
        async with asyncio.timeout(PATIENCE):
            while kind not in self.kinds:
                self.changed.clear()
                await self.changed.wait()

    async def why(self) -> Refusal:
        """It has ended by itself."""
        async with asyncio.timeout(PATIENCE):
            await self.transport.run()
        assert isinstance(self.links[-1], Closed)
        return self.links[-1].why


@asynccontextmanager
async def server(*talks: Talk) -> AsyncIterator[int]:
    """Each connection is answered by the next of these, and those that come later by the last."""
    rest = list(talks)

    async def answer(line: ServerConnection) -> None:
        await line.recv()
        await (rest.pop(0) if len(rest) > 1 else rest[0])(line)

    async with serve(answer, "127.0.0.1", 0, subprotocols=[SPOKEN], close_timeout=0.1) as listening:
        yield next(iter(listening.sockets)).getsockname()[1]


@asynccontextmanager
async def running(port: int) -> AsyncIterator[Watched]:
    watched = Watched(port)
    task = asyncio.create_task(watched.transport.run())
    try:
        yield watched
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def welcomes(line: ServerConnection) -> None:
    await line.send(WELCOME)
    await line.wait_closed()


async def hangs_up(line: ServerConnection) -> None:
    await line.send(WELCOME)


async def restarts(line: ServerConnection) -> None:
    await line.send(WELCOME)
    await line.close(CloseCode.SERVICE_RESTART)


async def dismisses(line: ServerConnection) -> None:
    await line.send(pack(Bye(Refusal(Code.NAME_TAKEN))))
    await line.wait_closed()


async def puts_off(line: ServerConnection) -> None:
    await line.send(WELCOME)
    await line.send(pack(Bye(Refusal(Code.SERVER_CLOSING))))
    await line.wait_closed()


async def babbles(line: ServerConnection) -> None:
    await line.send(WELCOME)
    await line.send(b"\xc1")
    await line.wait_closed()


async def test_a_welcome_makes_a_connection() -> None:
    async with server(welcomes) as port, running(port) as ana:
        await ana.until(Connected)
        assert ana.kinds[:2] == [Connecting, Connected]


@pytest.mark.parametrize("talk", [hangs_up, puts_off])
async def test_one_that_breaks_is_opened_again(talk: Talk) -> None:
    async with server(talk, welcomes) as port, running(port) as ana:
        await ana.until(Reconnecting)
        ana.links.clear()
        await ana.until(Connected)


async def test_where_another_server_goes_on_it_is_opened_again_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """But not time and again."""
    monkeypatch.setattr(transport, "BACKOFF_SECONDS", (10.0**6,))
    async with server(restarts) as port, running(port) as ana:
        await ana.until(Reconnecting)
        assert ana.kinds == [Connecting, Connected, Connecting, Connected, Reconnecting]


async def test_where_nobody_listens_it_is_tried_once() -> None:
    async with server(welcomes) as port:
        pass
    why = await Watched(port).why()
    assert (why.code, why.about) == (
        ClientCode.CONNECTION_REFUSED,
        {"server": f"127.0.0.1:{port}"},
    )


async def test_who_is_not_wanted_does_not_come_back() -> None:
    async with server(dismisses) as port:
        assert await Watched(port).why() == Refusal(Code.NAME_TAKEN)


async def test_what_is_not_understood_ends_it_for_good() -> None:
    async with server(babbles) as port:
        assert (await Watched(port).why()).code == ClientCode.NOT_UNDERSTOOD


async def test_what_makes_no_sense_to_who_is_told_ends_it_too() -> None:
    async def says(line: ServerConnection) -> None:
        await line.send(WELCOME)
        await line.send(pack(Said("Bob", None, "hello")))
        await line.wait_closed()

    def bears_no_chat(told: SessionEvent) -> None:
        if isinstance(told, Said):
            raise KeyError(told.name)

    async with server(says) as port:
        watched = Watched(port)
        watched.transport = Transport(
            Address("127.0.0.1", port), watched.session, bears_no_chat, watched.links.append
        )
        assert (await watched.why()).code == ClientCode.NOT_UNDERSTOOD


async def test_a_server_that_gives_no_sign_of_life_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "HEARTBEAT_TIMEOUT", 0.05)

    async def freezes(line: ServerConnection) -> None:
        await line.send(WELCOME)
        line.transport.pause_reading()
        await line.wait_closed()

    async with server(freezes, welcomes) as port, running(port) as ana:
        await ana.until(Silent)
        await ana.until(Reconnecting)
        ana.links.clear()
        await ana.until(Connected)


async def test_a_server_that_asks_for_patience_gets_it() -> None:
    async def is_full(line: ServerConnection) -> None:
        await line.send(WELCOME)
        await line.send(pack(Bye(Refusal(Code.TOO_FAST, {"seconds": 1_000}))))
        await line.wait_closed()

    async with server(is_full) as port, running(port) as ana:
        await ana.until(Reconnecting)
        (link,) = (each for each in ana.links if isinstance(each, Reconnecting))
        wait = link.at - asyncio.get_running_loop().time()
        assert transport.MAX_BACKOFF_SECONDS - LATE < wait <= transport.MAX_BACKOFF_SECONDS


async def test_what_was_not_sent_before_it_broke_is_answered_so() -> None:
    may_end = asyncio.Event()

    async def ends(line: ServerConnection) -> None:
        await line.send(WELCOME)
        await may_end.wait()

    async with server(ends, welcomes) as port, running(port) as ana:
        await ana.until(Connected)
        asked = ana.session.ask(protocol.Say, "hello")  # nobody has said that it is there
        may_end.set()
        await ana.until(Reconnecting)
        assert Answered(asked, Refused(asked.id, NOT_CONNECTED)) in ana.told


async def test_commands_are_sent_when_there_is_something_to_send() -> None:
    heard: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def listens(line: ServerConnection) -> None:
        await line.send(WELCOME)
        heard.set_result(protocol.read_command(await line.recv()))
        await line.wait_closed()

    async with server(listens) as port, running(port) as ana:
        await ana.until(Connected)
        asked = ana.session.ask(protocol.Ping)
        ana.transport.flush()
        async with asyncio.timeout(PATIENCE):
            assert await heard == asked


@pytest.mark.parametrize("turns", range(12))
async def test_it_ends_when_it_is_cancelled_though_the_connection_breaks_then(turns: int) -> None:
    """In whichever turn of the loop that comes."""
    async with server(hangs_up) as port:
        watched = Watched(port)
        task = asyncio.create_task(watched.transport.run())
        await watched.until(Connected)
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=PATIENCE)
        task.cancel()
        assert done
