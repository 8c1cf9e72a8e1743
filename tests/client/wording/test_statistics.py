"""Statistics and standings in words, also of games, kinds and numbers that make little sense."""

from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_client.wording.statistics import facts, highlight, mark, opponent, part_of, percent, who
from diadem_shared.games import GAMES
from diadem_shared.highlights import Highlight
from diadem_shared.protocol import StandingLine
from diadem_shared.statistics import GameStatistics, Opponent
from tests.cases import cases


@cases("game", GAMES)
def test_every_kind_of_what_is_worth_remembering_has_words(game: str) -> None:
    assert CLIENT_GAMES[game].wording.highlights.keys() == GAMES[game].highlights_type.kinds.keys()


def test_highlights_with_and_without_a_text() -> None:
    assert highlight(Highlight("word", 23, "Quiz"), "diamino-bonus") == ("best word", "Quiz (23)")
    assert highlight(Highlight("castle", 7, "blue"), "diamoniak") == (
        "fewest turns to a castle",
        "7",
    )
    assert highlight(Highlight("{name}", 7, "{value}"), "chess") == ("{name}", "7")


def test_shares() -> None:
    assert percent(1, 3) == "33 %"
    assert percent(1, 0) == percent(1, -1) == ""
    assert part_of(1_000, 2_000) == "1 000 of 2 000"


def test_who_and_how_sure() -> None:
    assert who(StandingLine("Ana", None, 1500), "diadingo", is_me=True) == "Ana (you)"
    assert who(StandingLine("", "naive", 1000), "diadingo") == "trusting"
    assert opponent(Opponent("", "naive", 1, 0), "diadingo") == "bot, trusting"
    assert opponent(Opponent("Bob", None, 1, 0), "diadingo") == "Bob"
    assert mark(StandingLine("Ana", None, 1500, 60, 20, 1)) == "1 500"
    assert mark(StandingLine("Ana", None, 1500, 200, 3)) == "1 500?"
    assert mark(StandingLine("", "naive", 1000)) == "1 000"


def test_to_give_up_is_told_where_it_happened() -> None:
    game = GameStatistics("diadingo", 3, 1, 0, 0, 1, (), (), ())
    assert facts(game) == [("won in a row", "0"), ("longest streak", "1")]
    gave_up = GameStatistics("diadingo", 3, 1, 2, 0, 1, (), (), ())
    assert ("given up", "2") in facts(gave_up)
