"""Databases of their own, and nodes that notice quickly what becomes of each other."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diadem_server.cluster.node import Node
from diadem_shared.games import GAMES
from tests.cluster.nodes import joined, quicken
from tests.cluster.postgres import Postgres, until
from tests.sample_game import Numbers


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> Numbers:
    """The sample game among the real ones."""
    game = Numbers()
    monkeypatch.setitem(GAMES, game.name, game)
    return game


@pytest.fixture
async def database(postgres: Postgres) -> str:
    return await postgres.create()


@pytest.fixture
async def both(tmp_path: Path, database: str) -> AsyncIterator[tuple[Node, Node]]:
    async with joined(tmp_path, database) as first, joined(tmp_path, database) as second:
        await until(lambda: len(first.membership.nodes) == 2)
        await until(lambda: all(each.mesh and each.mesh.links for each in (first, second)))
        yield first, second
