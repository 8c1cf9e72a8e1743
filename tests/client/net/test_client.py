"""A client without its screens, on real sockets: connecting, playing, losing the connection, reconnecting."""

import asyncio
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from diadem_client.net import transport
from diadem_client.net.address import Address
from diadem_client.net.client import Client
from diadem_client.net.session import ClientSession
from diadem_client.net.transport import Closed, Connected, Reconnecting, Silent
from diadem_client.state.client_state import ClientState
from diadem_server.net.outbox import Outbox
from diadem_shared import protocol
from diadem_shared.bot_names import BOT_NAMES
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.protocol import SUBPROTOCOL, Accepted, Bye, Refused, Welcome, pack
from diadem_shared.refusals import Code, Refusal
from tests.client.net.clients import Running, running
from tests.rig.wire import lasting_port, server

SPOKEN = Subprotocol(SUBPROTOCOL)


class Relay:
    """Passes on what client and server send, except over connections that it was told to hold."""

    def __init__(self, to: int) -> None:
        self.port = 0
        self._to = to
        self._connections = 0
        self._held = 0

    def hold(self) -> None:
        """Hold the connections that there are; later ones are not held."""
        self._held = self._connections

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._connections += 1
        number = self._connections
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._to)
        with closing(writer), closing(to_server):
            await asyncio.gather(
                self._pass_on(number, reader, to_server),
                self._pass_on(number, from_server, writer),
            )

    async def _pass_on(self, number: int, source: StreamReader, sink: StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if number > self._held:
                    sink.write(data)
        sink.close()


@asynccontextmanager
async def relay(to: int) -> AsyncIterator[Relay]:
    it = Relay(to)
    async with await asyncio.start_server(it.serve, "127.0.0.1", 0) as listener:
        it.port = listener.sockets[0].getsockname()[1]
        yield it


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "BACKOFF_SECONDS", (0.02,))
    monkeypatch.setattr(transport, "HEARTBEAT_SECONDS", 0.2)


async def test_a_table_is_made_and_started_with_bots(tmp_path: Path) -> None:
    async with server(tmp_path) as app, running(app.port) as ana:
        await ana.until(lambda client_state: client_state.welcomed)
        assert isinstance(await ana.ask(protocol.Make, Setup("diamoniak")), Accepted)
        await ana.ask(protocol.AddBot, "zombie")
        await ana.ask(protocol.Start)
        client_state = await ana.until(
            lambda client_state: client_state.table and client_state.table.my_turn
        )
        assert client_state.table is not None
        ana_, bot = client_state.table.public.players
        assert (ana_.name, bot.bot) == ("Ana", "zombie")
        assert bot.name in BOT_NAMES
        refused = await ana.ask(protocol.Play, "stop")
        assert isinstance(refused, Refused)
        assert refused.why.code == "must_draw_first"


async def test_a_cut_line_comes_back_to_the_table(tmp_path: Path) -> None:
    async with server(tmp_path) as app, running(app.port) as ana:
        await ana.ask(protocol.Make, Setup("diamoniak"))
        await ana.until(lambda client_state: client_state.table)
        for session in app.lobby.sessions:
            assert isinstance(session.outbox, Outbox)
            session.outbox.stream.abort()
        said = ana.client.ask(protocol.Say, "still here")
        await ana.until(lambda client_state: isinstance(client_state.link, Reconnecting))
        assert ana.client_state.table is not None
        await ana.until(lambda client_state: client_state.table and client_state.table.chat)
        assert isinstance(await said, Accepted)
        assert isinstance(ana.client_state.link, Connected)


async def test_a_server_that_restarts_is_found_again(tmp_path: Path) -> None:
    port = lasting_port()
    async with server(tmp_path, port=port) as app, running(port) as ana:
        await ana.ask(protocol.Make, Setup("diamoniak"))
        await ana.ask(protocol.AddBot, "zombie")
        await ana.ask(protocol.Start)
        before = await ana.until(
            lambda client_state: client_state.table and client_state.table.view
        )
        await app.__aexit__()
        await ana.until(lambda client_state: isinstance(client_state.link, Reconnecting))
        async with server(tmp_path, port=port):
            await ana.until(lambda client_state: isinstance(client_state.link, Connected))
            assert before.table is not None
            assert ana.client_state.table is not None
            assert ana.client_state.table.code == before.table.code
            assert isinstance(await ana.ask(protocol.Say, "again"), Accepted)


async def test_a_new_client_with_the_token_takes_the_seat_back(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        async with running(app.port) as ana:
            await ana.ask(protocol.Make, Setup("diamoniak"))
            await ana.until(lambda client_state: client_state.table)
            token = ana.client.session.token
        async with running(app.port, token=token, first_id=1000) as again:
            client_state = await again.until(lambda client_state: client_state.table)
            assert client_state.table is not None
            assert client_state.table.seat == 0


async def test_the_log_is_asked_for_by_who_comes_late(tmp_path: Path) -> None:
    async with server(tmp_path) as app, running(app.port) as ana, running(app.port, "Bob") as bob:
        await ana.ask(protocol.Make, Setup("diamoniak"))
        await ana.ask(protocol.AddBot, "zombie")
        code = (await ana.until(lambda client_state: client_state.table)).table.code  # type: ignore[union-attr]
        await bob.ask(protocol.Join, code)
        client_state = await bob.until(
            lambda client_state: client_state.table and client_state.table.log_is_whole
        )
        assert client_state.table is not None
        assert client_state.table.log[0].text == "Ana sits down."


async def test_bots_hold_a_client_for_no_longer_than_it_wishes(tmp_path: Path) -> None:
    """Over each of its connections."""
    async with server(tmp_path, bot_pause=60.0) as app, running(app.port) as ana:
        await ana.ask(protocol.Make, Setup("diamoniak", rounds=20))
        await ana.ask(protocol.AddBot, "easy")
        await ana.ask(protocol.Start)
        ana.client.wish_pause(0.0)
        await _until_bots_moved(ana, 3)
        (session,) = app.lobby.sessions
        older = session.outbox
        assert isinstance(older, Outbox)
        older.stream.abort()
        await ana.until(
            lambda client_state: (
                isinstance(client_state.link, Connected) and session.outbox is not older
            )
        )
        await _until_bots_moved(ana, 3)


async def _until_bots_moved(ana: Running, times: int) -> None:
    """Ana draws once, stops, and gives up whatever she has to. It may be her turn already: the bot had moved before."""
    for _ in range(times + 1):
        client_state = await ana.until(
            lambda client_state: client_state.table and client_state.table.my_turn
        )
        while (table := client_state.table) and table.my_turn:
            assert table.view is not None
            move = table.game.bots["zombie"](Chance(b"ana")).choose(table.view)
            accepted = await ana.ask(protocol.Play, table.game.notate(move))
            client_state = await ana.until(
                lambda state: state.table and state.table.entry >= accepted.entry  # noqa: B023
            )


@pytest.mark.parametrize(("most", "told"), [(None, []), (400, [0]), (0, [])])
async def test_only_a_server_that_heeds_it_is_told_of_a_wish(
    most: int | None, told: list[int]
) -> None:
    heard, over = list[protocol.FromClient](), asyncio.Event()

    async def talk(line: ServerConnection) -> None:
        await line.recv()
        await line.send(pack(Welcome("Ana", "token", "Home", "0", None, bot_pause=most)))
        async for frame in line:
            heard.append(protocol.read_command(frame))
            if isinstance(heard[-1], protocol.Say):
                over.set()

    async with serve(talk, "127.0.0.1", 0, subprotocols=[SPOKEN]) as other:
        port = next(iter(other.sockets)).getsockname()[1]
        async with running(port) as ana:
            await ana.until(lambda client_state: client_state.welcomed)
            ana.client.wish_pause(0.0)
            ana.client.wish_pause(0.0)
            said = ana.client.ask(protocol.Say, "that is all")
            await over.wait()
            said.cancel()
    assert [each.most for each in heard if isinstance(each, protocol.SetPause)] == told


async def closed(port: int, name: str = "Ana", **given: Any) -> str:
    async with running(port, name, **given) as it:
        client_state = await it.until(lambda client_state: isinstance(client_state.link, Closed))
        assert isinstance(client_state.link, Closed)
        return client_state.link.why.code


async def test_what_keeps_one_out_is_named(tmp_path: Path) -> None:
    port = lasting_port()
    async with server(tmp_path, port=port, password="sesame") as app:  # noqa: S106
        assert await closed(app.port) == "password_needed"
        assert await closed(app.port, password="simsim") == "password_wrong"  # noqa: S106
        async with running(app.port, password="sesame") as ana:  # noqa: S106
            await ana.until(lambda client_state: client_state.welcomed)
            assert await closed(app.port, "ana", password="sesame") == "name_in_use"  # noqa: S106
    assert await closed(port) == "connection_refused"


async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with server(tmp_path, max_connections=1) as app, running(app.port) as ana:
        await ana.until(lambda client_state: client_state.welcomed)
        assert await closed(app.port, "Bob") == "server_full"


@asynccontextmanager
async def turning_away(
    turn_away: Callable[[ServerConnection], Awaitable[None]],
) -> AsyncIterator[int]:
    """A server that welcomes one client and closes, and then refuses handshakes with a retry-after of 60 seconds."""
    welcomed: list[ServerConnection] = []

    def answer(line: ServerConnection, _: object) -> Any:
        if not welcomed:
            return None
        response = line.respond(503, "too many connections\n")
        response.headers["Retry-After"] = "60"
        return response

    async def talk(line: ServerConnection) -> None:
        welcomed.append(line)
        await line.recv()
        await line.send(pack(Welcome("Ana", "token", "Home", "0", None)))
        await turn_away(line)

    async with serve(talk, "127.0.0.1", 0, subprotocols=[SPOKEN], process_request=answer) as other:
        yield next(iter(other.sockets)).getsockname()[1]


async def hang_up(line: ServerConnection) -> None:
    line.transport.abort()


def saying_bye(seconds: int) -> Callable[[ServerConnection], Awaitable[None]]:
    async def say_bye(line: ServerConnection) -> None:
        await line.send(pack(Bye(Refusal(Code.TOO_FAST, {"seconds": seconds}))))

    return say_bye


@pytest.mark.parametrize(
    ("how", "seconds"),
    [(hang_up, 60), (saying_bye(60), 60), (saying_bye(10**9), transport.MAX_BACKOFF_SECONDS)],
    ids=["503", "bye", "too long"],
)
async def test_the_server_says_how_soon_to_come_again(
    how: Callable[[ServerConnection], Awaitable[None]], seconds: float
) -> None:
    def waits(client_state: ClientState) -> bool:
        link = client_state.link
        return isinstance(link, Reconnecting) and (
            seconds - 30 < link.at - time.monotonic() <= seconds
        )

    async with turning_away(how) as port, running(port) as ana:
        await ana.until(waits)


@pytest.mark.parametrize(
    ("header", "seconds"), [("7", 7), ("soon", None), ("-1", None), ("9" * 40, None), ("²", None)]
)
async def test_who_is_not_let_in_is_told_when_to_try_again(
    header: str, seconds: int | None
) -> None:
    def full(line: ServerConnection, _: object) -> Any:
        response = line.respond(503, "too many connections\n")
        response.headers["Retry-After"] = header
        return response

    async with serve(hang_up, "127.0.0.1", 0, process_request=full) as other:
        port = next(iter(other.sockets)).getsockname()[1]
        async with running(port) as ana:
            client_state = await ana.until(
                lambda client_state: isinstance(client_state.link, Closed)
            )
            assert isinstance(client_state.link, Closed)
            assert client_state.link.why.about.get("seconds") == seconds


async def test_what_a_server_that_refuses_says_is_shown_and_can_do_no_harm() -> None:
    def forbid(line: ServerConnection, _: object) -> Any:
        return line.respond(403, "\x1b[2Jbox is no name of this server" + "!" * 10_000 + "\nmore\n")

    async with serve(hang_up, "127.0.0.1", 0, process_request=forbid) as other:
        port = next(iter(other.sockets)).getsockname()[1]
        async with running(port) as ana:
            client_state = await ana.until(
                lambda client_state: isinstance(client_state.link, Closed)
            )
            assert isinstance(client_state.link, Closed)
            assert client_state.link.why.code == "forbidden"
            what = client_state.link.why.about["what"]
            assert isinstance(what, str)
            assert what.startswith(" [2Jbox is no name of this server!")
            assert len(what) == transport.MAX_REASON


async def test_the_newer_window_wins(tmp_path: Path) -> None:
    async with server(tmp_path) as app, running(app.port) as older:
        await older.until(lambda client_state: client_state.welcomed)
        async with running(app.port, token=older.client.session.token) as newer:
            await newer.until(lambda client_state: client_state.welcomed)
            client_state = await older.until(
                lambda client_state: isinstance(client_state.link, Closed)
            )
            assert client_state.link == Closed(Refusal(Code.REPLACED))


async def test_other_servers_are_told_apart() -> None:
    async def nothing(_: object) -> None:
        pass

    async with serve(nothing, "127.0.0.1", 0) as other:
        port = next(iter(other.sockets)).getsockname()[1]
        assert await closed(port) == "version_differs"


async def test_no_such_machine_is_a_sentence() -> None:
    pictures: list[ClientState] = []
    session = ClientSession("Ana", version="test", first_id=1)
    await Client(Address("no-such-host.invalid"), session, pictures.append).run()
    assert isinstance(pictures[-1].link, Closed)
    assert pictures[-1].link.why.code in {"no_such_host", "connection_refused"}


async def test_a_silent_server_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "HEARTBEAT_TIMEOUT", 0.3)
    async with server(tmp_path) as app, relay(app.port) as between, running(between.port) as ana:
        await ana.until(lambda client_state: client_state.welcomed)
        between.hold()
        await ana.until(lambda client_state: isinstance(client_state.link, Silent))
        refused = await ana.client.ask(protocol.Make, Setup("diamoniak"))
        assert isinstance(refused, Refused)
        assert refused.why.code == "not_connected"
        await ana.until(lambda client_state: isinstance(client_state.link, Reconnecting))
        await ana.until(lambda client_state: isinstance(client_state.link, Connected))
