"""Tables over real sockets: made, found, sat at, played at, left and come back to."""

from pathlib import Path

from diadem import protocol
from diadem.entries import Setup
from diadem.protocol import Accepted
from tests.rig.wire import Player, play_to_the_end, server

DIAMONIAK = Setup("diamoniak", options={"youngest": 0})


async def test_a_whole_match_is_played_over_the_wire(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        table = await ana.make(DIAMONIAK)
        await bob.join(table)
        assert isinstance(await ana.ask(protocol.Ready, ready=True), Accepted)
        await bob.ask(protocol.Ready, ready=True)
        await play_to_the_end(ana, bob, level="strong")
        assert ana.view is not None
        assert sum(ana.view.public["rounds"][0]["scores"]) == 1
        assert ana.events("match_over") == bob.events("match_over")
