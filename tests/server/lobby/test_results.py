"""Matches that ended before results were kept are played again, beside those that are played."""

from collections.abc import Sequence
from math import inf
from pathlib import Path

import pytest

from diadem_server.lobby import results
from diadem_server.storage.journal import Journal
from diadem_shared import protocol
from diadem_shared.results import VERSION
from diadem_shared.standings import Line
from tests.rig.journals import change
from tests.rig.wire import Player, play_to_the_end, server
from tests.sample_game import Numbers
from tests.server import done, started


def empty(folder: Path) -> None:
    """As a version without results has left it."""
    change(folder, "DELETE FROM results")
    change(folder, "UPDATE tables SET summed = NULL")


async def summed_up(journal: Journal) -> None:
    while await journal.unsummed(VERSION, 1):
        await journal.settled()


async def ended(folder: Path, *, resigns: bool) -> Sequence[Line]:
    """What is kept of a match, made with its last entry."""
    async with (
        server(folder) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        await started(ana, bob)
        if resigns:
            await done(bob, protocol.Resign)
        await play_to_the_end(*((ana,) if resigns else (ana, bob)))
        return await app.lobby.journal.results_after("numbers", None, 0.0, inf, 9)


@pytest.mark.parametrize("resigns", [False, True])
async def test_results_that_are_made_again_are_those_that_were_made_at_first(
    tmp_path: Path, numbers: Numbers, monkeypatch: pytest.MonkeyPatch, *, resigns: bool
) -> None:
    monkeypatch.setattr(results, "PAGE", 2)
    before = await ended(tmp_path, resigns=resigns)
    assert len(before) == 2
    empty(tmp_path)
    async with server(tmp_path) as app:
        await summed_up(app.lobby.journal)
        again = await app.lobby.journal.results_after(numbers.name, None, 0.0, inf, 9)
    assert [(line.match, line.session, line.result) for line in again] == [
        (line.match, line.session, line.result) for line in before
    ]
    assert abs(again[0].ended - before[0].ended) < 0.01


async def test_a_match_of_other_rules_is_left_out_and_not_tried_again(
    tmp_path: Path, numbers: Numbers
) -> None:
    await ended(tmp_path, resigns=False)
    empty(tmp_path)
    change(tmp_path, "UPDATE tables SET version = 99")
    async with server(tmp_path) as app:
        await summed_up(app.lobby.journal)
        assert await app.lobby.journal.count_results(numbers.name, inf) == 0


async def test_a_match_that_cannot_be_read_keeps_no_other_from_being_summed_up(
    tmp_path: Path, numbers: Numbers
) -> None:
    await ended(tmp_path, resigns=False)
    empty(tmp_path)
    change(
        tmp_path,
        "INSERT INTO tables SELECT 'AAAA', made, 'nonsense', seed, version, 1.0, line, NULL, NULL FROM tables",
    )
    async with server(tmp_path) as app:
        await summed_up(app.lobby.journal)
        assert await app.lobby.journal.count_results(numbers.name, inf) == 2
