"""A match among bots, told line by line: the same again for the same seed."""

import re
from itertools import islice

import pytest

from diadem_client.i18n import set_language
from diadem_client.local.demo import demonstration, show
from diadem_shared.bot_names import BOT_NAMES
from diadem_shared.games import GAMES
from diadem_shared.lexicon import fold_letters, shelf
from tests.cases import cases
from tests.shared.games.diamino.brief import think_briefly


def test_a_seed_tells_the_same_match_again_and_another_one_another() -> None:
    told = [list(demonstration("diadingo", 2, 1, seed)) for seed in ("1", "1", "2")]
    assert told[0] == told[1]
    assert told[0][1:] != told[2][1:]


def test_it_says_what_is_played_and_how_it_ends() -> None:
    heading, *lines = demonstration("diamoniak", 3, 1, "seed")
    assert heading == "diamoniak: 3 bots, seed seed"
    assert any(line.startswith("The round is over: ") for line in lines)
    assert "won" in lines[-1] or "share the win" in lines[-1]


@pytest.mark.slow
@cases("game", GAMES)
def test_every_game_is_told(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    think_briefly(monkeypatch, moves=10)
    heading, blank, *lines = islice(demonstration(game, 2, 1, "1"), 6)
    assert (heading, blank) == (f"{game}: 2 bots, seed 1", "")
    assert all(lines)


def test_the_bots_are_called_by_their_names() -> None:
    lines = list(demonstration("diadingo", 2, 1, "seed"))
    named = {name for name in BOT_NAMES if any(name in line for line in lines)}
    assert len(named) == 2


def test_rounds_are_set_apart() -> None:
    assert list(demonstration("diamoniak", 2, 2, "seed")).count("") == 2


def test_it_is_printed_without_a_pause_where_nobody_reads_along(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show("diadingo", 2, 1, "1", None)
    assert capsys.readouterr().out.splitlines() == list(demonstration("diadingo", 2, 1, "1"))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_words_are_those_of_the_language_that_is_spoken(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    think_briefly(monkeypatch, moves=10)
    words: set[str] = set()
    set_language(language)
    try:
        for line in demonstration("diamino-rummy", 2, 1, "1"):
            written = re.findall(r"(\S+) \([A-O]\d+ ", line)
            words |= {fold_letters(word.partition("/")[0]) or word for word in written}
            if len(words) > 1:
                break
    finally:
        set_language("en")
    assert len(words) > 1
    assert [word for word in words if word not in shelf.take(language)] == []
