"""Aiming at a diamond, and choosing whom to rob."""

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from diadem_client.games.diadingo.draft import Aim, Theft, place, theft_from
from diadem_shared.games.diadingo.board import SPOTS
from diadem_shared.games.diadingo.table import Decline, Hand, Options, PublicState, Steal, TurnPhase

ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def aimed(spot: str, *arrows: str, board: tuple[str, ...] = SPOTS) -> str:
    aim = Aim(spot)
    for arrow in arrows:
        moved = aim.moved(*ARROWS[arrow], board)
        assert moved is not None
        aim = moved
    return aim.spot


def test_the_rows_are_centred() -> None:
    assert [place(spot) for spot in ("A1", "C1", "D1", "D8")] == [(0, 4), (2, 1), (3, 0), (3, 14)]


def test_an_arrow_aims_at_the_neighbour() -> None:
    neighbours = {
        ("D4", "right"): "D5",
        ("D4", "left"): "D3",
        ("D4", "up"): "C3",
        ("D4", "down"): "E3",
        ("D1", "up"): "C1",
        ("D8", "down"): "E7",
    }
    assert {each: aimed(*each) for each in neighbours} == neighbours


def test_empty_spots_are_skipped() -> None:
    board = tuple(spot for spot in SPOTS if spot not in ("D5", "D6") and spot[0] != "C")
    assert aimed("D4", "right", board=board) == "D7"
    assert aimed("D4", "up", board=board) == "B3"


def test_there_is_nothing_further() -> None:
    assert Aim("D8").moved(1, 0, SPOTS) is None
    assert Aim("A1").moved(0, -1, SPOTS) is None


@given(st.sampled_from(SPOTS), st.lists(st.sampled_from(sorted(ARROWS))))
def test_an_aim_never_leaves_the_board(spot: str, arrows: list[str]) -> None:
    def step(aim: Aim, arrow: str) -> Aim:
        return aim.moved(*ARROWS[arrow], SPOTS) or aim

    assert reduce(step, arrows, Aim(spot)).spot in SPOTS


def test_a_spot_is_typed() -> None:
    halfway = Aim("D4").typed("c")
    assert halfway == Aim("D4", "C")
    assert halfway is not None
    assert halfway.typed("4") == Aim("C4")
    assert halfway.typed("8") is None
    assert halfway.typed("f") == Aim("D4", "F")
    assert Aim("D4").typed("4") is None
    assert Aim("D4").typed("x") is None


TABLE = PublicState(
    options=Options(),
    deck=9,
    board=SPOTS,
    marked=(),
    hands=(Hand(empty=(1000, 3000)), Hand(filled=(1000, 3000)), Hand(filled=(3000,))),
    turn=0,
    phase=TurnPhase.STEAL,
    card="theft",
)


def test_the_dearest_rings_stand_first() -> None:
    assert theft_from(TABLE, 0).choices == ((3000, 1), (3000, 2), (1000, 1))


def test_numbers_pick() -> None:
    theft = theft_from(TABLE, 0)
    assert theft.move == Steal(3000, 1)
    assert theft.picked(2) == replace(theft, at=1)
    assert theft.picked(4) is None


def test_declining_is_a_choice_of_its_own() -> None:
    theft = theft_from(TABLE, 0)
    declined = theft.picked(0)
    assert declined is not None
    assert declined.move == Decline()
    assert theft.moved(-1) == declined
    assert declined.moved(1) == theft


def test_a_choice_survives_a_view_as_far_as_it_can() -> None:
    theft = theft_from(TABLE, 0).moved(1)
    assert theft_from(TABLE, 0, theft) == theft
    poorer = replace(TABLE, hands=(*TABLE.hands[:2], Hand()))
    assert theft_from(poorer, 0, theft) == Theft(((3000, 1), (1000, 1)))
    declined = theft_from(TABLE, 0).moved(-1)
    assert theft_from(poorer, 0, declined).declines
