"""Those who attack a server for tools.bench.hostile, in a process of their own.

    python -m tools.bench._attackers PORT EACH HALF_OPEN [KIND...]

starts so many attackers of each kind, and one who leaves so many handshakes half open at a time. Some break
every limit, and some stay within all of them, and do what costs a server most.

Each kind comes from an address of its own, so that none uses up what the server allows another. They
speak through plain sockets: what the attackers spend on themselves is missing from the attack.
"""

import asyncio
import os
import random
import resource
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial

from websockets.frames import Frame, Opcode

from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import MAX_FRAME, Command, Hello
from tests.rig.wire import UPGRADE

HELD = 0.5
"""Seconds for which half-open handshakes are left standing before they are cut, all at once."""
MUCH = 256 * 1024
"""Bytes written at once by whoever floods."""


def _frame(payload: bytes, opcode: Opcode = Opcode.BINARY) -> bytes:
    return Frame(opcode, payload).serialize(mask=True)


def _much(frame: bytes) -> bytes:
    return frame * (MUCH // len(frame))


FLOODS = {
    "commands": _much(_frame(protocol.pack(protocol.Ping(1)))),
    "rubbish": _much(_frame(b"\xc1")),
    "pings": _much(_frame(b"", Opcode.PING)),
    "nested": _much(_frame(b"\x91" * (MAX_FRAME - 1) + b"\xc0")),
    "huge": _frame(bytes(MUCH)),
}
A_SECOND = 18
"""Commands of those who stay within the limit of twenty."""
SETUP = Setup("diamoniak", private=True)


def _tables(number: int) -> Iterator[Command]:
    """A table after the other."""
    yield protocol.Make(number, SETUP)
    yield protocol.Part(number + 1)


def _chat(number: int) -> Iterator[Command]:
    if number == 1:
        yield protocol.Make(number, SETUP)
    yield protocol.Say(number + 1, "\u0e01\u0e34" * 250)


def _guesses(number: int) -> Iterator[Command]:
    """The codes of other people's tables."""
    yield protocol.Join(number, f"{random.getrandbits(40):08X}")


def _replays(number: int) -> Iterator[Command]:
    yield protocol.ListReplays(number)
    yield protocol.GetReplay(number + 1, "ABCD")


def _standings(number: int) -> Iterator[Command]:
    yield protocol.GetStatistics(number)
    yield protocol.GetStandings(number + 1, "diamoniak")


def _seats(number: int) -> Iterator[Command]:
    """A table that changes all the time, and is sent to its one onlooker each time."""
    if number == 1:
        yield protocol.Make(number, SETUP)
    yield protocol.Change(number + 1, SETUP)
    yield protocol.AddBot(number + 2, "zombie")
    yield protocol.Remove(number + 3, 1)


LEGAL = {
    "tables": _tables,
    "chat": _chat,
    "guesses": _guesses,
    "replays": _replays,
    "standings": _standings,
    "seats": _seats,
}
BREAKING = [*FLOODS, "slow", "half-open"]
KEEPING = [*LEGAL, "hellos"]
KINDS = [*BREAKING, *KEEPING]


async def attack(port: int, each: int, half_open: int, kinds: list[str]) -> None:
    async with asyncio.TaskGroup() as attackers:
        for kind in kinds or KINDS:
            address = f"127.0.1.{1 + KINDS.index(kind)}"
            if kind == "half-open":
                attackers.create_task(_again_and_again(_open_by_half, port, address, half_open))
                continue
            for number in range(each):
                come_in = partial(_come_in, kind)
                attackers.create_task(_again_and_again(come_in, port, address, number))


async def _again_and_again(
    attack: Callable[[int, str, int], Awaitable[None]], port: int, address: str, number: int
) -> None:
    while True:
        with suppress(OSError):
            await attack(port, address, number)
        # Or the attackers would be busy with one another.
        await asyncio.sleep(0.01)


async def _come_in(kind: str, port: int, address: str, number: int) -> None:
    loop = asyncio.get_running_loop()
    with socket.socket() as line:
        line.setblocking(False)  # noqa: FBT003, a flag of its own
        line.bind((address, 0))
        await loop.sock_connect(line, ("127.0.0.1", port))
        await loop.sock_sendall(line, UPGRADE)
        if not (await loop.sock_recv(line, MUCH)).startswith(b"HTTP/1.1 101"):
            return
        await loop.sock_sendall(line, _frame(protocol.pack(Hello(f"{kind} {number}"))))
        if kind in KEEPING:
            await _keep_within_limits(line, kind)
            return
        while kind != "slow":
            await loop.sock_sendall(line, FLOODS[kind])
        # Asks for more and more, and reads nothing.
        for command in range(1, 10_000):
            await loop.sock_sendall(
                line, _frame(protocol.pack(protocol.WatchLobby(command, on=True)))
            )
            await asyncio.sleep(0.06)


async def _keep_within_limits(line: socket.socket, kind: str) -> None:
    """Listen to every answer, and go on."""
    loop = asyncio.get_running_loop()
    await loop.sock_recv(line, MUCH)
    for number in range(1, sys.maxsize, 5) if kind in LEGAL else ():
        for command in LEGAL[kind](number):
            await loop.sock_sendall(line, _frame(protocol.pack(command)))
            await asyncio.sleep(1 / A_SECOND)
            with suppress(BlockingIOError):
                if not line.recv(MUCH):
                    return


async def _open_by_half(port: int, address: str, how_many: int) -> None:
    with ExitStack() as stack:
        crowd = [stack.enter_context(socket.socket()) for _ in range(how_many)]
        for one in crowd:
            one.setblocking(False)  # noqa: FBT003, a flag of its own
            one.bind((address, 0))
            one.connect_ex(("127.0.0.1", port))
        for one in crowd:
            with suppress(OSError):
                one.send(UPGRADE[:20])
        await asyncio.sleep(HELD)


def main() -> None:
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port, each, half_open = map(int, sys.argv[1:4])
    sys.stdout.write(f"attacking port {port}.\n")
    sys.stdout.flush()
    asyncio.run(attack(port, each, half_open, sys.argv[4:]))


if __name__ == "__main__":
    main()
