"""Attackers of a gate: how they are run, what came of it, and who sends all that is taken."""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

CUT_SECONDS = 15.0
"""In which an attacker is cut: more than a busy machine takes, and less than a gate's own limits grant, for which tests set shorter
ones."""


@dataclass
class Outcome:
    """The outcome of an attack."""

    was_cut: bool
    sent: int
    """Bytes that the gate took before login, packets that it may have taken after it."""
    seconds: float


Attack: TypeAlias = Callable[[str, int, float], Coroutine[Any, Any, Outcome]]
"""Of host and port: it runs until the gate closes it or its seconds are up."""


async def attacked(
    module: str, name: str, port: int, seconds: float, host: str = "127.0.0.1"
) -> Outcome:
    """By a process of its own, which has the processor to itself as far as there is one."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, name, host, str(port), str(seconds)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return Outcome(**json.loads(told))


def attack_alone(attacks: Mapping[str, Attack]) -> None:
    """As a module does that is run by itself, with the arguments NAME HOST PORT SECONDS."""
    name, host, port, seconds = sys.argv[1:]
    outcome = asyncio.run(attacks[name](host, int(port), float(seconds)))
    sys.stdout.write(json.dumps(asdict(outcome)))


async def pour(host: str, port: int, seconds: float, first: bytes, again: bytes) -> Outcome:
    """Send all that is taken, and read nothing."""
    begun = time.monotonic()
    sent = 0
    try:
        async with asyncio.timeout(seconds):
            _reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(first)
                while True:
                    writer.write(again)
                    sent += len(again)
                    await writer.drain()
                    sent -= writer.transport.get_write_buffer_size()
            finally:
                writer.transport.abort()
    except TimeoutError:
        return Outcome(was_cut=False, sent=sent, seconds=seconds)
    except OSError:
        return Outcome(was_cut=True, sent=sent, seconds=time.monotonic() - begun)
