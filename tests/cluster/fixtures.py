"""A PostgreSQL for each process that runs tests, and a database for each test."""

from collections.abc import Iterator

import pytest

from tests.cluster.postgres import Postgres, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running() as (postgres, _):
        yield postgres
