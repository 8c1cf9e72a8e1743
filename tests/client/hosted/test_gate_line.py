"""The line to the gate: orders, connections, and what is to be kept."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from diadem_client.hosted.gate_line import GateLine
from diadem_shared.forkserver_protocol import (
    CONNECTED,
    LENGTH,
    LONGEST_FILE,
    Connect,
    Keep,
    LaunchRequest,
    framed,
    read_from_client,
)


class Gate:
    """The other end."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end

    def asked(self) -> Connect | Keep:
        (length,) = LENGTH.unpack(self.end.recv(LENGTH.size))
        asked: Connect | Keep = read_from_client(self.end.recv(length))
        return asked

    def answer(self, *files: int) -> None:
        socket.send_fds(self.end, [CONNECTED], files)


@pytest.fixture
def ends() -> Iterator[tuple[Gate, GateLine]]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)  # noqa: FBT003
    with ours, theirs:
        yield Gate(ours), GateLine(theirs)


def test_orders_are_read_as_they_were_written(ends: tuple[Gate, GateLine]) -> None:
    gate, line = ends
    orders = LaunchRequest("Ana", {"TERM": "xterm"}, files={"client.json": b"{}"}, idle=1.5)
    gate.end.sendall(framed(orders))
    assert line.orders() == orders


def test_a_gate_that_is_gone_gives_no_orders(ends: tuple[Gate, GateLine]) -> None:
    gate, line = ends
    gate.end.sendall(b"\0\0")
    gate.end.close()
    with pytest.raises(ConnectionResetError):
        line.orders()


async def test_a_connection_is_what_the_gate_hands_over(ends: tuple[Gate, GateLine]) -> None:
    gate, line = ends
    ours, theirs = socket.socketpair()
    waiting = asyncio.create_task(line.connection())
    await asyncio.sleep(0)
    assert gate.asked() == Connect()
    with ours, theirs:
        gate.answer(theirs.fileno())
        with await waiting as connection:
            connection.sendall(b"hello")
            assert ours.recv(5) == b"hello"


async def test_who_gave_up_waiting_gets_the_one_that_was_on_its_way(
    ends: tuple[Gate, GateLine],
) -> None:
    gate, line = ends
    impatient = asyncio.create_task(line.connection())
    await asyncio.sleep(0)
    impatient.cancel()
    with suppress(asyncio.CancelledError):
        await impatient
    assert gate.asked() == Connect()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        gate.answer(theirs.fileno())
        (await line.connection()).close()
    with pytest.raises(BlockingIOError):
        gate.asked()


async def test_a_gate_that_hands_over_none_refuses(ends: tuple[Gate, GateLine]) -> None:
    gate, line = ends
    gate.answer()
    with pytest.raises(ConnectionRefusedError):
        await line.connection()


def test_what_is_to_be_kept_is_told_unless_it_is_too_long(ends: tuple[Gate, GateLine]) -> None:
    gate, line = ends
    line.keep("puzzles.json", bytes(LONGEST_FILE + 1))
    line.keep("client.json", b"{}")
    assert gate.asked() == Keep("client.json", b"{}")


def test_nothing_breaks_when_the_gate_is_gone(ends: tuple[Gate, GateLine]) -> None:
    gate, line = ends
    gate.end.close()
    line.keep("client.json", b"{}")
