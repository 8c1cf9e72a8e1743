"""Three nodes that are one Diadem."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.server.cluster.nodes import Cluster, cluster


@pytest.fixture
async def made(tmp_path: Path) -> AsyncIterator[Cluster]:
    async with cluster(tmp_path, 3) as made:
        yield made
