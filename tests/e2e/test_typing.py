"""Typed into a real terminal, over a line with 300 ms delay: no key is lost, doubled or out of order, however fast."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.games.diamino.tiles import JOKER
from tests.e2e.rig import CLIENT, TMUX, Terminal, Tmux, tmux
from tests.rig.wire import Player, server

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")

ONE_WAY = 0.15
"""Seconds for which the line keeps whatever it carries."""
PAUSES = (0.0, 0.05)
RIGHT, DOWN, ENTER = b"\x1b[C", b"\x1b[B", b"\r"
FORM = (RIGHT, RIGHT, DOWN, RIGHT, DOWN, RIGHT, RIGHT, ENTER)
CHAT = b"Is anybody here? 1122 yes, here I am!"


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


Carrying = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """All that comes, each piece as much later as it would be at the other end of a long line."""
    loop, sent = asyncio.get_running_loop(), asyncio.Event()
    while said := await reader.read(65536):
        loop.call_later(ONE_WAY, writer.write, said)
    loop.call_later(ONE_WAY, sent.set)
    await sent.wait()
    writer.close()


@asynccontextmanager
async def line(port: int, carry: Carrying = carry) -> AsyncIterator[int]:
    """The port of a slow line, or of another one, that leads to this one."""
    tasks: set[asyncio.Task[None]] = set()
    writers: list[asyncio.StreamWriter] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", port)
        writers.extend((writer, back))
        tasks.update(asyncio.create_task(carry(*way)) for way in ((reader, back), (there, writer)))

    listening = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()
        for task in tasks:
            task.cancel()
        for writer in writers:
            writer.transport.abort()
        await asyncio.gather(
            *tasks, *(each.wait_closed() for each in writers), return_exceptions=True
        )


def type_at(ana: Terminal, keys: list[bytes], pause: float) -> None:
    """As a person would; at no pause, all at once."""
    if not pause:
        ana.sends(b"".join(keys))
        return
    for key in keys:
        ana.sends(key)
        time.sleep(pause)  # this is the speed of typing, and what is tested


def fill_in_and_talk(terminals: Tmux, port: int, pause: float) -> None:
    ana = terminals.open(
        "Ana", CLIENT, "--host", f"127.0.0.1:{port}", "--name", "Ana", "--lang", "en"
    )
    ana.reads("No table is open.")
    ana.press("m")
    ana.reads("What is played here?")
    type_at(ana, [*FORM], pause)
    ana.reads("before the start")
    ana.press("Tab")
    ana.reads("chat, or /word")
    type_at(ana, [*(bytes([letter]) for letter in CHAT), ENTER], pause)
    ana.reads(f"Ana: {CHAT.decode()}")
    ana.close()


async def test_what_is_typed_does_the_same_at_any_speed(tmp_path: Path, terminals: Tmux) -> None:
    made: list[Setup] = []
    for pause in PAUSES:
        folder = tmp_path / f"server{pause}"
        folder.mkdir()
        async with server(folder) as app, line(app.port) as port:
            await asyncio.to_thread(fill_in_and_talk, terminals, port, pause)
            (table,) = app.lobby.tables.values()
            made.append(table.match.setup)
            said = [line.said.text for line in table.chat.lines]
            assert said == [CHAT.decode()]
    assert made[0] == made[1]
    assert made[0] != Setup(made[0].game)


async def test_a_tile_is_seen_before_a_slow_server_has_judged_it(
    tmp_path: Path, terminals: Tmux
) -> None:
    answers = asyncio.Event()
    answers.set()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while said := await reader.read(65536):
            await answers.wait()
            writer.write(said)

    async with (
        server(tmp_path) as app,
        line(app.port, hold) as port,
        Player(app.port, "Bob") as bob,
    ):
        await bob.ask(protocol.Make, Setup("diamino-bonus", patience=None))
        (table,) = app.lobby.tables.values()
        ana = terminals.open(
            *("Ana", CLIENT, "--host", f"127.0.0.1:{port}", "--table", table.code),
            *("--name", "Ana", "--lang", "en"),
        )
        await asyncio.to_thread(ana.reads, "before the start")
        await bob.ask(protocol.Start)
        await asyncio.to_thread(ana.reads, "Reserve")
        first, second = table.match.state.hands[1].replace(JOKER, "")[:2]
        answers.clear()
        await asyncio.to_thread(ana.types, (first + second).lower())
        await asyncio.to_thread(ana.matches, rf"\+{first}.\+{second}")
        answers.set()
        await asyncio.to_thread(ana.matches, r"Draft +(NO|ok)")
