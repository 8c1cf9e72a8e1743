"""A gate for the tests of a module that need none of their own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.rig.gates import until
from tests.ssh.rig import Host, host

HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a gate share its event loop, and so a worker."""
    for item in items:
        if item.path.parent == HERE and "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="module"), append=False)
            item.add_marker(pytest.mark.xdist_group(f"{HERE.name} {item.path.stem}"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Host]:
    async with host(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def at(shared: Host) -> AsyncIterator[Host]:
    """Nobody is there who came in an earlier test. Who plays at a table may stay seated: that takes a gate of its own."""
    assert not shared.app.lobby.tables
    yield shared
    await until(lambda: not any(_here(shared)), lambda: f"nobody to be there: {_here(shared)}")


def _here(gate: Host) -> tuple[int, int, int]:
    """Clients, connections, and sessions that are counted."""
    return len(gate.clients), gate.lines, int(gate.app.lobby.metrics.ssh_sessions)
