"""The texts of the rules, as they are shown for F1."""

from collections.abc import Iterator

import pytest

from diadem_client import i18n
from diadem_client.games import GAMES
from diadem_client.wording.rules import rules_of


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    i18n.set_language("en")


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_rules_in_every_language(game: str, language: str) -> None:
    in_english = rules_of(game)
    i18n.set_language(language)
    rules = rules_of(game)
    assert "(R)" in rules
    assert all(len(line) <= 76 for line in rules.splitlines())
    assert language == "en" or rules != in_english


def test_a_game_without_rules_in_that_language_has_them_in_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("diadem_client.wording.rules.current_language", lambda: "it")
    assert "castle" in rules_of("diamoniak")


def test_that_a_game_has_no_rules_as_text_is_said() -> None:
    assert rules_of("chess") == "There is no text on this game yet."
