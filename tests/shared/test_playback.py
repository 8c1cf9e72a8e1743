"""A match is looked at in any order, as it was; what is no match is found out before it is shown."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from diadem_shared import playback as playback_module
from diadem_shared.entries import Adjudicated, Moved, Sat, Setup
from diadem_shared.game import digest
from diadem_shared.match import open_match, replay
from diadem_shared.match_file import Fault, Untrue, read
from diadem_shared.playback import Playback
from tests.cases import cases
from tests.shared.match_files import SECRET, file_of, played

MATCH, ENTRIES = played(Setup("diadingo", rounds=2))
FILE = read(file_of(MATCH, ENTRIES))
STATES = [
    digest(replay(MATCH.setup, ENTRIES[:number], SECRET)) for number in range(len(ENTRIES) + 1)
]


def prepared(file: object = FILE) -> Playback:
    playback = Playback(file)  # type: ignore[arg-type]
    assert list(playback.prepare()) == list(range(1, playback.last + 1))
    return playback


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, len(ENTRIES)), max_size=12))
def test_any_entry_is_found_from_any_other(numbers: list[int]) -> None:
    playback = prepared()
    for number in numbers:
        assert digest(playback.match_at(number)) == STATES[number]


def test_what_is_kept_of_a_match_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """And all of it is found all the same."""
    monkeypatch.setattr(playback_module, "MOST_STEPS", 5)
    monkeypatch.setattr(playback_module, "MOST_CHECKPOINTS", 3)
    monkeypatch.setattr(playback_module, "LEAST_STRIDE", 1)
    playback = prepared()
    for number in (*range(playback.last, 0, -1), playback.last):
        assert digest(playback.match_at(number)) == STATES[number]
    steps = playback.steps(0, playback.last)
    assert [step.match.entries for step in steps] == list(range(1, playback.last + 1))


def test_rounds_and_turns_are_gone_to() -> None:
    playback = prepared()
    assert len(playback.rounds) == 2
    assert playback.first == playback.rounds[0]
    for seat in (0, 1, None):
        at, stops = playback.first, []
        while at < playback.last:
            at = playback.turn_after(at, seat)
            stops.append(at)
        assert [
            each
            for each in stops[:-1]
            if not (seat is None or seat in playback.match_at(each).actors)
        ] == []
        back = [playback.turn_before(later, seat) for later in stops[1:]]
        assert back == stops[:-1]
        assert playback.turn_before(stops[0], seat) == playback.first
        assert [(before, after) for before, after in pairwise(stops) if before >= after] == []


def test_a_match_that_ended_before_a_move_is_no_match_to_be_looked_at() -> None:
    match = open_match(Setup("diadingo"))
    with pytest.raises(Untrue):
        prepared(read(file_of(match, [])))


@cases(
    ("change", "fault"),
    [
        (lambda file: structs.replace(file, entries=file.entries[:-1]), Fault.NOT_WHOLE),
        (lambda file: structs.replace(file, entries=[]), Fault.NOT_WHOLE),
        (
            lambda file: structs.replace(file, entries=[*file.entries, Adjudicated()]),
            Fault.ILLEGAL,
        ),
        (
            lambda file: structs.replace(file, entries=[Moved(0, "x"), *file.entries]),
            Fault.ILLEGAL,
        ),
        (
            lambda file: structs.replace(file, entries=[Sat("x", "nobody"), *file.entries]),
            Fault.ILLEGAL,
        ),
        (
            lambda file: structs.replace(
                file, header=structs.replace(file.header, version=file.header.version + 1)
            ),
            Fault.OTHER_RULES,
        ),
        (
            lambda file: structs.replace(
                file, header=structs.replace(file.header, setup=Setup("chess"))
            ),
            Fault.OTHER_RULES,
        ),
        (
            lambda file: structs.replace(
                file, header=structs.replace(file.header, setup=Setup("diadingo", {"x": 1}))
            ),
            Fault.ILLEGAL,
        ),
    ],
)
def test_what_is_no_match_is_found_out_first(change: object, fault: Fault) -> None:
    with pytest.raises(Untrue) as untrue:
        prepared(change(FILE))  # type: ignore[operator]
    assert untrue.value.fault is fault
