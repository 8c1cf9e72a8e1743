"""The list of tables, that keeps itself up to date."""

from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.storage.changes import Change
from diadem_server.storage.journal import SeatTaken
from diadem_server.table import views
from diadem_shared import protocol
from diadem_shared.bot_names import BOT_NAMES
from diadem_shared.entries import Setup, TurnClock
from diadem_shared.match import Match
from diadem_shared.protocol import LobbyView
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import NUMBERS, code, done, started


async def test_the_lobby_tells_of_every_change(ana: Player, bob: Player) -> None:
    await done(bob, protocol.WatchLobby, on=True)
    assert await bob.until(lambda: bob.lobby) == LobbyView([])
    table = await ana.make(NUMBERS)
    line = await _line(bob, 1)
    assert (line.table, line.game, line.names, line.seats) == (table, "numbers", ("Ana",), 3)
    await done(ana, protocol.AddBot, "halver")
    line = await _line(bob, 2)
    assert line.names[0] == "Ana"
    assert line.names[1] in BOT_NAMES
    assert line.bots == (1,)
    await done(ana, protocol.Start)
    await play_to_the_end(ana)
    await bob.until(lambda: bob.lobby == LobbyView([]))


async def test_the_lobby_tells_what_was_agreed_on(ana: Player, bob: Player) -> None:
    await done(bob, protocol.WatchLobby, on=True)
    await ana.make(Setup("numbers", {"highest": 99}, rounds=3, clock=TurnClock(45)))
    line = await _line(bob, 1)
    assert (line.rounds, line.clock, line.options) == (3, TurnClock(45), {"highest": 99})
    board = Match(Setup("diamino-rummy", {"board": "." * 101, "language": "fr"}))
    assert views.line("K7QD", board).options == {"language": "fr"}


async def _line(player: Player, names: int) -> protocol.TableLine:
    def found() -> protocol.TableLine | None:
        tables = player.lobby.tables if player.lobby else []
        return next((line for line in tables if len(line.names) == names), None)

    return await player.until(found)


async def test_an_empty_table_is_cleared_away(app: App, ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await done(ana, protocol.AddBot, "halver")
    await done(bob, protocol.WatchLobby, on=True)
    task = app.lobby.tables[table].task
    assert task is not None
    await done(ana, protocol.Part)
    await bob.until(lambda: bob.lobby == LobbyView([]))
    await task
    assert await app.lobby.journal.codes() == set()


async def test_whom_the_journal_finds_at_another_table_does_not_sit_down(
    app: App, ana: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another server may have taken them in, after this one looked."""

    async def taken(*_: Change) -> None:
        raise SeatTaken("AWAY")

    table = await ana.make(NUMBERS)
    await done(bob, protocol.Join, table)
    with monkeypatch.context() as patch:
        patch.setattr(app.lobby.journal, "write", taken)
        for answer in (await bob.ask(protocol.Sit), await bob.ask(protocol.Make, NUMBERS)):
            assert isinstance(answer, protocol.Refused)
            assert answer.why.code == "seated_elsewhere"
            assert answer.why.about == {"table": "AWAY"}
        assert list(app.lobby.tables) == [table]
    await done(bob, protocol.Sit)


async def test_a_private_table_is_found_by_its_code_alone(ana: Player, bob: Player) -> None:
    table = await ana.make(Setup("numbers", private=True))
    await done(bob, protocol.WatchLobby, on=True)
    assert await bob.until(lambda: bob.lobby) == LobbyView([])
    await bob.join(table.lower())
    await bob.seen(lambda view: view.seat == 1)


async def test_the_lobby_falls_silent_when_told(app: App, ana: Player) -> None:
    await done(ana, protocol.WatchLobby, on=True)
    await ana.until(lambda: ana.lobby)
    await done(ana, protocol.WatchLobby, on=False)
    await started(ana)
    assert not app.lobby.lobby_watchers


async def test_there_are_no_more_tables_than_allowed(tmp_path: Path) -> None:
    setup = Setup("diamoniak")
    async with (
        server(tmp_path, max_tables=1) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        await ana.make(setup)
        assert code(await bob.ask(protocol.Make, setup)) == "too_many_tables"
