"""Moves as text."""

import pytest

from diadem_shared.games.diadingo.board import SPOTS, VALUES
from diadem_shared.games.diadingo.table import Decline, Move, Steal, Take
from diadem_shared.refusals import RefusalError
from tests.cases import cases
from tests.shared.games.diadingo.positions import GAME

MOVES: list[Move] = [
    *map(Take, SPOTS),
    *(Steal(value, seat) for value in VALUES for seat in GAME.seats),
    Decline(),
]


@cases("move", MOVES, ids=str)
def test_every_move_reads_back(move: Move) -> None:
    assert GAME.parse(GAME.notate(move)) == move


@cases(
    ("typed", "move"),
    [
        ("take C4", Take("C4")),
        ("c4", Take("C4")),
        ("  TAKE   c 4 ", Take("C4")),
        ("take c04", Take("C4")),
        ("steal 3000 from 2", Steal(3000, 1)),
        ("Steal $3000 from 2", Steal(3000, 1)),
        ("DECLINE", Decline()),
    ],
)
def test_typing_is_forgiving(typed: str, move: Move) -> None:
    assert GAME.parse(typed) == move


@cases(
    "typed",
    [
        "",
        "take",
        "take C",
        "take 4",
        "take C4 D4",
        "take C444",
        "take \u00c94",
        "steal",
        "steal 3000",
        "steal 3000 from",
        "steal 3000 from 0",
        "steal -3000 from 2",
        "steal \u0663000 from 2",
        "steal " + "9" * 5000 + " from 2",
        "decline everything",
    ],
)
def test_anything_else_is_unreadable(typed: str) -> None:
    with pytest.raises(RefusalError) as caught:
        GAME.parse(typed)
    assert caught.value.refusal.code == "unreadable"
