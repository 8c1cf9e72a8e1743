"""Attacks on the web gate: players play on, memory stays bounded, and whoever breaks a limit is cut."""

import asyncio
import resource
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from diadem_server.lobby import lobby
from tests.rig.attacking import CUT_SECONDS, Attack, attacked
from tests.rig.enduring import endured
from tests.rig.gates import memory, until
from tests.rig.wire import Player
from tests.web.attackers import AS_PLAYER, BEFORE_HELLO
from tests.web.rig import get, hello, host, new_cookie, socket, window

SECONDS = 2.0
"""Of an attack that is not cut."""
ATTACKERS = "tests.web.attackers"
MOST_GROWTH = 32
"""Megabytes that the gate may grow by."""
MOST_LINES = 160
LIMITS: dict[str, Any] = {
    "connections_a_second": 10.0,
    "sessions_a_second": 1.0,
    "most_per_address": 2,
    "most": 50,
}
NOT_CUT = {
    # Held back, as whoever pastes much is.
    "paste",
    "unended_osc",
    "mouse",
    # Its line is cut after a time that is longer than this.
    "reads_nothing",
}


@pytest.mark.parametrize("attacks", [BEFORE_HELLO, AS_PLAYER], ids=["before hello", "as players"])
async def test_two_play_on_while_others_attack(
    tmp_path: Path, attacks: Mapping[str, Attack], caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        host(tmp_path, **LIMITS) as at,
        Player(at.app.port, "Bob") as bob,
        window(at.port) as ana,
    ):
        await ana.reads("Diadem, as ana")
        gate, before = at.gate, memory(at.gate)
        seconds = {name: SECONDS if name in NOT_CUT else CUT_SECONDS for name in attacks}
        outcomes = await endured(seconds, ATTACKERS, at, ana, ana.press, bob)
        assert {name for name, each in outcomes.items() if not each.was_cut} <= NOT_CUT
        assert at.gate == gate
        assert memory(gate) - before < MOST_GROWTH
        most = len(attacks) * LIMITS["most_per_address"]
        assert len(at.clients) <= most + 3  # some of them are ending
    assert "Traceback" not in caplog.text
    assert len(caplog.text.splitlines()) < MOST_LINES


async def test_a_crowd_that_says_nothing_leaves_room_for_others(tmp_path: Path) -> None:
    """So many of one address are let in, and the others are reset."""
    async with host(tmp_path, most_per_address=5, connections_a_second=1e6) as at:
        silent: list[asyncio.StreamWriter] = []
        for _ in range(1000):
            with suppress(ConnectionError):
                silent.append((await open_from("127.0.0.9", at.port))[1])
        await until(lambda: at.lines <= 2 * 3 * 5, "those beyond the limit to be cut")
        assert (await get(at.port)).status == 200
        async with window(at.port) as ana:
            await ana.reads("Diadem, as ana")
        for writer in silent:
            writer.transport.abort()


async def open_from(address: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


async def test_guessing_codes_is_slowed_for_whoever_guesses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hosted clients guess from the address of their browser, which the server slows as it does any other."""
    monkeypatch.setattr(lobby, "FREE_GUESSES", -20)  # after one miss the pause is the longest
    async with host(tmp_path) as at:
        async with window(at.port, table="WRNG0001") as ana:
            await ana.reads("There is no table WRNG0001")
        async with window(at.port, "bob", table="WRNG0002") as bob:
            await bob.reads("too fast for the server")


async def test_what_a_browser_does_not_read_stays_with_the_client(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        cookie = await new_cookie(at.port)
        async with await socket(at.port, cookie, max_queue=1) as line:
            await line.send(hello(size=[300, 120]))
            await line.recv()
            line.transport.pause_reading()
            gate, before = at.gate, memory(at.gate)
            for _ in range(2000):
                await line.send(b"?\x1b")
                await asyncio.sleep(0)
            assert memory(gate) - before < MOST_GROWTH
            line.transport.abort()
        async with window(at.port, cookie=cookie) as ana:
            await ana.reads("Diadem, as")


async def test_what_is_pasted_without_end_fills_no_memory(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        attacking = asyncio.create_task(attacked(ATTACKERS, ["paste"], at.port, 2 * SECONDS))
        await until(lambda: at.clients, "the attacker's client")
        (client,) = at.clients
        await attacking
        assert 0 < memory(client) < 128  # it waits for its player


async def test_the_gate_and_its_clients_have_limits_of_their_own(tmp_path: Path) -> None:
    async with host(tmp_path) as at, window(at.port) as ana:
        await ana.reads("Diadem, as ana")
        (client,) = at.clients
        assert resource.prlimit(client, resource.RLIMIT_AS)[1] <= 256 << 20
        assert resource.prlimit(at.gate, resource.RLIMIT_AS)[1] <= 512 << 20
