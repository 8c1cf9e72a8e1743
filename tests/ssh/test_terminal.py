"""The terminal between a player and their client: its size, and that nothing is lost or piled up."""

import asyncio
import os
import signal
import tty
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diadem_server.gates.terminal import KEYS_A_SECOND, KEYS_AT_ONCE, Terminal
from tests.rig.gates import until
from tests.ssh.rig import PATIENCE_FOR_NOTHING, Host, connection, opened, visit
from tests.thoroughness import times

SAID = {
    (0, 0): "Diadem, as ana",
    (80, 24): "Diadem, as ana",
    (59, 20): "Diadem needs 60x20, this is 59x20.",
    (10**6, 10**6): "Diadem, as ana",
}
"""By the size of the player's terminal."""


async def test_it_is_as_large_as_the_players(at: Host) -> None:
    for size, said in SAID.items():
        async with visit(at.ssh.port, term_size=size) as ana:
            await ana.reads(said)


async def test_it_follows_when_the_players_is_resized(at: Host) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        ana.process.change_terminal_size(60, 19)
        await ana.reads("Diadem needs 60x20, this is 60x19.")
        ana.forget()
        ana.process.change_terminal_size(0, 0)
        await ana.reads("Diadem, as ana")


async def test_who_types_faster_than_is_read_is_held_back(at: Host) -> None:
    async with await connection(at.ssh.port) as line, opened(line) as ana:
        await ana.reads("Diadem, as ana")
        (client,) = at.clients
        os.kill(client, signal.SIGSTOP)
        ana.process.stdin.write(b"x" * 4_000_000)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(PATIENCE_FOR_NOTHING):
                await ana.process.stdin.drain()
        line.abort()


async def test_who_types_what_nobody_reads_is_held_back() -> None:
    player = Player()
    terminal = Terminal(player, (80, 24))
    terminal.feed(b"x" * 20_000)
    await until(lambda: player.is_held_back, "the player to be held back")
    terminal.hand_over()
    terminal.hang_up()


class Player:
    """The far side of a terminal, without ssh."""

    def __init__(self) -> None:
        self.heard = b""
        self.is_held_back = False

    def write(self, data: bytes) -> None:
        self.heard += data

    def pause_reading(self) -> None:
        self.is_held_back = True

    def resume_reading(self) -> None:
        self.is_held_back = False


@settings(max_examples=times(25, 250), deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9000), st.booleans()), min_size=1, max_size=12))
async def test_all_that_is_said_arrives_however_slowly_it_is_taken(
    steps: list[tuple[int, bool]],
) -> None:
    player = Player()
    terminal = Terminal(player, (80, 24))
    said = b"".join(bytes([97 + number % 26]) * length for number, (length, _) in enumerate(steps))
    program = asyncio.create_task(asyncio.to_thread(say, os.dup(terminal.theirs), said))
    terminal.hand_over()
    for length, pauses in steps:
        if pauses:
            terminal.pause()
            before = len(player.heard)
            for _ in range(5):
                await asyncio.sleep(0)
            assert len(player.heard) == before
            terminal.resume()
        enough = min(len(said), len(player.heard) + length)
        await until(partial(has_heard, player, enough), "what was said")
    await program
    await terminal.is_drained.wait()
    terminal.hang_up()
    assert player.heard == said


def has_heard(player: Player, enough: int) -> bool:
    return len(player.heard) >= enough


def say(file: int, words: bytes) -> None:
    while words:
        words = words[os.write(file, words) :]
    os.close(file)


async def test_a_program_is_handed_keys_no_faster_than_people_paste() -> None:
    player = Player()
    terminal = Terminal(player, (80, 24))
    tty.setraw(terminal.theirs)
    typed = b"x" * (KEYS_AT_ONCE + 2 * KEYS_A_SECOND)
    reading = asyncio.create_task(asyncio.to_thread(hear, terminal.theirs, len(typed)))
    begun = asyncio.get_running_loop().time()
    terminal.feed(typed)
    await until(lambda: player.is_held_back, "the player to be held back")
    assert await reading == typed
    assert asyncio.get_running_loop().time() - begun > 1.0
    await until(lambda: not player.is_held_back, "the player to be heard again")
    terminal.hand_over()
    terminal.hang_up()


def hear(file: int, length: int) -> bytes:
    heard = b""
    while len(heard) < length:
        heard += os.read(file, length)
    return heard


async def test_a_storm_of_sizes_is_passed_on_now_and_then_and_ends_with_the_last() -> None:
    terminal = Terminal(Player(), (80, 24))
    seen = set()
    for width in range(100, 200):
        terminal.resize(width, 24)
        seen.add(os.get_terminal_size(terminal.theirs).columns)
    assert seen == {100}
    await until(lambda: os.get_terminal_size(terminal.theirs).columns == 199, "the last size")
    terminal.hand_over()
    terminal.hang_up()
