"""Standings are made from the journal that all nodes share: each tells the same, wherever a match was played."""

from contextlib import AsyncExitStack

import pytest

from diadem_server.cluster.node import Node
from diadem_server.lobby import standings
from diadem_shared import protocol
from diadem_shared.standings import LEAST_MATCHES
from tests.rig.wire import Player, play_to_the_end
from tests.server import done, started
from tests.server.lobby.test_standings import people

pytestmark = pytest.mark.usefixtures("quick", "numbers")


async def told(player: Player) -> protocol.Standings:
    answer = await player.ask(protocol.GetStandings, "numbers")
    assert isinstance(answer, protocol.Standings)
    return answer


async def test_nodes_tell_the_same_standings(
    both: tuple[Node, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "FRESH_SECONDS", 0.0)
    async with AsyncExitStack() as stack:
        (ana, eve), (bob, eva) = [
            [await stack.enter_async_context(Player(node.app.port, name)) for name in names]
            for node, names in zip(both, (("Ana", "Eve"), ("Bob", "Eva")), strict=True)
        ]
        for number in range(LEAST_MATCHES + 1):
            pair = (ana, bob) if number % 2 else (bob, ana)  # at the node of whoever comes first
            await started(*pair)
            await play_to_the_end(*pair)
            for each in pair:
                await done(each, protocol.Part)
            if number >= LEAST_MATCHES - 1:
                lines = (await told(eve)).lines
                assert lines == (await told(eva)).lines
                assert [line.matches for line in lines if line.bot is None] == [number + 1] * 2
        await done(ana, protocol.SetListed, on=False)
        for stranger in (eve, eva):
            assert people(await told(stranger)) == ["Bob"]
        await done(ana, protocol.SetListed, on=True)
        again = await told(bob)
        assert set(people(again)) == {"Ana", "Bob"}
        assert again.mine is not None
        assert again.lines[again.mine].name == "Bob"
