"""The official client plays through a server that says more than anybody knows yet, as docs/protocol.md promises (section 9)."""

from pathlib import Path

import pytest

from diadem_client.net.transport import Connected
from diadem_client.state.client_state import ClientState
from diadem_client.state.forms import questions
from diadem_client.ui.widgets.log_and_chat import lines_of
from diadem_client.wording.options import agreed, temper
from diadem_client.wording.refusals import sentence_for
from diadem_shared import protocol
from diadem_shared.entries import GameClock, Setup
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from tests.client.net.clients import running
from tests.client.net.fair_match import Pair
from tests.rig import later_server as rig
from tests.rig.wire import server

MOVES = 6
"""That are made before the connections are closed, the first time."""


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_is_played_to_its_end(game: str, tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        rig.later_server(app.port) as later,
        running(later.port) as ana,
        running(later.port, "Bob") as bob,
    ):
        both = Pair(app, ana, bob)
        await ana.ask(protocol.WatchLobby, on=True)
        await both.begin(Setup(game, clock=GameClock(600), hints=True))
        for each in both.ana, both.bob:
            await each.ask(protocol.GetHint)
        await both.play_on(MOVES)
        await later.hang_up()
        await both.play_on()
        for check in await both.checks():
            assert check.is_verified
            assert (check.fault, check.doubt) == (None, None)
        assert later.connections == 4
        for client_state in (ana.client_state, bob.client_state):
            _assert_whole(client_state)


def _assert_whole(client_state: ClientState) -> None:
    """All that is known is shown as ever, and what is not by its name."""
    table = client_state.table
    assert table is not None
    assert table.public.phase is Phase.OVER
    told = [line.text for line in table.log]
    for name in ("Ana: sneezed; force 3", "sneezed; deep 1"):
        assert any(text.startswith(name) for text in told)
    assert all(line.text for line in lines_of(table))
    assert isinstance(client_state.link, Connected)
    assert rig.FEATURE in client_state.features


async def test_what_is_offered_and_refused_is_shown_by_its_name(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        rig.later_server(app.port) as later,
        running(later.port) as ana,
    ):
        await ana.ask(protocol.WatchLobby, on=True)
        await ana.until(lambda client_state: client_state.lobby)
        await ana.ask(protocol.Describe)
        assert ana.client_state.lobby is not None
        assert [line.game for line in ana.client_state.lobby] == [rig.GAME]
        for game in (*GAMES, rig.GAME):
            assert rig.OPTION in {question.name for question in questions(game)}
        await ana.ask(protocol.Make, Setup("diadingo"))
        await ana.ask(protocol.AddBot, "zombie")
        table = (await ana.until(lambda it: it.table and len(it.table.names) == 2)).table
        assert table is not None
        assert table.public.players[1].bot == rig.LEVEL == temper(rig.LEVEL, "diadingo")
        assert f"{rig.OPTION}: yes" in agreed(table.public.setup)
        refused = await ana.ask(protocol.Play, "take C4")
        assert "bad_weather" in sentence_for(refused.why)
