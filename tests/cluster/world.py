"""Nodes as processes, and players at them who go on playing, while a test does harm to what is between and below."""

import asyncio
import os
import signal
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import asyncpg

from diadem_shared import protocol
from tests.cluster.history import History, Kept
from tests.cluster.nodes import COMMAND, process
from tests.cluster.postgres import FAILOVER_SECONDS, until
from tests.cluster.wanderer import PAUSE, SETUP, Wanderer

OPTIONS = (
    *("--max-commands", "100000", "--max-arrivals", "100000", "--max-per-address", "1000"),
    *("--max-newcomers", "100000", "--max-written", "1000000"),
    *("--max-tables-per-address", "1000"),
)
ENTRIES = """
SELECT code, number, (SELECT name FROM sessions WHERE id = session), command FROM entries ORDER BY code, number
"""


class Process:
    """A node that can be stopped in every way."""

    def __init__(
        self, number: int, started: asyncio.subprocess.Process, port: int, stack: AsyncExitStack
    ) -> None:
        self.number = number
        """In the register, when it was started."""
        self.port = port
        self._process = started
        self._stack = stack

    def kill(self) -> None:
        self._process.kill()

    def freeze(self) -> None:
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.signal(signal.SIGCONT)

    def signal(self, number: int) -> None:
        os.kill(self._process.pid, number)

    async def end(self) -> int:
        """Tell it to end, and wait until it has."""
        self._process.terminate()
        return await self.ended()

    async def ended(self) -> int:
        return await self._process.wait()

    async def close(self) -> None:
        await self._stack.aclose()


class World:
    def __init__(self, folder: Path, database: str, stack: AsyncExitStack) -> None:
        self.database = database
        """Where the test itself asks; nodes may come there by another way."""
        self.history = History()
        self.nodes: list[Process] = []
        self.players: list[Wanderer] = []
        self.ports: list[int] = []
        self._folder = folder
        self._stack = stack
        self._tasks: list[asyncio.Task[None]] = []

    async def start_node(
        self, database: str = "", *options: str, command: Sequence[str] = COMMAND
    ) -> Process:
        own = await self._stack.enter_async_context(AsyncExitStack())
        before = await self.registered()
        started, port = await own.enter_async_context(
            process(self._folder, database or self.database, *OPTIONS, *options, command=command)
        )
        (number,) = await self.registered() - before
        node = Process(number, started, port, own)
        self.nodes.append(node)
        self.ports.append(port)
        return node

    def leave_out(self, node: Process) -> None:
        """Nobody comes to it any more."""
        self.nodes.remove(node)
        self.ports.remove(node.port)

    async def begin(self, tables: int) -> None:
        """Each by the next node, and its second player by the one after that."""
        for number in range(tables):
            await self._begin_table(number, self.ports)
        await self.all_move()

    async def begin_at(self, node: Process) -> None:
        """A table there, of players who have all come by other nodes."""
        ana = await self._begin_table(0, [node.port])
        ana.ports = self.ports
        ana.leave()
        await self.all_move()

    async def _begin_table(self, number: int, makers_ports: Sequence[int]) -> Wanderer:
        """With its maker."""
        table = len(self.players) // 2
        ana = Wanderer(f"Ana {table}", makers_ports, self.history, number)
        bob = Wanderer(f"Bob {table}", self.ports, self.history, number + 1)
        ana.begin_with(protocol.Make(0, SETUP))
        self._tasks.append(asyncio.create_task(ana.go_on()))
        await until(lambda: ana.table)
        bob.table = ana.table
        self._tasks.append(asyncio.create_task(bob.go_on()))
        self.players += [ana, bob]
        return ana

    async def all_move(self, times: int = 3, patience: float = FAILOVER_SECONDS) -> None:
        """Every player does, so often."""
        for task in self._tasks:
            assert not task.done(), task.result()
        try:
            async with asyncio.timeout(patience):
                await asyncio.gather(*(player.has_moved(times) for player in self.players))
        except TimeoutError:
            raise AssertionError("\n".join(map(str, self.players))) from None

    async def owner(self, number: int = 0) -> Process:
        """The node that has this player's table."""
        async with self.connected() as connection:
            wanted = await connection.fetchval(
                "SELECT owner FROM tables WHERE code = $1", self.players[number].table
            )
        return next(node for node in self.nodes if node.number == wanted)

    async def entries(self, table: str) -> int:
        async with self.connected() as connection:
            count = "SELECT count(*) FROM entries WHERE code = $1"
            return int(await connection.fetchval(count, table))

    @asynccontextmanager
    async def connected(self) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
        connection = await asyncpg.connect(self.database)
        try:
            yield connection
        finally:
            await connection.close()

    async def registered(self) -> set[int]:
        async with self.connected() as connection:
            exists = await connection.fetchval("SELECT to_regclass('nodes') IS NOT NULL")
            rows = await connection.fetch("SELECT id FROM nodes") if exists else []
            return {row["id"] for row in rows}

    async def all_beat(self, times: int) -> None:
        """Every node of the register does, so often, if it stays there."""
        before = await self._beats()
        while any(  # noqa: ASYNC110, what happens in the database wakes nobody here
            beat < before.get(node, 0) + times for node, beat in (await self._beats()).items()
        ):
            await asyncio.sleep(PAUSE)

    async def _beats(self) -> dict[int, int]:
        async with self.connected() as connection:
            rows = await connection.fetch("SELECT id, beat FROM nodes")
            return {row["id"]: row["beat"] for row in rows}

    async def stop_playing(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def faults(self) -> list[str]:
        async with self.connected() as connection:
            journal = defaultdict[str, list[Kept]](list)
            for code, *row in await connection.fetch(ENTRIES):
                journal[code].append(Kept(*row))
        refused = [str(each) for player in self.players for each in player.refused]
        return self.history.faults(journal) + refused


@asynccontextmanager
async def world(
    folder: Path, database: str, ways: Sequence[str] = ("", "", ""), tables: int = 4
) -> AsyncIterator[World]:
    """`ways`: by which address each node reaches the database, where that is another."""
    async with AsyncExitStack() as stack:
        made = World(folder, database, stack)
        for way in ways:
            await made.start_node(way)
        try:
            await made.begin(tables)
            yield made
        finally:
            await made.stop_playing()
