"""Every refusal, by its code."""

from collections.abc import Callable

import pytest

from diadem_shared.game import View
from diadem_shared.games.diadingo.board import LOOSE, SPOTS, THEFT
from diadem_shared.games.diadingo.table import Hand, State
from diadem_shared.refusals import Code, Refusal, RefusalError
from tests.cases import cases
from tests.shared.games.diadingo.positions import GAME, PAIR, over, play, position

RING = position(3000, Hand(), Hand(), loose=SPOTS[1:LOOSE])
THEFT_OPEN = position(THEFT, Hand(empty=(3000, 5000)), Hand(filled=(1000, 3000)))

BY_CODE: dict[str, tuple[State, str, dict[str, object]]] = {
    "no_such_spot": (RING, "take A5", {"spot": "A5"}),
    "spot_empty": (RING, "take A1", {"spot": "A1"}),
    "no_theft": (RING, "steal 3000 from 2", {}),
    "theft_waits": (THEFT_OPEN, "take A1", {}),
    "no_such_seat": (THEFT_OPEN, "steal 3000 from 3", {"seat": 2}),
    "own_seat": (THEFT_OPEN, "steal 3000 from 1", {}),
    "no_such_value": (
        THEFT_OPEN,
        "steal 3500 from 2",
        {"value": 3500, "values": ["1000", "2000", "3000", "4000", "5000", "6000"]},
    ),
    "no_empty_ring": (THEFT_OPEN, "steal 1000 from 2", {"value": 1000}),
    "nothing_to_steal": (THEFT_OPEN, "steal 5000 from 2", {"value": 5000, "seat": 1}),
    "unreadable": (
        RING,
        "grab C4",
        {"text": "grab C4", "forms": ["take C4", "steal 3000 from 2", "decline"]},
    ),
}


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(RefusalError) as caught:
        act()
    return caught.value.refusal


@cases("code", BY_CODE)
def test_a_move_is_refused_by_code(code: str) -> None:
    state, move, about = BY_CODE[code]
    refusal = refused(lambda: play(state, move))
    assert (refusal.code, dict(refusal.about)) == (code, about)


def test_declining_needs_a_theft_too() -> None:
    assert refused(lambda: play(RING, "decline")).code == "no_theft"


def test_out_of_turn() -> None:
    refusal = GAME.explain(GAME.view(RING, 1), GAME.parse("take B1"))
    assert refusal == Refusal(Code.NOT_YOUR_TURN)


def test_after_the_round() -> None:
    refusal = GAME.explain(View(0, over(*PAIR)), GAME.parse("take B1"))
    assert refusal == Refusal(Code.ROUND_OVER)


@pytest.mark.parametrize("given", [{"scoring": "amateur"}, {"play": 1}, {"marked": True}])
def test_options_that_do_not_exist(given: dict[str, object]) -> None:
    assert refused(lambda: GAME.read_options(given)).code == "bad_option"


def test_options_have_defaults() -> None:
    """D-10, D-12: the first of each pair."""
    options = GAME.read_options({})
    assert (options.scoring, options.play) == ("plain", "memory")


def test_every_code_is_tested() -> None:
    assert {*BY_CODE, "not_your_turn", "round_over", "bad_option"} == GAME.refusals
