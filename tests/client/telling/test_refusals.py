"""Every refusal there is has a sentence, and the sentence can be filled in."""

import re
from collections.abc import Set
from pathlib import Path
from string import Formatter

import pytest

from diadem import match
from diadem.game import Refusal
from diadem.games import GAMES
from diadem.games.diamino.board import BadBoard
from diadem.games.diamino.verdict import BLACK_REFUSALS
from diadem.refusals import ALL
from diadem_client import transport
from diadem_client.telling import refusals
from diadem_client.telling.refusals import COMMON, explain

ROOT = Path(__file__).parents[3]


def codes_of_the_server() -> set[str]:
    sources = (path.read_text() for path in (ROOT / "server").rglob("*.py"))
    return {code for source in sources for code in re.findall(r'Refusal\("(\w+)"', source)}


def test_the_server_has_refusals() -> None:
    assert {"password_wrong", "no_such_table", "only_the_maker"} <= codes_of_the_server()


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_game_has_a_sentence(game: str) -> None:
    known = COMMON.keys() | refusals.GAMES.get(game, {}).keys()
    assert GAMES[game].refusals - known == set()


@pytest.mark.parametrize(
    "codes",
    [match.REFUSALS, codes_of_the_server(), ALL, transport.REFUSALS],
    ids=["match", "server", "protocol", "line"],
)
def test_every_refusal_around_a_game_has_a_sentence(codes: Set[str]) -> None:
    assert codes - COMMON.keys() == set()


@pytest.mark.parametrize("code", COMMON)
def test_a_sentence_never_breaks_for_want_of_a_detail(code: str) -> None:
    sentence = explain(Refusal(code))
    assert sentence
    assert not [field for _, field, _, _ in Formatter().parse(sentence) if field]


def test_players_are_called_by_name_and_lists_are_read_out() -> None:
    refusal = Refusal("nothing_to_steal", {"seat": 1, "value": 3000})
    assert explain(refusal, ["Ana", "Bob"]).startswith("Bob has no filled ring of 3000 dollars")
    unreadable = Refusal("unreadable", {"text": "x", "forms": ["draw", "stop"]})
    assert "draw, stop" in explain(unreadable)


def test_a_game_may_have_words_of_its_own() -> None:
    assert "witch" in explain(Refusal("danger_waits"), game="diamoniak")
    assert "cannon" in explain(Refusal("danger_waits"), game="piratatak")


def test_what_a_newer_server_refuses_is_still_a_sentence() -> None:
    assert "(tomorrow)" in explain(Refusal("tomorrow"))


@pytest.mark.parametrize("reason", BLACK_REFUSALS)
def test_why_a_field_is_barred_is_said_in_words(reason: str) -> None:
    said = explain(Refusal("black_field", {"fields": ["C8"], "why": [reason]}))
    assert said.startswith("C8 is black: ")
    assert reason not in said


@pytest.mark.parametrize("error", BadBoard.__subclasses__())
def test_what_is_wrong_with_a_board_is_said_in_words(error: type[BadBoard]) -> None:
    assert error.code not in explain(Refusal("bad_board", {"why": error.code}))
