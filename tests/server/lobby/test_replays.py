"""Finished matches: listed for those who played, shown whole, pruned by option and age."""

from pathlib import Path

import msgspec
import pytest

from diadem_server.app import App
from diadem_server.lobby import prune, replays
from diadem_shared import protocol
from diadem_shared.entries import Adjudicated, Entry, Sat, Setup, Started
from diadem_shared.match import Phase, replay
from diadem_shared.protocol import Replay, Replays
from tests.rig.journals import select
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import NUMBERS, Calendar, Time, code, done, is_in, started


async def test_a_finished_match_is_a_replay_for_those_who_played(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await cem.join(table, sit=False)
    assert (await ana.ask(protocol.ListReplays)).replays == []
    assert code(await ana.ask(protocol.GetReplay, table)) == "no_such_replay"
    await play_to_the_end(ana, bob)
    assert ana.view is not None
    for player in (ana, bob):
        listed = await player.ask(protocol.ListReplays)
        assert isinstance(listed, Replays)
        (line,) = listed.replays
        assert (line.table, line.game, line.names) == (table, "numbers", ("Ana", "Bob"))
        whole = await player.ask(protocol.GetReplay, table.lower())
        assert isinstance(whole, Replay)
        entries = [msgspec.convert(each, Entry) for each in whole.entries]
        match = replay(whole.setup, entries, whole.seed)
        assert match.phase is Phase.OVER
        assert match.totals == line.totals
    assert (await cem.ask(protocol.ListReplays)).replays == []
    assert code(await cem.ask(protocol.GetReplay, table)) == "no_such_replay"


async def test_matches_are_listed_page_by_page_with_when_and_where_one_sat(
    app: App, ana: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "MOST_LISTED", 2)
    tables = []
    for _ in range(3):
        tables.append(await started(ana, bob))
        await play_to_the_end(ana, bob)
        for player in (ana, bob):
            await done(player, protocol.Part)
    first = await bob.ask(protocol.ListReplays)
    assert (first.more, [line.table for line in first.replays]) == (True, tables[:0:-1])
    last = await bob.ask(protocol.ListReplays, tables[1].lower())
    assert (last.more, [line.table for line in last.replays]) == (False, tables[:1])
    (line,) = last.replays
    assert (line.seat, abs(line.ended - app.lobby.config.now()) < 60) == (1, True)
    for before in (tables[0], "NONE"):
        assert (await ana.ask(protocol.ListReplays, before)).replays == []


async def test_a_match_that_one_has_given_up_is_listed_with_ones_seat(
    ana: Player, bob: Player
) -> None:
    await started(ana, bob)
    await done(bob, protocol.Resign)
    await play_to_the_end(ana)
    (line,) = (await bob.ask(protocol.ListReplays)).replays
    assert line.seat == 1


async def test_a_long_replay_is_read_in_pieces(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is read at once the loop makes a frame in one turn, in which nobody else is served."""
    pieces: list[int] = []
    entries_after = app.lobby.journal.entries_after

    async def noted(code: str, number: int, most: int) -> list[tuple[int, Entry]]:
        piece = await entries_after(code, number, most)
        pieces.append(len(piece))
        return piece

    monkeypatch.setattr(app.lobby.journal, "entries_after", noted)
    assert replays.PAGE <= 300
    monkeypatch.setattr(replays, "PAGE", 20)
    async with Player(app.port, "Ana") as ana:
        table = await ana.make(NUMBERS)
        for _ in range(50):
            await done(ana, protocol.Change, NUMBERS)
        await done(ana, protocol.Start)
        await done(ana, protocol.Resign)
        await ana.seen(is_in(Phase.OVER))
        whole = await ana.ask(protocol.GetReplay, table)
    assert len(whole.entries) == sum(pieces) > 50
    assert max(pieces) == 20


async def test_who_left_for_good_has_played_too(ana: Player) -> None:
    await started(ana)
    await done(ana, protocol.Resign)
    await ana.seen(is_in(Phase.OVER))
    assert len((await ana.ask(protocol.ListReplays)).replays) == 1


async def test_who_was_removed_before_the_start_has_not(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await done(ana, protocol.Remove, 1)
    await done(ana, protocol.Start)
    await play_to_the_end(ana)
    assert (await bob.ask(protocol.ListReplays)).replays == []


@pytest.mark.usefixtures("numbers")
async def test_old_replays_are_pruned(tmp_path: Path) -> None:
    async with server(tmp_path, keep_replays=2) as app, Player(app.port, "Ana") as ana:
        tables = []
        for _ in range(4):
            tables.append(await started(ana))
            await play_to_the_end(ana)
        running = await started(ana)
        await prune.tidy(app.lobby)
        listed = await ana.ask(protocol.ListReplays)
        assert [line.table for line in listed.replays] == tables[:1:-1]
        assert await app.lobby.journal.codes() == {*tables[2:], running}
        codes = select(tmp_path, "SELECT code FROM all_entries")
        assert {row[0] for row in codes} == {*tables[2:], running}


async def test_strangers_are_forgotten_and_players_are_not(app: App, calendar: Calendar) -> None:
    async with Player(app.port, "Cem") as present:
        players = [Player(app.port, name) for name in ("Ana", "Bob", "Dee")]
        stranger, seated, veteran = players
        for player in players:
            await player.connect()
        await started(seated)
        await started(veteran)
        await play_to_the_end(veteran)
        await done(veteran, protocol.Part)
        for player in players:
            await player.disconnect()
        known = app.lobby.sessions.known
        await present.until(lambda: True)
        await _nobody_but(app, present)
        calendar.ahead = prune.DAY
        await prune.tidy(app.lobby)
        assert known(stranger.token) is None
        assert known(seated.token)
        assert known(veteran.token)
        assert known(present.token)
        calendar.ahead = 91 * prune.DAY
        await prune.tidy(app.lobby)
        assert known(veteran.token) is None
        assert known(seated.token)


async def _nobody_but(app: App, player: Player) -> None:
    """The server has seen that all others are gone."""
    while sum(session.outbox is not None for session in app.lobby.sessions) > 1:
        await player.ask(protocol.Ping)


async def test_a_match_that_nobody_comes_to_is_ended(app: App, time: Time, bob: Player) -> None:
    ana = Player(app.port, "Ana")
    await ana.connect()
    table = app.lobby.tables[await started(ana, setup=Setup("numbers", patience=None))]
    await ana.disconnect()
    await _nobody_but(app, bob)
    await prune.tidy(app.lobby)
    assert [type(logged.entry) for logged in table.history] == [Sat, Started]
    time.goes_on(8 * prune.DAY)
    await prune.tidy(app.lobby)
    assert table.task is not None
    await table.task
    assert [type(logged.entry) for logged in table.history] == [Sat, Started, Adjudicated]
    assert table.code not in app.lobby.tables
