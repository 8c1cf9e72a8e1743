"""With its last entry a match leaves a result for each of its players."""

from math import inf

import pytest

from diadem_server.app import App
from diadem_server.storage.changes import Change, FinishTable, NewEntry, NewResults
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.table.results import match_id
from diadem_shared import protocol
from diadem_shared.entries import Moved
from diadem_shared.match import Phase
from diadem_shared.standings import Line
from tests.rig.wire import Player, play_to_the_end
from tests.server import NUMBERS, done, is_in, started


async def result_of(app: App, player: Player) -> list[Line]:
    session = app.lobby.sessions.known(player.token)
    assert session is not None
    return await app.lobby.journal.results_of(session.id, inf, 9)


async def test_each_player_has_one_of_the_same_match(app: App, ana: Player, bob: Player) -> None:
    await started(ana, bob)
    await play_to_the_end(ana, bob)
    (of_ana,), (of_bob,) = await result_of(app, ana), await result_of(app, bob)
    assert (of_ana.match, of_ana.ended) == (of_bob.match, of_bob.ended)
    assert {of_ana.result.place, of_bob.result.place} == {1, 2}
    assert [other.name for other in of_ana.result.others] == ["Bob"]


async def test_who_has_resigned_has_one_and_who_looked_on_has_none(
    app: App, ana: Player, bob: Player, cem: Player
) -> None:
    table = await started(ana, bob)
    await cem.join(table, sit=False)
    await done(bob, protocol.Resign)
    await play_to_the_end(ana)
    (of_bob,) = await result_of(app, bob)
    assert (of_bob.result.place, of_bob.result.stayed) == (2, False)
    assert await result_of(app, cem) == []


async def test_a_program_is_known_as_one(app: App, ana: Player) -> None:
    async with Player(app.port, "Robot", bot=True) as robot:
        await started(ana, robot)
        await play_to_the_end(ana, robot)
        assert [line.result.is_program for line in await result_of(app, robot)] == [True]
        assert [line.result.is_program for line in await result_of(app, ana)] == [False]


async def test_an_end_that_is_written_at_the_second_try_counts_once(
    app: App, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await started(ana)
    write = app.lobby.journal.write
    refused: list[Change] = []

    async def write_later(*changes: Change) -> None:
        if not refused and any(isinstance(each, FinishTable) for each in changes):
            refused.extend(changes)
            raise JournalUnavailable("the disk is full")
        await write(*changes)

    monkeypatch.setattr(app.lobby.journal, "write", write_later)
    for number in range(1, 10):
        await ana.play(f"guess {number}")
    first = next(each for each in refused if isinstance(each, NewEntry))
    assert isinstance(first.row.entry, Moved)
    await ana.play(first.row.entry.move)
    await ana.seen(is_in(Phase.OVER))
    (once,) = next(each for each in refused if isinstance(each, NewResults)).lines
    assert [line.result for line in await result_of(app, ana)] == [once.result]


async def test_a_match_that_nobody_began_leaves_none(app: App, ana: Player) -> None:
    await ana.make(NUMBERS)
    await done(ana, protocol.Part)
    assert await result_of(app, ana) == []


def test_a_match_is_known_by_its_seed_and_not_by_its_code() -> None:
    assert match_id(b"seed") == match_id(b"seed") != match_id(b"other")
    assert 0 <= match_id(b"seed") < 2**53
