"""Whatever windows of browsers do, the gate's bookkeeping is kept; and where not, it is noticed."""

import secrets
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from diadem_server.gates.admission import GateAdmission
from diadem_server.gates.client_pool import HostedClient
from diadem_server.gates.web.session import WebSession
from tests.rig import Broken
from tests.rig.gate_machine import Gate
from tests.rig.reachable import held_by
from tests.rig.states import find_planted, nothing, nothing_happens, run_states
from tests.rig.virtual_gate import VirtualGate
from tests.thoroughness import times

pytestmark = pytest.mark.slow

TIMES = times(160, 500)
ELSEWHERE = 1 << 20
MORE = TIMES // 4
"""Objects, far fewer than one for each time."""


@pytest.mark.timeout(0)
def test_whatever_windows_do_the_bookkeeping_is_kept() -> None:
    run_states(Gate)


# The machine finds what it is there for


def _leaves_elsewhere(admission: GateAdmission, player: str | None, _address: str) -> None:
    """It is taken off another address than it was counted for."""
    LEAVE(admission, player, "198.51.100.1")


LEAVE = GateAdmission.leave


@pytest.mark.parametrize(
    ("owner", "name", "fault", "promise"),
    [
        (GateAdmission, "leave", nothing, "sessions are counted|nothing is counted for ever"),
        (GateAdmission, "leave", _leaves_elsewhere, "nothing is counted for ever"),
        (GateAdmission, "end", nothing, "nothing is counted for ever"),
        (WebSession, "detach", nothing, "every client ends|nothing is counted for ever"),
        (WebSession, "replace", nothing, "one window a browser|no terminal is left"),
        (HostedClient, "end", nothing_happens, "sessions are counted"),
    ],
    ids=lambda each: each if isinstance(each, str) and " " not in each else "",
)
def test_a_planted_fault_is_found(owner: Any, name: str, fault: Any, promise: str) -> None:
    with patch.object(owner, name, fault), pytest.raises(Broken, match=promise):
        find_planted(Gate)


# What is done thousands of times leaves nothing

Cycle = Callable[[VirtualGate, int], Awaitable[None]]


def new_cookie(_: int) -> str:
    return secrets.token_urlsafe(32)


def address(number: int) -> str:
    return f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"


async def come_and_go(gate: VirtualGate, number: int) -> None:
    """A new browser at a new address each time."""
    window = await gate.window(new_cookie(number), address(number))
    await gate.settle()
    assert window.client is not None
    window.transport.close()


async def break_and_come_back_from_elsewhere(gate: VirtualGate, number: int) -> None:
    cookie = new_cookie(number)
    for place in (number, ELSEWHERE + number):
        window = await gate.window(cookie, address(place), resume=place > number)
        await gate.settle()
        assert window.client is not None
        window.transport.abort()


async def reload(gate: VirtualGate, _: int) -> None:
    window = await gate.window("ana" + 40 * "a")
    await gate.settle()
    assert window.client is not None


async def be_refused(gate: VirtualGate, number: int) -> None:
    windows = [
        await gate.window(new_cookie(number), "192.0.2.9")
        for _ in range(gate.listener.config.most_per_address + 1)
    ]
    await gate.settle()
    assert 1013 in {each.close_code for each in windows}
    for each in windows:
        each.transport.close()


async def say_nothing(gate: VirtualGate, number: int) -> None:
    await gate.connect(new_cookie(number), address(number))


async def fetch_the_page(gate: VirtualGate, number: int) -> None:
    """Without a cookie, so that another is made."""
    line = await gate.line(address(number))
    line.send(b"GET / HTTP/1.1\r\nHost: 192.0.2.1\r\n\r\n")
    await gate.settle()
    assert b"Set-Cookie" in line.heard


@pytest.fixture
def gate() -> Iterator[VirtualGate]:
    with (
        tempfile.TemporaryDirectory() as folder,
        VirtualGate(Path(folder), sessions_a_second=1e6, connections_a_second=1e6) as gate,
    ):
        yield gate


async def _again_and_again(gate: VirtualGate, cycle: Cycle, first: int) -> None:
    for number in range(first, first + TIMES):
        await cycle(gate, number)
        gate.windows = [each for each in gate.windows if not each.is_lost]
        await gate.pass_time(30.0)
    await gate.leave()


@pytest.mark.parametrize(
    "cycle",
    [
        come_and_go,
        break_and_come_back_from_elsewhere,
        reload,
        be_refused,
        say_nothing,
        fetch_the_page,
    ],
)
def test_nothing_grows_however_often(
    gate: VirtualGate, cycle: Cycle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for the buckets of so many addresses, which are few here."""
    monkeypatch.setattr("diadem_server.limits.rate_limits.REMEMBERED", 50)
    held = []
    for first in (0, TIMES):
        gate.run(_again_and_again(gate, cycle, first))
        gate.check_end()
        held.append(held_by(gate.listener))
    assert (held[1] - held[0]).total() < MORE, (held[1] - held[0]).most_common(8)
