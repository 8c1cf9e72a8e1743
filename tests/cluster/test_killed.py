"""A node is killed: what it has acknowledged besides moves is there at the node that takes its tables, and what it has not
is done once."""

from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from diadem_server.sessions import bot_tokens
from diadem_shared import protocol
from diadem_shared.match import Phase
from diadem_shared.protocol import MOVES as MOVES_WANTED
from diadem_shared.protocol import Accepted
from tests.cluster.nodes import CASTLES, MOVES, come_back, joined, play, process
from tests.cluster.postgres import until
from tests.rig.wire import Player, play_to_the_end
from tests.server import done, is_in, mover, seat_is, started

pytestmark = pytest.mark.usefixtures("quick")

WORDS = "well played"


async def test_what_a_killed_node_has_acknowledged_is_kept(tmp_path: Path, database: str) -> None:
    token = bot_tokens.make(tmp_path, "Rook")
    async with (
        joined(tmp_path, database) as other,
        process(tmp_path, database, "--max-commands", "100000") as (killed, port),
        AsyncExitStack() as stack,
    ):
        await until(lambda: other.mesh is not None and other.mesh.links)
        ana, bob, cem = [
            await stack.enter_async_context(Player(port, name)) for name in ("Ana", "Bob", "Cem")
        ]
        rook = Player(other.app.port, wants=(MOVES_WANTED,))
        rook.token = token
        await rook.connect()
        stack.push_async_callback(rook.disconnect)

        # A match that is over, with one who wants to play again
        over = await started(ana, bob, setup=CASTLES)
        await play_to_the_end(ana, bob)
        await done(ana, protocol.Say, WORDS)
        await done(ana, protocol.SetListed, on=False)
        await done(ana, protocol.Again)
        await bob.seen(seat_is(0, ready=True))

        # One that runs, with somebody who comes by the other node
        table = await started(cem, rook, setup=CASTLES)
        await play([cem, rook], MOVES)
        shown = max(each.view.entry for each in (cem, rook) if each.view is not None)

        # And one that nobody has begun
        gathering = await stack.enter_async_context(Player(port, "Dee"))
        waiting = await gathering.make(CASTLES)
        await done(gathering, protocol.AddBot, "zombie")

        killed.kill()
        unanswered = protocol.Say(next(rook.ids), WORDS)
        assert rook.socket is not None
        await rook.socket.send(protocol.pack(unanswered))
        eve = await stack.enter_async_context(Player(other.app.port, "Eve"))

        for player, where in ((ana, over), (bob, over), (cem, table), (rook, table)):
            await come_back(player, other.app.port, where)
        await done(eve, protocol.Join, table)
        view = await cem.seen(lambda view: view.entry >= shown)
        assert view.public["players"][1]["program"]
        assert isinstance(await rook.ask_again(unanswered), Accepted)
        await eve.until(lambda: eve.chat)
        assert [each.text for each in eve.chat] == [WORDS], "once, however often it came"
        while await mover([cem, rook]) is not rook:
            await play([cem, rook], 1)
        await rook.seen(lambda view: view.moves is not None)
        assert [each.name for each in other.lobby.sessions if each.has_bot_token] == ["Rook"]

        await come_back(gathering, other.app.port, waiting)
        view = await gathering.seen(lambda view: len(view.public["players"]) == 2)
        assert view.public["players"][1]["bot"] == "zombie"

        assert [each.text for each in bob.chat][-1] == WORDS
        (replay,) = (await ana.ask(protocol.ListReplays)).replays
        assert replay.table == over
        (fared,) = (await ana.ask(protocol.GetStatistics)).games
        assert (fared.game, fared.matches) == (CASTLES.game, 1)
        assert not (await ana.ask(protocol.GetStandings, CASTLES.game)).listed
        await ana.seen(seat_is(0, ready=True))
        await done(bob, protocol.Again)
        for player in (ana, bob):
            await player.seen(lambda view: view.table != over and is_in(Phase.PLAYING)(view))
