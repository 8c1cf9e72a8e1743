"""Every refusal there is, read on the screen; and from everything that keeps one out, a way on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from textwrap import wrap
from typing import Any

import msgpack
import pytest
from textual.widgets import Input
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.typing import Subprotocol

from diadem_client import i18n
from diadem_client.board.pane import GamePane
from diadem_client.i18n import LANGUAGES
from diadem_client.local.child import ServerFailed
from diadem_client.local.own_words import OwnWords
from diadem_client.local.servers import LocalServers
from diadem_client.local.solo import SoloServer
from diadem_client.net import transport
from diadem_client.refusals import ClientCode
from diadem_client.settings import Settings, SettingsStore
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.start import StartScreen
from diadem_client.wording.refusals import sentence_for
from diadem_shared.entries import Sat, Setup, Started
from diadem_shared.games import GAMES
from diadem_shared.protocol import SUBPROTOCOL, Bye, Refused, pack
from diadem_shared.refusals import Code, Refusal
from tests.client.refused import NAME, received, refusal
from tests.client.scenes.stage import show
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import Sitting, StagedClient, at_server, stop_the_clock
from tests.rig.wire import server
from tools.protocol_tables.codes import OF_CONNECTIONS

pytestmark = pytest.mark.slow

ALL = frozenset(Code).union(*(game.refusals for game in GAMES.values()))
Play = Callable[[], Awaitable[None]]
SPOKEN = Subprotocol(SUBPROTOCOL)


def refusing(why: Refusal) -> Callable[..., asyncio.Future[Refused]]:
    def ask(*_given: Any, **_named: Any) -> asyncio.Future[Refused]:
        answer: asyncio.Future[Refused] = asyncio.get_running_loop().create_future()
        answer.set_result(Refused(0, why))
        return answer

    return ask


def codes_by_game() -> Iterator[tuple[str, frozenset[str]]]:
    first, *others = GAMES
    yield first, (ALL - OF_CONNECTIONS).difference(*(GAMES[each].refusals for each in others))
    yield from ((game, frozenset(GAMES[game].refusals)) for game in GAMES)


def test_no_code_is_left_out() -> None:
    assert frozenset.union(OF_CONNECTIONS, *(codes for _, codes in codes_by_game())) == ALL


async def said_of(seen: Seen, monkeypatch: pytest.MonkeyPatch, why: Refusal, play: Play) -> str:
    """What is read after a command that is refused, with its lines joined."""
    monkeypatch.setattr(StagedClient, "ask", staticmethod(refusing(why)))
    await play()
    await seen.idle()
    return " ".join(seen.screen_text.split())


LINE = 78
MOST_LINES = 4


def told_in(language: str) -> Iterator[tuple[str, str, list[str]]]:
    """Every refusal, with details as long as they get: game, code, lines."""
    i18n.set_language(language)
    for game, codes in codes_by_game():
        for code in sorted(codes):
            sentence = sentence_for(refusal(code, game), [NAME, "Bob"], game)
            yield game, code, wrap(sentence, LINE, break_on_hyphens=False)
    for code in (*sorted(OF_CONNECTIONS), *ClientCode):
        yield "", code, wrap(sentence_for(refusal(code)), LINE, break_on_hyphens=False)
    i18n.set_language("en")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_at_a_table_every_refusal_is_read_in_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """All of them have room, and the longest of each game and of each number of lines are looked at."""
    told = list(told_in(language))
    too_long = {code: lines for _, code, lines in told if len(lines) > MOST_LINES}
    assert not too_long
    by_room = {(game, len(lines)): code for game, code, lines in sorted(told, key=_room)}
    stop_the_clock(monkeypatch)
    lost = []
    async with client(tmp_path, settings=Settings(language=language)) as seen:
        for game in GAMES:
            await show(seen, at_server())
            await show(seen, Sitting(Setup(game)).enter(Sat(NAME), Sat("Bob"), Started()))
            pane = seen.app.screen.query_one(GamePane)

            async def play(pane: GamePane = pane) -> None:
                pane.post_message(GamePane.Played("anything"))

            for code in (code for (its, _), code in by_room.items() if its == game):
                why = refusal(code, game)
                said = await said_of(seen, monkeypatch, why, play)
                if sentence_for(why, [NAME, "Bob"], game) not in said:
                    lost.append((game, code))
    assert not lost


def _room(told: tuple[str, str, list[str]]) -> int:
    return sum(map(len, told[-1]))


async def test_in_the_lobby_every_refusal_is_read_in_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = []
    stop_the_clock(monkeypatch)
    async with client(tmp_path) as seen:

        async def join() -> None:
            await seen.press("c")
            await seen.types("K7F3")
            await seen.press("enter")

        async def make() -> None:
            await seen.press("m", "enter")

        await show(seen, at_server())
        for play, codes in (
            (join, ("no_such_table", "table_full", "no_spectators", "seated_elsewhere")),
            (make, ("too_many_tables", "no_such_word_list", "bad_board", "journal_unavailable")),
        ):
            for code in codes:
                said = await said_of(seen, monkeypatch, refusal(code), play)
                if sentence_for(refusal(code)) not in said:
                    lost.append(code)
    assert not lost


# Kept out


class Porter:
    """A server that lets nobody in, and remembers who asked."""

    def __init__(self, why: Refusal) -> None:
        self.why = why
        self.hellos: list[dict[str, Any]] = []

    async def turn_away(self, line: ServerConnection) -> None:
        self.hellos.append(msgpack.unpackb(await line.recv()))
        await line.send(pack(Bye(self.why)))
        await line.wait_closed()


def port_of(listening: Server | asyncio.Server) -> int:
    return int(next(iter(listening.sockets)).getsockname()[1])


async def test_who_is_turned_away_reads_why_and_can_ask_again(tmp_path: Path) -> None:
    porter = Porter(refusal("server_full"))
    async with (
        serve(porter.turn_away, "127.0.0.1", 0, subprotocols=[SPOKEN]) as door,
        client(tmp_path, port_of(door)) as seen,
    ):
        for code in sorted(OF_CONNECTIONS):
            await seen.on(ConnectScreen)
            porter.why, porter.hellos = refusal(code), []
            await seen.fill("name", "Ana")
            await seen.fill("password", "")
            await seen.press("enter")
            await seen.reads_whole(sentence_for(porter.why))
            if code.startswith("password"):
                assert seen.app.screen.query_one("#password", Input).has_focus
                await seen.types("sesame")
            if code.startswith("name"):
                assert seen.app.screen.query_one("#name", Input).has_focus
                await seen.fill("name", "Bob")
            await seen.press("enter")
            await seen.until(lambda: len(porter.hellos) > 1)
            name = "Bob" if code.startswith("name") else "Ana"
            password = "sesame" if code.startswith("password") else None
            again = porter.hellos[1]
            assert (code, again["name"], again.get("password")) == (code, name, password)


FORBIDDEN = "box.example is no name of this server; its host can allow it: --allow-host box.example"


async def silence(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


async def nonsense(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 mail.example ESMTP\r\n")
    await writer.drain()
    writer.close()


async def hang_up(line: ServerConnection) -> None:
    await line.recv()
    line.transport.abort()


async def babble(line: ServerConnection) -> None:
    await line.recv()
    await line.send(b"\xc1")
    await line.wait_closed()


@asynccontextmanager
async def something_else(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any], scheme: str = "ws"
) -> AsyncIterator[str]:
    async with await asyncio.start_server(talk, "127.0.0.1", 0) as door:
        yield f"{scheme}://127.0.0.1:{port_of(door)}"


@asynccontextmanager
async def a_server(
    talk: Callable[[ServerConnection], Any] = hang_up, **given: Any
) -> AsyncIterator[str]:
    async with serve(talk, "127.0.0.1", 0, **given) as door:
        yield f"127.0.0.1:{port_of(door)}"


def full(line: ServerConnection, _request: Any) -> Any:
    return line.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")


def forbid(line: ServerConnection, _request: Any) -> Any:
    return line.respond(HTTPStatus.FORBIDDEN, f"{FORBIDDEN}\nand more\n")


@asynccontextmanager
async def nothing(address: str) -> AsyncIterator[str]:
    yield address


LINES: dict[str, Callable[[], AbstractAsyncContextManager[str]]] = {
    "bad_address": lambda: nothing("http://games.example"),
    "connection_lost": lambda: a_server(subprotocols=[SPOKEN]),
    "connection_refused": lambda: nothing("127.0.0.1:1"),
    "forbidden": lambda: a_server(process_request=forbid),
    "no_answer": lambda: something_else(silence),
    "no_such_host": lambda: nothing("nowhere.invalid"),
    "not_diadem": lambda: something_else(nonsense),
    "not_secure": lambda: something_else(nonsense, "wss"),
    "not_understood": lambda: a_server(babble, subprotocols=[SPOKEN]),
    "server_full": lambda: a_server(process_request=full),
    "version_differs": a_server,
}
"""What is there in place of a server that could be played on."""


def test_no_way_for_a_line_to_fail_is_left_out() -> None:
    of_the_client = {
        ClientCode.BAD_FILE,
        ClientCode.HOST_FAILED,
        ClientCode.NOT_CONNECTED,
        ClientCode.SOLO_FAILED,
        ClientCode.WORDS_FAILED,
    }
    assert LINES.keys() == set(ClientCode) - of_the_client


async def test_where_no_line_can_be_had_it_says_why_and_another_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client(tmp_path) as seen, server(tmp_path) as app:
        for code, line in LINES.items():
            if code == "no_answer":
                monkeypatch.setattr(transport, "CONNECT_TIMEOUT", 0.05)
            async with line() as address:
                await seen.on(ConnectScreen)
                await seen.fill("host", address)
                await seen.press("enter")
                shown = address.removeprefix("ws://").removeprefix("wss://")
                shown += "" if ":" in shown else ":7453"
                why = received(code, {"server": shown, "what": FORBIDDEN})
                await seen.reads_whole(sentence_for(why))
            monkeypatch.undo()
        await seen.fill("host", f"127.0.0.1:{app.port}")
        await seen.press("enter")
        await seen.on(LobbyScreen)


class Unable(SoloServer):
    def __init__(self, words: str = "") -> None:
        """No server at all."""
        self.is_kept = False
        self.words = OwnWords(words)

    async def port(self) -> int:
        raise ServerFailed

    def close(self) -> None:
        """Nothing."""


async def test_a_game_for_one_that_cannot_be_started_says_where_to_look(tmp_path: Path) -> None:
    servers = LocalServers(SettingsStore(tmp_path, tmp_path))
    servers.solo = Unable()
    async with client(tmp_path, servers=servers, setup=Setup("diamoniak")) as seen:
        await seen.on(StartScreen)
        await seen.reads("The game for one could not be started.")
        await seen.reads("client.log")


async def test_words_that_may_be_why_it_cannot_be_started_are_named(tmp_path: Path) -> None:
    servers = LocalServers(SettingsStore(tmp_path, tmp_path))
    servers.solo = Unable("animals.txt")
    async with client(tmp_path, servers=servers, setup=Setup("diamino-rummy")) as seen:
        await seen.on(StartScreen)
        await seen.reads_whole("could not be started with your words in animals.txt.")
