"""Attackers of a gate: how they are run, what came of it, and who sends all that is taken."""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

from tests.programs import tied

CUT_SECONDS = 15.0
"""In which an attacker is cut: more than a busy machine takes, and less than a gate's own limits grant, for which tests set shorter
ones."""


class Target(NamedTuple):
    """A gate, and the address that it is attacked from."""

    host: str
    port: int
    source: str

    async def dial(self, limit: int = 1 << 16) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        where = (self.source, 0)
        return await asyncio.open_connection(self.host, self.port, local_addr=where, limit=limit)


@dataclass
class Outcome:
    """The outcome of an attack."""

    was_cut: bool
    sent: int
    """Bytes that the gate took before login, packets that it may have taken after it."""
    seconds: float


Attack: TypeAlias = Callable[[Target, float], Coroutine[Any, Any, Outcome]]
"""It runs until the gate closes it or its seconds are up."""


async def attacked(
    module: str, names: Sequence[str], port: int, seconds: float
) -> dict[str, Outcome]:
    """All at once, each from an address of its own, by one process beside this one."""
    process = await asyncio.create_subprocess_exec(
        *tied(sys.executable, "-m", module, ",".join(names), "127.0.0.1", str(port), str(seconds)),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        told, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return {name: Outcome(**outcome) for name, outcome in json.loads(told).items()}


def attack_alone(attacks: Mapping[str, Attack]) -> None:
    """As a module does that is run by itself, with the arguments NAME[,NAME...] HOST PORT SECONDS."""
    names, host, port, seconds = sys.argv[1:]
    outcomes = asyncio.run(_attack(attacks, names.split(","), host, int(port), float(seconds)))
    sys.stdout.write(json.dumps({name: asdict(outcome) for name, outcome in outcomes.items()}))


async def _attack(
    attacks: Mapping[str, Attack], names: Sequence[str], host: str, port: int, seconds: float
) -> dict[str, Outcome]:
    sources = (f"127.0.1.{number}" for number in range(1, 255))
    outcomes = await asyncio.gather(
        *(
            attacks[name](Target(host, port, source), seconds)
            for name, source in zip(names, sources, strict=False)
        )
    )
    return dict(zip(names, outcomes, strict=True))


async def pour(target: Target, seconds: float, first: bytes, again: bytes) -> Outcome:
    """Send all that is taken, and read nothing."""
    begun = time.monotonic()
    sent = 0
    try:
        async with asyncio.timeout(seconds):
            _reader, writer = await target.dial()
            try:
                writer.write(first)
                while True:
                    writer.write(again)
                    sent += len(again)
                    await writer.drain()
                    sent -= writer.transport.get_write_buffer_size()
                    await asyncio.sleep(0)  # others attack beside it
            finally:
                writer.transport.abort()
    except TimeoutError:
        return Outcome(was_cut=False, sent=sent, seconds=seconds)
    except OSError:
        return Outcome(was_cut=True, sent=sent, seconds=time.monotonic() - begun)
