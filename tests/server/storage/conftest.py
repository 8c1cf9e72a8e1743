"""A journal of each kind."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diadem_server.cluster.journal import PostgresJournal
from diadem_server.storage.journal import Journal
from diadem_server.storage.sqlite import SqliteJournal
from tests.cluster.postgres import Postgres
from tests.server.storage import Place


@pytest.fixture(
    params=["sqlite", pytest.param("postgres", marks=pytest.mark.cluster)],
)
async def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return Place(lambda: SqliteJournal(tmp_path))
    postgres: Postgres = request.getfixturevalue("postgres")
    database = await postgres.create()
    return Place(lambda: PostgresJournal(database))


@pytest.fixture
async def journal(place: Place) -> AsyncIterator[Journal]:
    async with place.opened() as journal:
        yield journal
