"""What options, their values and the levels of bots are called."""

from typing import Any

from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_client.wording.options import (
    agreed,
    game_name,
    levels,
    option_name,
    temper,
    temper_and_habit,
    value_name,
)
from diadem_shared.bot_levels import gentlest
from diadem_shared.entries import GameClock, Setup, TurnClock
from diadem_shared.games import GAMES
from tests.cases import cases


def test_a_game_is_called_by_its_title_and_an_unknown_one_by_its_name() -> None:
    assert game_name("diamino-rummy") == "Diamino Rummy"
    assert game_name("chess") == "chess"


@cases(
    ("name", "game", "words"),
    [
        ("rounds", "diadingo", "Rounds"),
        ("play", "diadingo", "Spots that proved fixed"),
        ("play", "diamoniak", "play"),
        ("house_rule", "diadingo", "house rule"),
    ],
)
def test_an_option_is_called_as_its_game_calls_it(name: str, game: str, words: str) -> None:
    assert option_name(name, game) == words


@cases(
    ("name", "value", "game", "words"),
    [
        ("play", "marked", "diadingo", "are marked"),
        ("play", "marked", "diamoniak", "marked"),
        ("youngest", None, "piratatak", "by chance"),
        ("rounds", 3, "diadingo", "3"),
        ("private", True, "diadingo", "yes"),
        ("increment", 0, "diadingo", "none"),
        ("increment", 5, "diadingo", "5 seconds"),
        ("judging_time", 300, "diamino-bonus", "5 minutes"),
        ("judging_time", "long", "diamino-bonus", "long"),
        ("board", "...", "diamino-bonus", "one of its own"),
        ("absent", "forgetful", "diadingo", "bot: forgetful"),
        ("house_rule", None, "diadingo", "open"),
    ],
)
def test_a_value_is_called_as_its_game_calls_it(
    name: str, value: Any, game: str, words: str
) -> None:
    assert value_name(name, value, game) == words


@cases("game", GAMES)
def test_every_level_has_a_temper_of_its_own(game: str) -> None:
    words = [temper(level, game) for level in GAMES[game].bots]
    _stand_in, *levels = GAMES[game].bots
    assert {*levels} <= {*CLIENT_GAMES[game].wording.tempers}
    assert len({*words}) == len(words)
    assert [
        level
        for level in GAMES[game].bots
        if not temper_and_habit(level, game).startswith(f"{temper(level, game)}: ")
    ] == []


@cases("game", GAMES)
def test_the_gentlest_level_is_offered_first_and_the_stand_in_last(game: str) -> None:
    stand_in, *players = GAMES[game].bots
    assert levels(game) == [*players, stand_in]
    assert levels(game)[0] == gentlest(GAMES[game].bots)


def test_a_level_that_is_not_known_is_called_by_its_name() -> None:
    assert temper("zombie", "diadingo") == "sleepy"
    assert temper("grandmaster", "diadingo") == "grandmaster"


@cases(
    ("setup", "said"),
    [
        (Setup("diadingo"), ["1 round"]),
        (Setup("diamoniak", {"youngest": 1}), ["1 round", "The youngest begins: seat: 2"]),
        (Setup("diamoniak", clock=TurnClock(60)), ["1 round", "60 seconds for every move"]),
        (
            Setup("diamoniak", clock=GameClock(600, 5)),
            ["1 round", "10 minutes for the round, 5 seconds more for every move"],
        ),
        (
            Setup("diamoniak", spectators=False, private=True),
            ["1 round", "nobody looks on", "not in the list"],
        ),
    ],
)
def test_what_was_agreed_is_told_unless_it_is_as_usual(setup: Setup, said: list[str]) -> None:
    assert agreed(setup) == said
