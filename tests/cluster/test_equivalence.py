"""Over nodes, play is what it is at one server: it ends the same whatever happens to the lines, and tells nobody more."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from diadem_server.app import App
from diadem_server.cluster import lobby_lines
from diadem_server.cluster.node import Node
from diadem_shared.games import GAMES
from tests.cluster.nodes import joined
from tests.cluster.postgres import Postgres, until
from tests.rig.resumed_match import MOVES, Trouble, play
from tests.rig.resuming import Fault
from tests.rig.wire_interference import check_wire

HIDING = ("diadingo", "diamino-bonus")
"""Games that keep secrets in hands, and in what was once seen."""

pytestmark = pytest.mark.usefixtures("quick")


@asynccontextmanager
async def linked(postgres: Postgres, folder: Path) -> AsyncIterator[tuple[Node, Node]]:
    database = await postgres.create()
    async with joined(folder, database) as first, joined(folder, database) as second:
        await until(lambda: all(each.mesh and each.mesh.links for each in (first, second)))
        yield first, second


@pytest.mark.parametrize("fault", [each for each in Fault if each is not Fault.NONE])
def test_a_match_whose_players_change_nodes_again_and_again_ends_as_one_without_faults(
    fault: Fault, postgres: Postgres
) -> None:
    @asynccontextmanager
    async def nodes() -> AsyncIterator[Sequence[App]]:
        with TemporaryDirectory() as folder:
            async with linked(postgres, Path(folder)) as both:
                yield [node.app for node in both]

    always = [Trouble(fault, waiting_is_cut=True)] * MOVES
    assert asyncio.run(play("diamoniak", always, nodes)) == asyncio.run(
        play("diamoniak", [], nodes)
    )


@pytest.mark.parametrize("name", HIDING)
async def test_no_frame_tells_what_its_viewer_cannot_know(
    name: str, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of tables of one node, by another."""
    monkeypatch.setattr(lobby_lines, "BROADCAST_SECONDS", 0.0)

    async def nodes(folder: Path, stack: AsyncExitStack) -> tuple[App, App]:
        home, front = await stack.enter_async_context(linked(postgres, folder))
        return home.app, front.app

    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
    assert await check_wire(GAMES[name], 0, folders, opened=nodes)
