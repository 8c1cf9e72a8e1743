"""Nodes for tests: in this process, or as a process that can be killed."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from pathlib import Path

import asyncpg
import pytest
from websockets.exceptions import WebSocketException
from websockets.frames import CloseCode

from diadem_server.app import App
from diadem_server.cluster import draining, membership, node, ownership, rebalancing, transfer
from diadem_server.cluster.node import Node
from diadem_server.config import ClusterConfig, Config
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.protocol import Accepted, Welcome
from tests.patience import PATIENCE
from tests.programs import tied
from tests.rig.wire import Player
from tests.server import mover

CASTLES = Setup("diamoniak")
MOVES = 6
SENT_AWAY = (CloseCode.SERVICE_RESTART, CloseCode.TRY_AGAIN_LATER)
"""How lines end of a node that wakes up when others have its tables: it may first see that a commit is not answered."""
COMMAND = (sys.executable, "-c", "from diadem_server.cli import main; main()")


def quicken(patch: pytest.MonkeyPatch) -> None:
    """Nodes of this process notice sooner that another is gone."""
    patch.setattr(membership, "BEAT_SECONDS", 0.1)
    patch.setattr(membership, "DEAD_SECONDS", 2.0)
    patch.setattr(membership, "UNLOCKED_SECONDS", 0.5)
    patch.setattr(ownership, "LOOK_SECONDS", 0.02)
    patch.setattr(rebalancing, "STEADY_SECONDS", inf)  # a test on a busy machine may take minutes
    patch.setattr(draining, "LINES_SECONDS", 0.1)
    for module, name in (
        (draining, "TABLES_SECONDS"),
        (draining, "GUESTS_SECONDS"),
        (transfer, "FINISH_SECONDS"),
    ):
        patch.setattr(module, name, PATIENCE)  # other tests run at the same time
    patch.setattr(node, "AGAIN_SECONDS", 0.05)
    patch.setattr(node, "END_SECONDS", 2 * PATIENCE)


def config(folder: Path, port: int = 0) -> Config:
    return Config(folder, "127.0.0.1", port=port, announce=False, bot_pause=0.0, burst=10**6)


@asynccontextmanager
async def joined(folder: Path, database: str) -> AsyncIterator[Node]:
    async with Node(config(folder), ClusterConfig(database)) as joined:
        yield joined


class Running:
    """A server that joins again whenever it is fenced, as `game-server --cluster` does."""

    def __init__(self, folder: Path, database: str) -> None:
        self.told_to_end = asyncio.Event()
        self.told_again = asyncio.Event()
        self.apps: asyncio.Queue[App] = asyncio.Queue()
        """One for each time that it has joined."""
        self.may_close_gates = asyncio.Event()
        self.may_close_gates.set()
        self.task = asyncio.create_task(
            node.run(
                *(config(folder), ClusterConfig(database), self._opened),
                *(self.told_to_end, self.told_again),
            )
        )

    @asynccontextmanager
    async def _opened(self, app: App) -> AsyncIterator[None]:
        self.apps.put_nowait(app)
        yield
        await self.may_close_gates.wait()

    async def end(self) -> None:
        self.told_to_end.set()
        await self.task


@asynccontextmanager
async def running(folder: Path, database: str) -> AsyncIterator[Running]:
    server = Running(folder, database)
    try:
        yield server
    finally:
        await server.end()


@asynccontextmanager
async def process(
    folder: Path, database: str, *options: str, command: Sequence[str] = COMMAND
) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """`game-server --cluster`, and its port."""
    started = await asyncio.create_subprocess_exec(
        *tied(*command, "--cluster", database, "--data", str(folder)),
        *("--port", "0", "--host", "127.0.0.1", "--no-announce", *options),
        stdout=asyncio.subprocess.PIPE,
    )
    assert started.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            while b"game-client" not in (line := await started.stdout.readline()):
                assert line, "it ended before it had begun"
        yield started, int(line.rpartition(b":")[2])
    finally:
        with suppress(ProcessLookupError):
            started.kill()
        await started.communicate()


async def come_back(player: Player, port: int, table: str) -> None:
    """To this table, by whatever server listens at this port."""
    player.url = f"ws://127.0.0.1:{port}"
    async with asyncio.timeout(PATIENCE):
        while True:
            await player.disconnect()
            player.view = None
            with suppress(OSError, WebSocketException):
                if isinstance(await player.connect(), Welcome) and isinstance(
                    await player.ask(protocol.Join, table), Accepted
                ):
                    break
            await asyncio.sleep(0.02)
    await player.seen(lambda view: view.table == table)


async def fence(database: str, node: int) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute("DELETE FROM nodes WHERE id = $1", node)
    await connection.close()


async def owners(database: str) -> dict[str, int]:
    connection = await asyncpg.connect(database)
    rows = await connection.fetch("SELECT code, owner FROM tables")
    await connection.close()
    return {row["code"]: row["owner"] for row in rows}


async def closed_with(player: Player) -> int | None:
    assert player.socket is not None
    await player.socket.wait_closed()
    return player.socket.close_code


async def play(players: Sequence[Player], moves: int) -> None:
    """That many moves of Diamoniak, by whoever is to move."""
    game = GAMES[CASTLES.game]
    bots = {player.name: game.bots["zombie"](Chance(player.name.encode())) for player in players}
    for _ in range(moves):
        player = await mover(players)
        view = player.view
        assert view is not None
        move = bots[player.name].choose(
            game.read_view(view.seat, view.public["game"], view.private)
        )
        answer = await player.play(game.notate(move))
        assert isinstance(answer, Accepted)
        await player.seen(partial(_has_entry, answer.entry or 0))


def _has_entry(entry: int, view: protocol.TableView) -> bool:
    return view.entry >= entry
