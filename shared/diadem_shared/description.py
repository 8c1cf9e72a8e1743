"""Games and refusals as a server describes them to clients that know nothing of them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast, get_args

import msgspec
from msgspec.inspect import (
    BoolType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    type_info,
)

from diadem_shared.entries import rounds_of
from diadem_shared.game import AnyGame
from diadem_shared.lexicon import shelf
from diadem_shared.protocol import (
    Description,
    GameLine,
    OptionLine,
    Reaction,
    ReasonLine,
    RefusalLine,
)
from diadem_shared.refusals import Code, RefusalCode, RefusalError


def describe(games: Mapping[str, AnyGame]) -> Description:
    return Description(
        games=tuple(map(game_line, games.values())),
        word_lists=shelf.lines(),
        reactions=get_args(Reaction),
        refusals=tuple(refusal_lines(games.values())),
        reasons=tuple(reason_lines(games.values())),
    )


def game_line(game: AnyGame) -> GameLine:
    return GameLine(
        game=game.name,
        rules=game.version,
        least_seats=game.seats[0],
        most_seats=game.seats[-1],
        options=tuple(option_lines(game)),
        bots=tuple(game.bots),
        moves=tuple(forms_of_moves(game)),
        refusals=tuple(sorted(game.refusals)),
        reasons=tuple(sorted(game.reasons)),
        most_rounds=rounds_of(game)[-1],
    )


def forms_of_moves(game: AnyGame) -> list[str]:
    """How moves are typed, as the refusal of gibberish tells it."""
    try:
        game.parse("?")
    except RefusalError as refused:
        return cast("list[str]", refused.refusal.about["forms"])
    raise TypeError(game.name)


def option_lines(game: AnyGame) -> Iterator[OptionLine]:
    defaults = msgspec.to_builtins(game.options_type())
    for field in cast("StructType", type_info(game.options_type)).fields:
        name = field.encode_name
        yield _option(OptionLine(name, "string", f"{game.name}.{name}", defaults[name]), field.type)


def _option(line: OptionLine, type_: Type) -> OptionLine:
    change = msgspec.structs.replace
    match type_:
        case Metadata(type=StrType() as text, extra_json_schema={"examples": named}):
            return change(_option(line, text), values=tuple(named))
        case BoolType():
            return change(line, kind="boolean")
        case IntType(ge=least, le=most):
            return change(line, kind="integer", least=least, most=most)
        case StrType(max_length=most):
            return change(line, kind="string", most=most)
        case LiteralType(values):
            return change(line, kind="choice", values=tuple(values))
        case UnionType(types):
            (some,) = (each for each in types if not isinstance(each, NoneType))
            return change(_option(line, some), is_optional=True)
        case _:
            raise TypeError(line.name, type_)


def refusal_codes(games: Iterable[AnyGame]) -> Iterable[RefusalCode]:
    """Each once. Codes of several games may have one name, and are equal then."""
    codes = (*Code, *(code for game in games for code in sorted(game.refusals)))
    return {id(code): code for code in codes}.values()


def refusal_lines(games: Iterable[AnyGame]) -> Iterator[RefusalLine]:
    """Each code once. Where several give one, what they tell about it is put together."""
    found: dict[str, list[RefusalCode]] = {}
    for code in refusal_codes(games):
        found.setdefault(str(code), []).append(code)
    for name, codes in found.items():
        about = {key: kind for code in codes for key, kind in code.about.items()}
        meanings = dict.fromkeys(code.meaning for code in codes)
        yield RefusalLine(name, " ".join(meanings), about)


def reason_lines(games: Iterable[AnyGame]) -> Iterator[ReasonLine]:
    """Each code once: those of two games that are not alike have different names."""
    codes = {str(code): code for game in games for code in sorted(game.reasons)}
    for name, code in codes.items():
        yield ReasonLine(name, code.meaning, dict(code.about))
