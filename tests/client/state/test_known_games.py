"""A game that this client has never heard of: what its server tells is enough to ask, look and type."""

from typing import Any

import msgspec
import pytest

from diadem.described_game import DescribedGame, untold
from diadem.description import game_line
from diadem.games import GAMES
from diadem.protocol import Described, Description, GameLine, OptionLine
from diadem.refusals import RefusalError
from diadem_client.state import forms
from diadem_client.state.forms import OneOf
from diadem_client.state.known_games import ServerGames
from tests.sample_game import Numbers


def describing(*lines: GameLine) -> Described:
    return Described(1, msgspec.to_builtins(Description(lines, (), (), ())))


def line_with(*options: OptionLine) -> GameLine:
    return GameLine("strange", 1, 2, 4, options, ("zombie",), ("go 1",), ())


def test_a_game_is_known_from_what_its_server_tells() -> None:
    games = ServerGames()
    games.learn(describing(game_line(Numbers())))
    assert games.names() == [*GAMES, "numbers"]
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
    games.learn(describing())
    assert games.names() == list(GAMES)


def test_a_game_that_is_known_here_is_not_learned() -> None:
    games = ServerGames()
    games.learn(describing(GameLine("diadingo", 9, 1, 1, (), (), (), ())))
    assert games.find("diadingo") is GAMES["diadingo"]


@pytest.mark.parametrize("name", GAMES)
def test_the_form_is_the_same_from_rules_and_from_a_description(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it can be drawn from either."""
    asked = forms.questions(name)
    described = DescribedGame(game_line(GAMES[name]))
    monkeypatch.setattr(forms, "game_of", lambda _name: described)
    assert forms.questions(name) == asked
    assert forms.common_questions(name) == [
        each if each.name != "absent" else OneOf("absent", tuple(GAMES[name].bots), "zombie")
        for each in forms.common_questions(name)
    ]


@pytest.mark.parametrize(
    "option",
    [
        OptionLine("no name", "boolean", "", default=True),
        OptionLine("class", "boolean", "", default=True),
        OptionLine("", "boolean", "", default=True),
        OptionLine("empty", "choice", "", None),
        OptionLine("turned", "integer", "", 5, least=9, most=3),
    ],
)
def test_an_option_that_makes_no_sense_is_not_asked_for(
    option: OptionLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    described = DescribedGame(line_with(option, OptionLine("plain", "boolean", "", default=False)))
    monkeypatch.setattr(forms, "game_of", lambda _name: described)
    assert [each.name for each in forms.questions("strange")] == ["plain"]


def test_a_hostile_description_takes_no_time_and_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    options = [
        OptionLine(f"n{number}", "integer", "", 0, least=-(2**62), most=2**62)
        for number in range(1_000)
    ]
    line = GameLine("vast", 1, -5, 10**9, tuple(options), ("zombie",), ("x",) * 10**4, ())
    described = DescribedGame(line)
    monkeypatch.setattr(forms, "game_of", lambda _name: described)
    assert len(described.seats) <= 16
    assert len(forms.questions("vast")) == 20
    games = ServerGames()
    games.learn(describing(*(untold(f"game {number}") for number in range(10_000))))
    assert len(games.names()) < 100


@pytest.mark.parametrize("public", [{}, {"low": 1, "names": [{"deep": [None]}]}])
def test_a_view_is_kept_as_it_came(public: dict[str, Any]) -> None:
    view = DescribedGame(untold("strange")).read_view(0, public, {"tiles": "AB"})
    assert (view.public, view.private) == (public, {"tiles": "AB"})


@pytest.mark.parametrize("odd", [None, [], {"games": 5}, {"games": [{"game": 1}]}])
def test_a_description_that_makes_no_sense_teaches_nothing(odd: Any) -> None:
    games = ServerGames()
    games.learn(describing(game_line(Numbers())))
    games.learn(Described(1, odd))
    assert games.names() == [*GAMES, "numbers"]
