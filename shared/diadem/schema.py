"""JSON Schema of all that client and server say to each other, taken from the classes that hold it."""

from collections.abc import Iterable, Mapping
from types import NoneType
from typing import Any, TypeAlias, get_args, get_type_hints

import msgspec

from diadem.description import forms_of_moves, refusal_lines
from diadem.entries import Entry
from diadem.game import AnyGame
from diadem.match import MatchOver, RoundOver
from diadem.protocol import (
    SUBPROTOCOL,
    Description,
    FromClient,
    FromServer,
    RefusalLine,
    TablePublic,
)
from diadem.refusals import INTEGER, STRING, STRINGS

Schema: TypeAlias = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLACE = "#/$defs/"
END_IN_PYTHON = r"\Z"
"""Of a pattern. Elsewhere it is `$`, which Python lets stand before a last line feed."""
ABOUT: dict[str, Schema] = {
    INTEGER: {"type": "integer"},
    STRING: {"type": "string"},
    STRINGS: {"type": "array", "items": {"type": "string"}},
}


def schema(games: Mapping[str, AnyGame]) -> Schema:
    """Of every message; parts of a game are found in `$defs` as `diadingo.view`, `diadingo.move` and so on."""
    of_game = {
        f"{game.name}.{part}": type_ for game in games.values() for part, type_ in _parts(game)
    }
    messages = [*get_args(FromClient), *get_args(FromServer)]
    others = [TablePublic, Description, Entry, RoundOver, MatchOver]
    types = [*messages, *others, *of_game.values()]
    written, defs = msgspec.json.schema_components(types, ref_template=PLACE + "{name}")
    of_type = dict(zip(map(repr, types), written, strict=True))
    defs |= {name: of_type[repr(type_)] for name, type_ in of_game.items()}
    defs |= {f"{game.name}.move": _move(game) for game in games.values()}
    defs["from_client"] = _any_of(of_type[repr(each)] for each in get_args(FromClient))
    defs["from_server"] = _any_of(of_type[repr(each)] for each in get_args(FromServer))
    defs["entry"] = of_type[repr(Entry)]
    _fill_in(defs, games)
    _explain_refusals(defs["Refusal"], refusal_lines(games.values()))
    whole = {
        "$schema": DIALECT,
        "title": SUBPROTOCOL,
        "description": "Every message between client and server; docs/protocol.md says what they mean.",
        **_any_of([_ref("from_client"), _ref("from_server")]),
        "$defs": defs,
    }
    renamed: Schema = _renamed(whole, {name: _short(name) for name in defs})
    return renamed


def _parts(game: AnyGame) -> Iterable[tuple[str, Any]]:
    yield "options", game.options_type
    yield "view", game.public_type
    if game.private_type is not NoneType:
        yield "private", game.private_type
    yield "event", game.event_type
    verdict = get_type_hints(type(game).preview)["return"]
    if verdict is not Any:
        yield "verdict", verdict


def _move(game: AnyGame) -> Schema:
    return {
        "type": "string",
        "pattern": f"^(?:{game.moves_like})$",
        "examples": forms_of_moves(game),
    }


def _fill_in(defs: dict[str, Schema], games: Mapping[str, AnyGame]) -> None:
    """Where a field holds what the game or the match says it does."""
    events = [*_found(defs, games, "event"), _ref("entry"), _ref("RoundOver"), _ref("MatchOver")]
    nothing: Schema = {"type": "null"}
    defs["TablePublic"]["properties"]["game"] = _any_of([*_found(defs, games, "view"), nothing])
    defs["TableView"]["properties"] |= {
        "public": _ref("TablePublic"),
        "private": _any_of([*_found(defs, games, "private"), nothing]),
    }
    defs["Happened"]["properties"]["event"] = _any_of(events)
    defs["Checked"]["properties"]["verdict"] = _any_of(_found(defs, games, "verdict"))
    defs["Described"]["properties"]["description"] = _ref("Description")
    defs["Replay"]["properties"]["entries"]["items"] = _ref("entry")
    defs["Setup"]["allOf"] = [
        _if({"game": {"const": name}}, {"options": _ref(f"{name}.options")}) for name in games
    ]


def _found(defs: Mapping[str, Schema], games: Mapping[str, AnyGame], part: str) -> list[Schema]:
    return [_ref(f"{name}.{part}") for name in games if f"{name}.{part}" in defs]


def _explain_refusals(refusal: Schema, lines: Iterable[RefusalLine]) -> None:
    """What is told about each code that is known. Later servers may have others."""
    refusal["allOf"] = [
        _if(
            {"code": {"const": line.code}},
            {"about": {"properties": {key: ABOUT[kind] for key, kind in line.about.items()}}},
        )
        | {"description": line.meaning}
        for line in lines
    ]


def _short(name: str) -> str:
    """Classes that share a name are told apart by where they are: those of games by the game's folder."""
    *folders, class_ = name.split(".")
    if folders[:2] == ["diadem", "games"]:
        return f"{folders[2]}.{class_}"
    return class_ if folders[:1] == ["diadem"] else name


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    match value:
        case {"$defs": dict(defs)}:
            renamed = {names[name]: _renamed(each, names) for name, each in defs.items()}
            return {**_renamed({**value, "$defs": None}, names), "$defs": renamed}
        case str() if value.startswith(PLACE):
            return PLACE + names[value.removeprefix(PLACE)]
        case str() if value.endswith(END_IN_PYTHON):
            return value.removesuffix(END_IN_PYTHON) + "$"
        case dict():
            return {key: _renamed(each, names) for key, each in value.items()}
        case list() | tuple():
            return [_renamed(each, names) for each in value]
        case _:
            return value


def _if(properties: Schema, then: Schema) -> Schema:
    condition = {"properties": properties, "required": list(properties)}
    return {"if": condition, "then": {"properties": then}}


def _any_of(schemas: Iterable[Schema]) -> Schema:
    return {"anyOf": list(schemas)}


def _ref(name: str) -> Schema:
    return {"$ref": PLACE + name}
