"""Moves as text."""

from typing import get_args

import pytest

from diadem_shared.games.diamino.notation import FORMS
from diadem_shared.games.diamino.play import parse_play
from diadem_shared.games.diamino.table import (
    Accept,
    Exchange,
    Give,
    Lay,
    Move,
    Object,
    Pass,
    Silence,
)
from diadem_shared.refusals import RefusalError
from tests.cases import cases
from tests.shared.games.diamino.positions import BOTH, RUMMY

MOVES: list[Move] = [
    Lay(parse_play("lay C8 across EIL")),
    Lay(parse_play("lay C8 down eIL")),
    Lay(parse_play("lay Z26 across Q")),
    Exchange("*AB"),
    Give("EN"),
    Give(""),
    Pass(),
    Accept(),
    Silence(),
    Object(),
]


@cases("move", MOVES, ids=str)
def test_every_move_reads_back(move: Move) -> None:
    for game in BOTH:
        assert game.parse(game.notate(move)) == move


def test_every_kind_of_move_has_a_form() -> None:
    assert {type(RUMMY.parse(form)) for form in FORMS} == {*get_args(Move)}


@cases(
    ("typed", "move"),
    [
        ("LAY c8 Across EIL", Lay(parse_play("lay C8 across EIL"))),
        ("  lay  C8  down  eIL ", Lay(parse_play("lay C8 down eIL"))),
        ("lay C8 down E", Lay(parse_play("lay C8 across E"))),
        ("exchange ba*", Exchange("*AB")),
        ("Exchange B A", Exchange("AB")),
        ("give ne", Give("EN")),
        ("KEEP", Give("")),
        (" pass ", Pass()),
    ],
)
def test_typing_is_forgiving(typed: str, move: Move) -> None:
    assert RUMMY.parse(typed) == move


def test_m10_the_case_of_a_laid_letter_tells_a_joker() -> None:
    move = RUMMY.parse("lay C8 across eIL")
    assert isinstance(move, Lay)
    assert move.play.tiles == "eIL"


@cases(
    "typed",
    [
        "",
        "lay",
        "lay C8",
        "lay C8 across",
        "lay 8C across EIL",
        "lay C8 up EIL",
        "lay C8 across E*L",
        "lay C8 across \u00c4L",
        "lay C0 across EIL",
        "lay C100 across EIL",
        "exchange",
        "exchange 3",
        "exchange \u00df",
        "give",
        "give 1",
        "pass please",
        "keep E",
        "accept it",
    ],
)
def test_anything_else_is_unreadable(typed: str) -> None:
    with pytest.raises(RefusalError) as caught:
        RUMMY.parse(typed)
    assert caught.value.refusal.code == "unreadable"
    assert caught.value.refusal.about == {"text": typed, "forms": FORMS}
