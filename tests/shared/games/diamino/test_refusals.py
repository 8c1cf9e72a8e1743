"""Every refusal, by its code."""

from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from diadem_shared.games.diamino.notation import FORMS
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.refusals import DiaminoCode, LayingCode
from diadem_shared.games.diamino.table import Exchange, Lay, Options, RummyOptions, State
from diadem_shared.lexicon import from_text, shelf
from diadem_shared.refusals import Refusal, RefusalError
from tests.cases import cases
from tests.shared.games.diamino.positions import (
    BONUS,
    BOTH,
    DICTIONARY,
    RUMMY,
    TABLE,
    after,
    position,
    refusal,
)

OPENING = position("TORENX", "A", letters="")
LATER = position("EXN*", "A", reserve="QQ")
GIVING = after(position("ORXYZ", "A"), "lay A2 down OR")
JUDGING = after(position("EX", "A", options=TABLE), "lay D1 across E")
REFUSED = after(JUDGING, "2: object")

BY_CODE: dict[str, tuple[State, str, dict[str, object]]] = {
    "off_board": (LATER, "lay D6 across EXN", {"tiles": "N"}),
    "field_taken": (LATER, "lay A1 across E", {"fields": ["A1"]}),
    "black_field": (LATER, "lay D1 across EN", {"fields": ["E1"], "why": ["hand_not_emptied"]}),
    "not_your_tiles": (LATER, "lay C2 down OT", {"tiles": "OT"}),
    "not_on_start": (OPENING, "lay B1 across TOR", {"start": "A1"}),
    "opening_length": (OPENING, "lay A1 across T", {"length": 1}),
    "touches_nothing": (LATER, "lay D6 across EX", {}),
    "unknown_words": (LATER, "lay D1 across X", {"words": ["TORX"]}),
    "only_lay_or_pass": (replace(REFUSED, reserve="QQ"), "exchange E", {}),
    "reserve_too_small": (LATER, "exchange EXN", {"reserve": 2}),
    "not_held": (LATER, "exchange EE", {"tiles": "E"}),
    "nothing_to_give": (LATER, "give E", {}),
    "nothing_to_judge": (LATER, "accept", {}),
    "give_first": (GIVING, "pass", {}),
    "too_many": (GIVING, "give XYZ", {"most": 2}),
    "being_judged": (JUDGING, "2: pass", {}),
    "not_your_turn": (LATER, "2: pass", {}),
    "round_over": (after(LATER, *["pass"] * 4), "pass", {}),
    "unreadable": (LATER, "put E", {"text": "put E", "forms": FORMS}),
}
"""What can be typed and is refused: a position, the move, what the refusal is about."""

UNTYPED = {"nothing_laid", "joker_unnamed", "not_in_line", "gap", "nothing_to_exchange"}
"""Only a client's draft, or a move that was not typed, can be wrong in these ways: test_placing.py has
them, but for the last."""


def refused(act: Callable[[], object]) -> Refusal:
    with pytest.raises(RefusalError) as caught:
        act()
    return caught.value.refusal


@cases("code", BY_CODE)
def test_a_move_is_refused_by_code(code: str) -> None:
    state, typed, about = BY_CODE[code]
    by, _, move = typed.rpartition(": ")
    given = refusal(state, move, seat=int(by) - 1 if by else None)
    assert (given.code, dict(given.about)) == (code, about)


def test_giving_takes_tiles_that_are_held() -> None:
    assert refusal(GIVING, "give E") == Refusal(DiaminoCode.NOT_HELD, {"tiles": "E"})


def test_nobody_judges_twice_nor_the_own_play() -> None:
    """M-12."""
    assert refusal(JUDGING, "accept").code == "not_your_turn"
    three = after(position("EX", "A", "B", options=TABLE), "lay D1 across E", "2: accept")
    assert refusal(three, "object", seat=1).code == "not_your_turn"


def test_every_reason_is_given() -> None:
    given = refusal(LATER, "lay E1 across XQ")
    assert [each.code for each in (given, *given.also)] == [
        "off_board",
        "black_field",
        "not_your_tiles",
        "touches_nothing",
    ]


def test_laying_nothing_and_exchanging_nothing() -> None:
    view = RUMMY.view(LATER, 0)
    nothing = RUMMY.explain(view, Lay(Play("D1", Direction.ACROSS, "")))
    assert nothing == Refusal(LayingCode.NOTHING_LAID)
    assert RUMMY.explain(view, Exchange("")) == Refusal(DiaminoCode.NOTHING_TO_EXCHANGE)


@cases(
    "given",
    [
        {"language": "it"},
        {"judging": "both"},
        {"judging_time": 4},
        {"judging_time": 301},
        {"open_hands": "perhaps"},
        {"board": "S" * 2001},
        {"word_list": "x" * 101},
        {"colour": "red"},
    ],
)
def test_options_that_do_not_exist(given: dict[str, object]) -> None:
    for game in BOTH:
        assert refused(partial(game.read_options, given)).code == "bad_option"


def test_words_score_in_bonus_only() -> None:
    """M-26."""
    assert refused(lambda: RUMMY.read_options({"words_score": True})).code == "bad_option"
    assert BONUS.read_options({"words_score": True}).words_score  # type: ignore[attr-defined]


@cases(
    ("board", "about"),
    [
        (" ", {"why": "no_fields"}),
        ("S.\n.", {"why": "uneven_rows", "row": 2, "fields": 1, "expected": 2}),
        ("S?", {"why": "unknown_kind", "row": 1, "character": "?"}),
        ("..", {"why": "not_one_start", "starts": 0}),
        ("SS", {"why": "not_one_start", "starts": 2}),
        ("S" + "." * 26, {"why": "too_large", "width": 27, "height": 1}),
    ],
)
def test_m2_a_bad_board_is_refused(board: str, about: dict[str, int | str | list[str]]) -> None:
    for game, options in ((RUMMY, RummyOptions(board=board)), (BONUS, Options(board=board))):
        assert game.check(options, 2) == Refusal(DiaminoCode.BAD_BOARD, about)


def test_m11_an_unknown_word_list_is_refused() -> None:
    given = RUMMY.check(RummyOptions(word_list="no such list"), 2)
    assert given is not None
    assert given.code == "no_such_word_list"
    assert {"de", "fr", "en"} <= {*given.about["lists"]}  # type: ignore[misc]


def test_m11_a_host_brings_a_list_and_a_board() -> None:
    shelf.put("brought along", from_text("zzz\n", "de"))
    options = replace(DICTIONARY, word_list="brought along", board="S..\n")
    assert RUMMY.check(options, 2) is None
    state = after(position("ZZZE", "A", letters="", options=options), "lay A1 across ZZZ")
    assert state.board.letters == "ZZZ"
    tor = replace(position("TOR", "A", letters="", options=options))
    assert refusal(tor, "lay A1 across TOR").code == "unknown_words"


def test_every_code_is_tested() -> None:
    elsewhere = UNTYPED | {"bad_draft", "bad_option", "bad_board", "no_such_word_list"}
    assert {*BY_CODE} | elsewhere == RUMMY.refusals == BONUS.refusals
