"""A game that this client has never heard of: what its server tells is enough to ask, look and type."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diadem_client.state import forms
from diadem_client.state.forms import OneOf
from diadem_client.state.known_games import SERVER_GAMES, ServerGames
from diadem_client.wording import options as wording
from diadem_shared.described_game import DescribedGame, untold
from diadem_shared.description import game_line
from diadem_shared.games import GAMES
from diadem_shared.protocol import Described, Description, GameLine, OptionLine
from diadem_shared.refusals import RefusalError
from tests.cases import cases
from tests.sample_game import Numbers


def describing(*lines: GameLine) -> Described:
    return Described(1, msgspec.to_builtins(Description(lines, (), (), ())))


def line_with(*options: OptionLine) -> GameLine:
    return GameLine("strange", 1, 2, 4, options, ("zombie",), ("go 1",), ())


def test_a_game_is_known_from_what_its_server_tells() -> None:
    games = ServerGames()
    games.learn(describing(game_line(Numbers())))
    assert games.names() == ["numbers"]
    game = games.find("numbers")
    assert (game.name, list(game.seats), list(game.bots)) == (
        "numbers",
        [1, 2, 3],
        ["zombie", "halver"],
    )
    assert game.read_options({"highest": 99}).highest == 99
    with pytest.raises(RefusalError):
        game.read_options({"highest": 7})


def test_what_another_server_has_takes_its_place() -> None:
    games = ServerGames()
    games.learn(describing(game_line(Numbers())))
    assert games.names() == ["numbers"]
    games.learn(describing())
    assert games.names() == list(GAMES)


def test_the_rules_of_a_game_that_is_known_here_are_not_learned() -> None:
    games = ServerGames()
    games.learn(describing(GameLine("diadingo", 9, 1, 1, (), (), (), ())))
    assert games.find("diadingo") is GAMES["diadingo"]


@pytest.fixture
def described() -> Iterator[Callable[[GameLine], None]]:
    """A server has told of this game."""
    yield lambda line: SERVER_GAMES.learn(describing(line))
    SERVER_GAMES.forget()


@cases("name", GAMES)
def test_the_form_is_the_same_whether_or_not_a_server_has_described_it(
    name: str, described: Callable[[GameLine], None]
) -> None:
    asked, around = forms.questions(name), forms.common_questions(name)
    described(game_line(GAMES[name]))
    assert SERVER_GAMES.names() == [name]
    assert forms.questions(name) == asked
    assert forms.common_questions(name) == around


def test_what_a_newer_server_asks_of_a_known_game_is_asked(
    described: Callable[[GameLine], None],
) -> None:
    """In the words of this client where it has some, else by name."""
    line = game_line(GAMES["diadingo"])
    more = [
        OptionLine("tempo", "integer", "diadingo.tempo", 7, least=5, most=9),
        OptionLine("way", "choice", "diadingo.play", "memory", values=("memory", "marked")),
    ]
    described(
        replace(line, options=(*line.options, *more), bots=(*line.bots, "oracle"), most_seats=5)
    )
    asked = forms.questions("diadingo")
    assert asked[-2:] == [
        OneOf("tempo", (5, 6, 7, 8, 9), 7),
        OneOf("way", ("memory", "marked"), "memory"),
    ]
    assert wording.option_name("tempo", "diadingo") == "tempo"
    assert wording.option_name("way", "diadingo") == wording.option_name("play", "diadingo")
    assert wording.value_name("way", "marked", "diadingo") == wording.value_name(
        "play", "marked", "diadingo"
    )
    assert wording.levels("diadingo")[-2:] == ["oracle", "zombie"]
    chosen = {each.name: each.default for each in forms.common_questions("diadingo")}
    made = forms.setup_of(
        "diadingo", {each.name: each.default for each in asked} | {"tempo": 9}, chosen
    )
    assert made.options == {"tempo": 9}
    assert forms.explain_options(made) is None
    assert forms.explain_options(replace(made, options={"tempo": 10})) is not None
    assert len(forms.seats("diadingo")) == 5


@cases(
    "option",
    [
        OptionLine("no name", "boolean", "", default=True),
        OptionLine("class", "boolean", "", default=True),
        OptionLine("", "boolean", "", default=True),
        OptionLine("empty", "choice", "", None),
        OptionLine("turned", "integer", "", 5, least=9, most=3),
        OptionLine("plain", "integer", "", 5),
        OptionLine("word", "string", "", 5),
        OptionLine("loud", "boolean", "", "yes"),
        OptionLine("far", "integer", "", 10**12, least=0, most=10**12),
        OptionLine("none", "choice", "", None, values=("a",)),
    ],
)
def test_an_option_that_makes_no_sense_is_not_asked_for(
    option: OptionLine, described: Callable[[GameLine], None]
) -> None:
    described(line_with(OptionLine("plain", "boolean", "", default=False), option))
    assert forms.questions("strange") == [OneOf("plain", (False, True), default=False)]


def test_a_hostile_description_takes_no_time_and_no_room(
    described: Callable[[GameLine], None],
) -> None:
    options = [
        OptionLine(f"n{number}", "integer", "", 0, least=-(2**62), most=2**62)
        for number in range(1_000)
    ]
    bots = tuple(f"bot {number}" for number in range(10_000))
    described(GameLine("vast", 1, -5, 10**9, tuple(options), bots, ("x",) * 10**4, ()))
    assert len(SERVER_GAMES.find("vast").seats) <= 16
    assert len(forms.questions("vast")) == 20
    assert len(wording.levels("vast")) <= 100
    games = ServerGames()
    games.learn(describing(*(untold(f"game {number}") for number in range(10_000))))
    assert len(games.names()) < 100


@pytest.mark.parametrize("public", [{}, {"low": 1, "names": [{"deep": [None]}]}])
def test_a_view_is_kept_as_it_came(public: dict[str, Any]) -> None:
    view = DescribedGame(untold("strange")).read_view(0, public, {"tiles": "AB"})
    assert (view.public, view.private) == (public, {"tiles": "AB"})


@cases("odd", [None, [], {"games": 5}, {"games": [{"game": 1}]}])
def test_a_description_that_makes_no_sense_teaches_nothing(odd: Any) -> None:
    games = ServerGames()
    games.learn(describing(game_line(Numbers())))
    games.learn(Described(1, odd))
    assert games.names() == ["numbers"]
