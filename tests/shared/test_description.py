"""What a server describes is what it accepts: options, forms of moves, and what refusals tell."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

import diadem_server
import diadem_shared
from diadem_shared.description import describe, forms_of_moves, option_lines
from diadem_shared.games import GAMES
from diadem_shared.protocol import GameLine, OptionLine
from diadem_shared.refusals import Code, RefusalCode, RefusalError
from tests.cases import cases

DESCRIPTION = describe(GAMES)
EACH_GAME = cases("line", DESCRIPTION.games, ids=lambda line: line.game)
KINDS: Mapping[str, type] = {"integer": int, "string": str, "strings": list}
CODES: Mapping[str, type[RefusalCode]] = {
    type(code).__name__: type(code)
    for code in {*Code}.union(*(game.refusals for game in GAMES.values()))
}


def allowed(option: OptionLine) -> Iterator[Any]:
    """Values that the description lets one choose, the outermost among them."""
    yield option.default
    yield from option.values
    if option.kind == "boolean":
        yield from (False, True)
    if option.kind == "integer":
        yield from (each for each in (option.least, option.most) if each is not None)
    if option.is_optional:
        yield None


def barred(option: OptionLine) -> Iterator[Any]:
    yield [1]
    if not option.is_optional:
        yield None
    if option.kind == "choice":
        yield "nothing of the kind"
    if option.kind == "string" and option.most is not None:
        yield "x" * (option.most + 1)
    if option.kind == "integer":
        yield "1"
        yield from (each - 1 for each in (option.least,) if each is not None)
        yield from (each + 1 for each in (option.most,) if each is not None)


def test_every_game_is_described() -> None:
    assert [line.game for line in DESCRIPTION.games] == list(GAMES)


@EACH_GAME
def test_options_are_read_as_described(line: GameLine) -> None:
    game = GAMES[line.game]
    assert {option.name for option in line.options} == set(game.options_type.__struct_fields__)
    for option in line.options:
        for value in allowed(option):
            game.read_options({option.name: value})
        for value in barred(option):
            with pytest.raises(RefusalError):
                game.read_options({option.name: value})


@EACH_GAME
def test_defaults_are_those_of_the_game(line: GameLine) -> None:
    defaults = {option.name: option.default for option in line.options}
    assert defaults == msgspec.to_builtins(GAMES[line.game].options_type())


@EACH_GAME
def test_seats_bots_and_forms_of_moves_are_those_of_the_game(line: GameLine) -> None:
    game = GAMES[line.game]
    assert (line.least_seats, line.most_seats) == (game.seats[0], game.seats[-1])
    assert line.bots == tuple(game.bots)
    assert line.rules == game.version
    for form in forms_of_moves(game):
        assert game.parse(form)


def test_an_option_of_no_known_kind_is_noticed() -> None:
    class Odd(msgspec.Struct):
        odd: dict[str, int] = {}

    class Game:
        name = "odd"
        options_type = Odd

    with pytest.raises(TypeError):
        list(option_lines(Game()))  # type: ignore[arg-type]


def test_every_code_that_may_come_has_a_meaning() -> None:
    told = {line.code for line in DESCRIPTION.refusals}
    assert len(told) == len(DESCRIPTION.refusals)
    assert told == {str(code) for kind in CODES.values() for code in kind}
    assert [line.code for line in DESCRIPTION.refusals if not line.meaning] == []
    assert set(KINDS).issuperset(
        kind for line in DESCRIPTION.refusals for kind in line.about.values()
    )


def refusals_made() -> Iterator[tuple[RefusalCode, set[str]]]:
    """Every `Refusal(Code.X, {...})` of shared and server code: the code, and the keys that are told."""
    for package in (diadem_shared, diadem_server):
        for path in Path(package.__path__[0]).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                match node:
                    case ast.Call(
                        func=ast.Name("Refusal"),
                        args=[ast.Attribute(ast.Name(enum), member), *about],
                    ) if enum in CODES:
                        dicts = [each for part in about for each in ast.walk(part)]
                        keys = {
                            key.value
                            for each in dicts
                            if isinstance(each, ast.Dict)
                            for key in each.keys
                            if isinstance(key, ast.Constant) and isinstance(key.value, str)
                        }
                        yield CODES[enum][member], keys


def test_what_a_refusal_is_about_is_declared() -> None:
    told: dict[RefusalCode, set[str]] = {}
    for code, keys in refusals_made():
        assert keys <= set(code.about), code
        told.setdefault(code, set()).update(keys)
    assert len(told) > 80, "nearly every code is given by name"
    for code, keys in told.items():
        missing = set(code.about) - keys
        assert not missing or code == "bad_board", (code, missing)


def test_every_reason_has_a_meaning_and_a_name_of_its_own() -> None:
    codes = {code for game in GAMES.values() for code in game.reasons}
    told = {line.code: line for line in DESCRIPTION.reasons}
    assert len(told) == len({id(code) for code in codes})
    assert [
        code for code in codes if not (told[code].meaning and told[code].about == dict(code.about))
    ] == []
    assert [line for line in DESCRIPTION.games if {*line.reasons} != GAMES[line.game].reasons] == []
