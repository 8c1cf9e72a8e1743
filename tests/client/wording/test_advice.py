"""Hints and reasons in words: every code of every game has some, in every language, and odd ones do no harm."""

from collections.abc import Iterator
from typing import Any

import pytest

from diadem_client.i18n import LANGUAGES, set_language
from diadem_client.wording import advice
from diadem_client.wording.advice import Seen
from diadem_shared.advice import Reason, ReasonCode
from diadem_shared.chance import Chance
from diadem_shared.game import View
from diadem_shared.games import GAMES
from diadem_shared.protocol import HintLine
from diadem_shared.refusals import INTEGER, STRING
from tests.cases import cases
from tests.game_features import WITH_ADVISER
from tests.rig.walk import options_for, walk

NAMES = ("Ana", "Bob", "Cem", "Dora")


@pytest.fixture(params=LANGUAGES)
def _language(request: pytest.FixtureRequest) -> Iterator[None]:
    set_language(request.param)
    yield
    set_language("en")


def about(code: ReasonCode) -> dict[str, Any]:
    values = {INTEGER: 3, STRING: "blue"}
    told: dict[str, Any] = {key: values.get(kind, ["blue1"]) for key, kind in code.about.items()}
    return told | ({"seat": 1} if "seat" in code.about else {})


@pytest.mark.usefixtures("_language")
@pytest.mark.parametrize("game", GAMES)
def test_every_reason_is_told_in_a_sentence(game: str) -> None:
    for code in GAMES[game].reasons:
        told = list(advice.sentences([Reason(code, about(code))], NAMES, game))
        assert code == "word" or len(told) == 1, code
        assert [
            sentence for sentence in told if not ("{" not in sentence and sentence.endswith("."))
        ] == []


@pytest.mark.parametrize("game", WITH_ADVISER)
def test_every_advised_move_is_named(game: str) -> None:
    """None as it is typed: that is for who types."""
    rules = GAMES[game]
    adviser = rules.adviser(Chance(b"advice"))
    assert adviser
    steps = list(walk(rules, options_for(rules, 1), 2, b"named"))
    for step in steps[:: max(1, len(steps) // 4)]:
        view = rules.view(step.before, step.seat)
        for each in adviser.evaluate(view, 3):
            line = HintLine(rules.notate(each.move), each.value, each.unit, each.reasons)
            seen = Seen(game, rules, NAMES[:2], view)
            (first, *_) = advice.hint(seen, [line], 0)
            assert "lay " not in first, first
            assert first.endswith(".")


@cases(
    "line",
    [
        HintLine("no move at all", 0.5, "chance", ()),
        HintLine("draw", float("nan"), "chance", (Reason("unheard_of", {"seat": 99}),)),
        HintLine("draw", float("inf"), "points", (Reason("rival_near", {}),)),
        HintLine("draw", 3, "years", (Reason("danger_would_cost", {"cards": ["no card"]}),)),
        HintLine("draw", 3, "tiles", (Reason("kept_from", {"colour": "black", "seat": "x"}),)),
    ],
)
def test_what_makes_no_sense_is_told_as_far_as_it_does(line: HintLine) -> None:
    rules = GAMES["diamoniak"]
    view: View[Any, Any] = rules.view(next(walk(rules, options_for(rules, 1), 2, b"odd")).before, 0)
    told = list(advice.hint(Seen("diamoniak", rules, NAMES[:2], view), [line], 0))
    assert told[0].startswith(line.move)


@cases(
    ("language", "unit", "told"),
    [
        *[("en", unit, ("1 {} ", "2 {}s ")) for unit in ("point", "tile", "dollar")],
        ("de", "point", ("1 Punkt ", "2 Punkte ")),
        ("de", "tile", ("1 Stein ", "2 Steine ")),
        ("de", "dollar", ("1 Dollar ", "2 Dollar ")),
        ("fr", "point", ("1 point ", "2 points ")),
        ("fr", "tile", ("1 lettre ", "2 lettres ")),
        ("fr", "dollar", ("1 dollar ", "2 dollars ")),
    ],
)
def test_one_of_a_kind_is_told_of_in_the_singular(
    language: str, unit: str, told: tuple[str, str]
) -> None:
    set_language(language)
    try:
        worths = [advice.worth(HintLine("draw", value, f"{unit}s", ())) for value in (1.2, 1.8)]
        for worth, begins in zip(worths, told, strict=True):
            assert f"{worth} ".startswith(begins.format(unit))
    finally:
        set_language("en")


def test_a_game_that_is_not_known_here_has_its_moves_told_as_they_are_typed() -> None:
    rules, line = GAMES["diamoniak"], HintLine("jump", 0.5, "chance", (Reason("higher"),))
    view: View[Any, Any] = View(0, None)
    assert list(advice.hint(Seen("unheard of", rules, NAMES, view), [line], 0)) == [
        "jump: wins 50 of 100."
    ]
