"""Hints in a match: who may be given one, and that a match without any is as it always was."""

from typing import Any

from msgspec import UNSET, msgpack

from diadem_shared import hints
from diadem_shared.entries import Entry, Hinted, Moved, OptionValue, Sat, Setup, Started
from diadem_shared.game import digest, pack
from diadem_shared.match import Match, explain, replay
from diadem_shared.refusals import Code
from tests.cases import cases

SEED = b"seed"
OPTIONS: dict[str, OptionValue] = {"youngest": 0}
PEOPLE, BOTS = (Sat("Ana"), Sat("Bob")), (Sat("Ana"), Sat("Mina", "easy"))


def match(*entries: Entry, setup: Setup) -> Match:
    return replay(setup, (*entries, Started()), SEED)


@cases(
    ("seats", "agreed", "refused"),
    [
        (PEOPLE, UNSET, Code.NO_HINTS),
        (PEOPLE, False, Code.NO_HINTS),
        (PEOPLE, True, None),
        (BOTS, UNSET, None),
        (BOTS, False, None),
    ],
)
def test_hints_are_agreed_on_where_others_play_than_bots(
    seats: tuple[Entry, ...], agreed: Any, refused: Code | None
) -> None:
    setup = Setup("diamoniak", OPTIONS, hints=agreed)
    refusal = explain(match(*seats, setup=setup), Hinted(0))
    assert (refusal and refusal.code) == refused


def test_they_are_for_whose_turn_it_is() -> None:
    refusal = explain(match(*PEOPLE, setup=Setup("diamoniak", OPTIONS, hints=True)), Hinted(1))
    assert refusal is not None
    assert refusal.code == Code.NOT_YOUR_TURN


def test_they_are_counted_by_seat_and_change_nothing_else() -> None:
    setup = Setup("diamoniak", OPTIONS)
    without = replay(setup, (*BOTS, Started(), Moved(0, "draw")), SEED)
    entries = (*BOTS, Started(), Hinted(0), Hinted(0), Moved(0, "draw"))
    with_two = replay(setup, entries, SEED)
    assert hints.taken(without) == (0, 0)
    assert hints.taken(with_two) == (2, 0)
    assert with_two.state == without.state


def test_a_match_without_any_is_written_as_before_there_were_hints() -> None:
    """Digests in older files, and setups in older journals, are of these bytes."""
    setup = Setup("diamoniak")
    assert "hints" not in msgpack.decode(pack(setup))
    assert "hints" not in msgpack.decode(pack(match(*BOTS, setup=setup)))
    assert msgpack.decode(pack(Moved(0, "draw", 9))) == {
        "type": "moved",
        "seat": 0,
        "move": "draw",
        "spent": 9,
    }
    assert digest(Setup("diamoniak", hints=UNSET)) == digest(setup)
