"""A player is told how they have fared, and nobody else is."""

from math import inf

from diadem_server.app import App
from diadem_server.lobby import statistics
from diadem_server.storage.changes import DropTable, NewResults
from diadem_shared import protocol
from diadem_shared.highlights import Highlight
from diadem_shared.protocol import OwnStatistics
from diadem_shared.results import Result
from diadem_shared.standings import Line
from tests.rig.wire import Player, play_to_the_end
from tests.server import started


async def test_who_has_played_is_told_how_they_have_fared(
    ana: Player, bob: Player, cem: Player
) -> None:
    assert await ana.ask(protocol.GetStatistics) == OwnStatistics(1, ())
    await started(ana, bob)
    await play_to_the_end(ana, bob)
    (mine,), (his,) = [(await each.ask(protocol.GetStatistics)).games for each in (ana, bob)]
    assert (mine.game, mine.matches, mine.won + his.won) == ("numbers", 1, 1)
    assert [opponent.name for opponent in mine.opponents] == ["Bob"]
    assert (await cem.ask(protocol.GetStatistics)).games == ()


async def test_they_outlive_the_matches(app: App, ana: Player, bob: Player) -> None:
    await started(ana, bob)
    await play_to_the_end(ana, bob)
    await app.lobby.journal.write(
        *(DropTable(code) for code in await app.lobby.journal.superfluous(0, 0))
    )
    assert (await ana.ask(protocol.ListReplays)).replays == []
    assert (await ana.ask(protocol.GetStatistics)).games[0].matches == 1


async def test_the_newest_matches_count(app: App, ana: Player) -> None:
    session = app.lobby.sessions.known(ana.token)
    assert session is not None
    most = statistics.MOST_COUNTED
    lines = [
        Line(
            number,
            session.id,
            float(number),
            Result("diamoniak", 1, True, 0, highlights=(Highlight("castle", number + 1),)),  # noqa: FBT003
        )
        for number in range(most + 50)
    ]
    await app.lobby.journal.write(NewResults("AAAA", 1, lines))
    (game,) = (await ana.ask(protocol.GetStatistics)).games
    assert (game.matches, game.longest) == (most, most)
    assert [each.value for each in game.highlights] == [51]
    assert await app.lobby.journal.count_results("diamoniak", inf) == most + 50
