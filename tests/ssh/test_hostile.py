"""Attacks on the ssh port: players play on, and memory stays bounded."""

import asyncio
import re
import resource
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from tests.patience import PATIENCE
from tests.rig.attacking import CUT_SECONDS, Attack, Target, attacked
from tests.rig.enduring import endured
from tests.rig.gates import memory, until
from tests.rig.wire import Player
from tests.ssh.attackers import AFTER_LOGIN, BEFORE_LOGIN, ignore_before_login
from tests.ssh.rig import Host, connection, host, opened, visit

SECONDS = 2.0
"""Of an attack that is not cut; megabytes come in it, if they are let."""
HASTE: dict[str, Any] = {"guests": True, "flood_seconds": 1.0}
LOGIN_SECONDS = 4.0
"""For those who never log in; players at a busy machine need some of them."""
HELP = "\x1bOP"
ATTACKERS = "tests.ssh.attackers"
MOST_GROWTH = 32
"""Megabytes that the gate may grow by."""
MOST_LINES = 160
NOT_CUT = {
    # Each of its connections is an honest one as far as it goes; how many may come is limited.
    "global_requests_and_away",
    "channel_opens",
    # Held back, as whoever pastes much is.
    "unended_osc",
    "unended_csi",
    "unended_paste",
    "typing",
}


@pytest.mark.parametrize(
    ("attacks", "limits"),
    [
        pytest.param(BEFORE_LOGIN, HASTE | {"login_seconds": LOGIN_SECONDS}, id="before login"),
        pytest.param(AFTER_LOGIN, HASTE, id="after login"),
    ],
)
async def test_two_play_on_while_others_attack(
    tmp_path: Path,
    attacks: Mapping[str, Attack],
    limits: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with (
        host(tmp_path, **limits) as at,
        Player(at.app.port, "Bob") as bob,
        visit(at.ssh.port) as ana,
    ):
        await ana.reads("Diadem, as ana")
        gate, before = at.gate, memory(at.gate)
        seconds = {name: SECONDS if name in NOT_CUT else CUT_SECONDS for name in attacks}
        outcomes = await endured(seconds, ATTACKERS, at, ana, ana.type, bob)
        assert {name for name, each in outcomes.items() if not each.was_cut} <= NOT_CUT
        assert at.gate == gate
        assert memory(gate) - before < MOST_GROWTH
        await until(lambda: len(at.clients) == 1, "what the attackers ran to be gone")
    assert "Traceback" not in caplog.text
    assert len(caplog.text.splitlines()) < MOST_LINES


async def test_who_is_cut_again_and_again_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with host(tmp_path, **HASTE) as at:
        for _ in range(3):
            here = Target("127.0.0.1", at.ssh.port, "127.0.0.1")
            assert (await ignore_before_login(here, CUT_SECONDS)).was_cut
    assert caplog.text.count("sends too much, and is cut off") == 1


async def test_what_is_typed_without_end_fills_no_memory(tmp_path: Path) -> None:
    attacks = ("unended_osc", "unended_csi", "unended_paste", "typing")
    async with host(tmp_path, guests=True) as at:
        attacking = asyncio.create_task(attacked(ATTACKERS, attacks, at.ssh.port, PATIENCE))
        await until(lambda: len(at.clients) == len(attacks), "the attackers' clients")
        clients = at.clients
        await asyncio.sleep(SECONDS)  # for which they are typed at
        most = dict(zip(clients, map(memory, clients), strict=True))
        assert {client: each for client, each in most.items() if not 0 < each < 128} == {}
        attacking.cancel()
        await asyncio.wait([attacking])


async def test_clients_have_limits_of_their_own(at: Host) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        (client,) = at.clients
        assert resource.prlimit(client, resource.RLIMIT_AS)[1] <= 256 << 20
        for process in (client, at.gate):
            assert resource.prlimit(process, resource.RLIMIT_CORE) == (0, 0)
        assert resource.prlimit(at.gate, resource.RLIMIT_AS)[1] <= 512 << 20


OLD_OR_COSTLY: list[dict[str, Any]] = [
    {"compression_algs": ["zlib@openssh.com"]},
    {"compression_algs": ["zlib"]},
    {"kex_algs": ["diffie-hellman-group18-sha512"]},
    {"kex_algs": ["diffie-hellman-group14-sha256"]},
    {"kex_algs": ["ecdh-sha2-nistp521"]},
    {"encryption_algs": ["aes128-cbc"]},
    {"mac_algs": ["hmac-sha1"], "encryption_algs": ["aes128-ctr"]},
]


async def test_what_is_old_or_costly_is_not_agreed_to(at: Host) -> None:
    agreed = []
    for offer in OLD_OR_COSTLY:
        with suppress(asyncssh.KeyExchangeFailed, asyncssh.ConnectionLost):
            async with await connection(at.ssh.port, **offer):
                agreed.append(offer)
    assert agreed == []


async def test_a_key_exchange_now_and_then_is_no_matter(at: Host) -> None:
    async with (
        await connection(at.ssh.port, rekey_bytes=20_000) as line,
        opened(line) as ana,
    ):
        await ana.reads("Diadem, as ana")
        ana.process.stdin.write(b"\x1b[200~" + b" " * 20_000 + b"\x1b[201~")
        await ana.process.stdin.drain()
        assert await ana.quit() == 0


async def test_a_large_paste_arrives(at: Host) -> None:
    async with visit(at.ssh.port) as ana:
        await ana.reads("Diadem, as ana")
        ana.press("\x1b[200~" + "word " * 4_000 + "\x1b[201~?")
        await ana.reads("Keys that do something here")


async def test_sessions_one_after_another_are_limited(tmp_path: Path) -> None:
    async with (
        host(
            tmp_path,
            guests=True,
            connections_a_second=0.01,
            sessions_a_second=0.01,
            most_per_address=3,
        ) as at,
        await connection(at.ssh.port, "ana", None) as line,
        AsyncExitStack() as stack,
    ):
        for _ in range(6):
            async with opened(line) as ana:
                await ana.reads("Diadem, as ana")
                assert await ana.quit() == 0
        late = await stack.enter_async_context(opened(line))
        assert await late.status() == 1
        (seconds,) = map(
            int, re.findall(r"^You come too often. Please wait for (\d+) s.\r\n$", late.text)
        )
        assert 0 < seconds <= 100


def test_every_attack_is_listed_once() -> None:
    assert not BEFORE_LOGIN.keys() & AFTER_LOGIN.keys()
    assert AFTER_LOGIN.keys() > NOT_CUT
