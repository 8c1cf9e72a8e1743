"""The texts of the rules, as they are shown for F1."""

from collections.abc import Iterator

import pytest

from diadem_client import i18n
from diadem_client.games import GAMES
from diadem_client.wording.rules import MARK, Rules, rules_of
from tests.cases import cases


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.set_language("en")


@cases("language", i18n.LANGUAGES)
@cases("game", GAMES)
def test_every_game_has_its_rules_in_every_language(game: str, language: str) -> None:
    i18n.set_language("en")
    in_english = rules_of(game).text
    i18n.set_language(language)
    rules = rules_of(game).text
    assert "(R)" in rules
    assert MARK not in rules
    assert [line for line in rules.splitlines() if len(line) > 76] == []
    assert language == "en" or rules != in_english


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
    assert told["K-13"].endswith("its colour is free again (R).")
