"""A match that is over is shown as it was seen while it ran."""

import pytest

from diadem_client.state.replay_state import picture_at
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.match_file import read
from diadem_shared.playback import Playback
from diadem_shared.playout import play_out
from tests.client.ui.screens.staged import SEED, Sitting
from tests.shared.match_files import file_of

SECRET = SEED.ljust(32, b"\0")


@pytest.fixture(scope="module")
def playback() -> Playback:
    setup = Setup("diamino-bonus", {"language": "en"})
    steps = list(play_out(setup, ["zombie", "zombie"], SECRET))
    found = Playback(read(file_of(steps[-1].match, [step.entry for step in steps], SECRET)))
    for _ in found.prepare():
        pass
    return found


def test_each_seat_sees_its_own_hand_and_who_looks_on_sees_none(playback: Playback) -> None:
    match = playback.match_at(playback.first)
    for viewer in (0, 1, None):
        table = picture_at(playback, playback.first, viewer).table
        assert table is not None
        assert (table.seat, table.view) == (viewer, match.game.view(match.state, viewer))
    outside = picture_at(playback, playback.first, 7).table
    assert outside is not None
    assert outside.seat is None


def test_it_is_told_as_the_live_table_told_it(playback: Playback) -> None:
    """By the same words, entry by entry."""
    sitting = Sitting(playback.match_at(0).setup)
    for number in range(1, playback.last + 1):
        sitting.enter(playback.step(number).entry) if number < playback.first else None
    live = Sitting(playback.match_at(0).setup)
    for number in range(1, playback.last + 1):
        step = playback.step(number)
        live.match = step.match
        live._show(step.match, step.entry, step.told, ())  # noqa: SLF001, of the rig
    table, replayed = live.client_state.table, picture_at(playback, playback.last, 0).table
    assert table is not None
    assert replayed is not None
    shown = [(line.entry, line.text) for line in table.log if line.entry >= playback.first]
    assert [(line.entry, line.text) for line in replayed.log] == shown[-len(replayed.log) :]
    assert replayed.public.phase is Phase.OVER
    assert (replayed.names, replayed.public.rounds) == (table.names, table.public.rounds)
    assert replayed.view == table.view
