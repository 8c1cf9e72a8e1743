"""The texts of the rules, as they are shown for F1."""

from collections.abc import Iterator

import pytest

from diadem_client import i18n
from diadem_client.games import GAMES
from diadem_client.wording.rules import MARK, Rules, rules_of
from diadem_shared.games import GAMES as RULES
from tests.cases import cases
from tests.game_features import is_spoken


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.set_language("en")


@cases("language", i18n.LANGUAGES)
@cases("game", GAMES)
def test_every_game_has_its_rules_in_the_languages_it_speaks(game: str, language: str) -> None:
    i18n.set_language("en")
    in_english = rules_of(game).text
    i18n.set_language(language)
    rules = rules_of(game).text
    assert MARK not in rules
    assert [line for line in rules.splitlines() if len(line) > 76] == []
    assert (rules != in_english) == (language != "en" and is_spoken(game, language))


NAMED = {
    "diamoniak": {"K-2", "K-8", "K-9", "K-11", "K-13", "K-15", "C-5"},
    "piratatak": {"K-2", "K-8", "K-9", "K-11", "K-13", "K-15", "C-5"},
    "diadingo": {"D-1", "D-3", "D-9", "D-12"},
    "diamino-rummy": {"M-11", "M-13", "M-17", "M-21", "C-5"},
    "diamino-bonus": {"M-11", "M-13", "M-17", "C-5"},
}
"""What players look for when a round surprises them."""


@cases("game", NAMED)
def test_what_ends_a_turn_or_a_round_is_told(game: str) -> None:
    assert NAMED.get(game, set()) - rules_of(game).clauses.keys() == set()


@cases("language", i18n.LANGUAGES)
def test_c5_the_bound_is_that_of_the_rules(language: str) -> None:
    i18n.set_language(language)
    for game in (each for each in RULES if is_spoken(each, language)):
        rules = RULES[game]
        told = rules_of(game).text.replace(",", "")
        assert (str(rules.most_moves) in told) == (rules.most_moves is not None), game


def test_a_game_without_rules_in_that_language_has_them_in_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("diadem_client.wording.rules.current_language", lambda: "it")
    assert "castle" in rules_of("diamoniak").text


def test_that_a_game_has_no_rules_as_text_is_said() -> None:
    assert rules_of("chess") == Rules("There is no text on this game yet.")


@cases("game", GAMES)
def test_a_clause_is_told_in_the_same_places_in_every_language(game: str) -> None:
    found = []
    for language in i18n.LANGUAGES:
        i18n.set_language(language)
        found.append(rules_of(game).clauses)
        assert all(found[-1].values())
    assert found[0].keys() == found[1].keys() == found[2].keys()


def test_the_lines_of_a_clause_end_where_another_one_or_a_gap_begins() -> None:
    rules = rules_of("diamoniak")
    lines = rules.text.splitlines()
    told = {
        name: " ".join(lines[at].strip() for at in rows) for name, rows in rules.clauses.items()
    }
    assert told["K-6"] == "Fairies and diamonds go to your reserve."
    assert told["K-12"] == told["K-11"] != told["K-13"]
    assert told["K-13"].startswith("A castle whose last part is given up is gone")
    assert told["K-13"].endswith("until you draw a part to begin with (R).")
