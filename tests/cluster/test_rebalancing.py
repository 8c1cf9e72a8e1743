"""Tables go from a node that has many to one that has few, and those who are there go along."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from diadem_server.cluster import rebalancing
from diadem_server.cluster.node import Node
from diadem_shared import protocol
from tests.cluster.nodes import joined, owners, quicken
from tests.cluster.postgres import until
from tests.rig.wire import Player, play_to_the_end
from tests.server import NUMBERS, done, guess_wrong, started

pytestmark = pytest.mark.usefixtures("numbers")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)
    monkeypatch.setattr(rebalancing, "ROUND_SECONDS", 0.05)
    monkeypatch.setattr(rebalancing, "STEADY_SECONDS", 0.2)
    monkeypatch.setattr(rebalancing, "HERE_SECONDS", 0.2)


def here(node: Node) -> set[str]:
    return set(node.lobby.tables)


async def test_a_node_that_joins_gets_tables_and_no_turn_is_broken_off(
    tmp_path: Path, database: str
) -> None:
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(joined(tmp_path, database))
        players = [Player(first.app.port, name) for name in ("Ana", "Bob", "Cem", "Dee", "Eve")]
        for each in players:
            await each.connect()
        ana, bob, cem, dee, eve = players
        of_ana, of_eve = await started(ana), await started(eve)
        waiting = {await each.make(NUMBERS): each for each in (bob, cem, dee)}
        await eve.disconnect()
        second = await stack.enter_async_context(joined(tmp_path, database))
        await until(lambda: len(here(second)) == 2)
        has = await owners(database)
        assert has[of_ana] == first.journal.node, "it was her turn all the time"
        assert has[of_eve] == second.journal.node, "nobody was there"
        assert {code for code, node in has.items() if node == second.journal.node} == here(second)
        for player in waiting.values():
            await done(player, protocol.Start)
            await play_to_the_end(player)
        await guess_wrong(ana, first.app)
        for player in (ana, bob, cem, dee):
            assert player.socket is not None
            assert player.socket.close_code is None
            await player.disconnect()
