"""What can be chosen when a table is made, read off the types."""

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from diadem_client.state import forms
from diadem_client.state.forms import FileText, FreeText, OneList, OneOf
from diadem_shared import match
from diadem_shared.entries import GameClock, NoClock, Setup, TurnClock
from diadem_shared.games import GAMES
from diadem_shared.lexicon.shelf import WordListLine
from tests.cases import cases


class Odd(Struct):
    colour: Literal["red", "blue"] = "blue"
    loud: bool = False
    pieces: Annotated[int, Meta(ge=5, le=8)] = 6
    seconds: Annotated[int, Meta(ge=10, le=100)] = 30
    begins: int | None = None
    word: Annotated[str, Meta(max_length=9)] = "x"
    map: Annotated[str, Meta(max_length=900)] = ""


def test_each_type_asks_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES["diamoniak"], "options_type", Odd, raising=False)
    assert forms.questions("diamoniak") == [
        OneOf("colour", ("blue", "red"), "blue"),
        OneOf("loud", (False, True), default=False),
        OneOf("pieces", (5, 6, 7, 8), 6),
        OneOf("seconds", (10, 15, 20, 30, 45, 60, 90), 30),
        OneOf("begins", (None, 0, 1, 2, 3), None, are_seats=True),
        FreeText("word", 9, "x"),
        FileText("map", 900),
    ]


@cases("game", GAMES)
def test_nobody_has_to_leaf_through_a_long_list(game: str) -> None:
    for question in (*forms.questions(game), *forms.common_questions(game)):
        if isinstance(question, OneOf):
            assert len(question.values) <= forms.MOST_NUMBERS, question.name
            assert question.default in question.values


@cases("game", GAMES)
def test_what_is_offered_first_is_a_table_that_can_be_made(game: str) -> None:
    options = {each.name: each.default for each in forms.questions(game)}
    chosen = {each.name: each.default for each in forms.common_questions(game)}
    setup = forms.setup_of(game, options, chosen)
    assert setup == Setup(game)
    assert match.open_match(setup).setup == setup


@pytest.mark.parametrize(
    ("chosen", "clock"),
    [
        ({}, NoClock()),
        ({"clock": "turn", "seconds": 5}, TurnClock(5)),
        ({"clock": "game", "in_all": 300, "increment": 2}, GameClock(300, 2)),
    ],
)
def test_clocks_are_as_chosen(chosen: dict[str, object], clock: object) -> None:
    usual = {each.name: each.default for each in forms.common_questions("diadingo")}
    setup = forms.setup_of("diadingo", {}, usual | chosen)
    assert setup.clock == clock
    assert msgspec.convert(msgspec.to_builtins(setup), Setup) == setup


def test_a_table_that_is_changed_starts_from_what_was_agreed() -> None:
    before = Setup("diadingo", rounds=7, clock=TurnClock(90), absent="perfect", private=True)
    defaults = {each.name: each.default for each in forms.common_questions("diadingo", before)}
    assert forms.setup_of("diadingo", {}, defaults) == before


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_words_are_first_those_of_the_language_spoken(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(forms, "current_language", lambda: language)
    made = match.open_match(Setup("diamino-rummy", forms.default_answers("diamino-rummy")))
    assert forms.default_answers("diamoniak") == {}
    assert made.setup.options.get("language", "de") == language


def test_a_word_list_is_typed_only_where_the_server_does_not_say_what_it_has() -> None:
    by_name = {each.name: each for each in forms.questions("diamino-rummy")}
    assert by_name["word_list"] == FreeText("word_list", 100)
    lists = [WordListLine("club", "de", 2)]
    by_name = {each.name: each for each in forms.questions("diamino-rummy", lists)}
    assert by_name["word_list"] == OneList("word_list", tuple(lists))
    assert by_name["board"] == FileText("board", 2000, shipped=("leaflet",))


def test_a_form_offers_as_many_rounds_as_the_game_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES["diamoniak"], "most_rounds", 3, raising=False)
    rounds, *_others = forms.common_questions("diamoniak", Setup("diamoniak", rounds=7))
    assert (rounds.values, rounds.default) == ((1, 2, 3), 3)
