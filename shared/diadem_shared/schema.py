"""JSON Schema of all that client and server say to each other, taken from the classes that hold it.

What a client sends is closed: a server refuses a command with a field too many. What a server sends is open, since a later
one may say more: fields, messages, events and entries that nobody knows yet are valid. So what both send, such as a setup, is
there twice: closed under its own name, and open as `agreed.` and that name.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Any, TypeAlias, get_args, get_type_hints

import msgspec
from msgspec.inspect import EnumType, Metadata, StructType, Type, multi_type_info

from diadem_shared.description import forms_of_moves, refusal_lines
from diadem_shared.entries import Entry
from diadem_shared.game import AnyGame
from diadem_shared.match_events import MatchOver, RoundOver, Stalled
from diadem_shared.protocol import (
    SUBPROTOCOL,
    Description,
    FromClient,
    FromServer,
    RefusalLine,
    TablePublic,
)
from diadem_shared.refusals import INTEGER, STRING, STRINGS

Schema: TypeAlias = dict[str, Any]
Defs: TypeAlias = dict[str, Schema]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PLACE = "#/$defs/"
AGREED = "agreed."
END_IN_PYTHON = r"\Z"
"""Of a pattern. Elsewhere it is `$`, which Python lets stand before a last line feed."""
OF_MATCH = (Stalled, RoundOver, MatchOver)
ABOUT: dict[str, Schema] = {
    INTEGER: {"type": "integer"},
    STRING: {"type": "string"},
    STRINGS: {"type": "array", "items": {"type": "string"}},
}
NOTHING: Schema = {"type": "null"}


def schema(games: Mapping[str, AnyGame]) -> Schema:
    """Of every message; parts of a game are found in `$defs` as `diadingo.view`, `diadingo.move` and so on."""
    defs = _definitions(games)
    _fill_in(defs, games)
    _explain_refusals(defs["Refusal"], refusal_lines(games.values()))
    _open(defs)
    for name, each in defs.items():
        if "$ref" not in each:
            defs[name] = {"title": name} | each | {"title": name}
    return {
        "$schema": DIALECT,
        "title": SUBPROTOCOL,
        "description": "Every message between client and server; docs/protocol.md says what they mean.",
        **_any_of([_ref("from_client"), _ref("from_server")]),
        "$defs": defs,
    }


# Definitions and their names


def _definitions(games: Mapping[str, AnyGame]) -> Defs:
    """Of each class under its name, and of the parts of games."""
    parts = {f"{game.name}.{part}": kind for game in games.values() for part, kind in _parts(game)}
    messages = [*get_args(FromClient), *get_args(FromServer)]
    types = [*messages, *OF_MATCH, TablePublic, Description, Entry, *parts.values()]
    written, found = msgspec.json.schema_components(types, ref_template=PLACE + "{name}")
    names = _names(types, games)
    defs = {names[name]: _cleaned(each, names) for name, each in found.items()}
    for name, each in zip(parts, written[-len(parts) :], strict=True):
        defs.setdefault(name, _cleaned(each, names))
    return defs | {
        "entry": _cleaned(written[-len(parts) - 1], names),
        "from_client": _any_of(_ref(_tag(kind)) for kind in get_args(FromClient)),
        "from_server": _any_of(_ref(_tag(kind)) for kind in get_args(FromServer)),
        **{f"{game.name}.move": _move(game) for game in games.values()},
    }


def _parts(game: AnyGame) -> Iterable[tuple[str, Any]]:
    yield "options", game.options_type
    yield "view", game.public_type
    if game.private_type is not NoneType:
        yield "private", game.private_type
    yield "event", game.event_type
    verdict = get_type_hints(type(game).preview)["return"]
    if verdict is not Any:
        yield "verdict", verdict


def _names(types: Sequence[Any], games: Mapping[str, AnyGame]) -> dict[str, str]:
    """What each class is called here, by what msgspec calls it: classes that share a name by where they are, too."""
    classes = list(dict.fromkeys(_classes(multi_type_info(types))))
    shared = [each.__name__ for each in classes]
    return {
        each.__name__
        if shared.count(each.__name__) == 1
        else f"{each.__module__}.{each.__qualname__}": _name(each, games)
        for each in classes
    }


def _name(class_: type, games: Mapping[str, AnyGame]) -> str:
    """Messages, entries and events are called by their `type`, parts of a game by its folder first, and options by the game
    whose they are."""
    those = [game.name for game in games.values() if game.options_type is class_]
    folder = _folder(class_)
    if those:
        return f"{those[0] if len(those) == 1 else folder}.options"
    tag = _tag(class_)
    if folder:
        return f"{folder}.{tag or class_.__name__}"
    if class_ in get_args(Entry) or class_ in OF_MATCH:
        return f"entry.{tag}" if class_ in get_args(Entry) else f"event.{tag}"
    is_message = class_ in get_args(FromClient) or class_ in get_args(FromServer)
    return tag if is_message else class_.__name__


def _folder(class_: type) -> str:
    """Of the game that it belongs to; "" for what all games have."""
    package, *folders = class_.__module__.split(".")
    if package != "diadem_shared":
        return class_.__module__
    return folders[1] if folders[0] == "games" else ""


def _tag(class_: Any) -> str:
    config = getattr(class_, "__struct_config__", None)
    return str(config.tag) if config is not None and config.tag is not None else ""


def _classes(types: Iterable[Any]) -> Iterator[type]:
    """Those that have a definition, each perhaps often."""
    met: set[type] = set()
    left = list(types)
    while left:
        match left.pop(0):
            case StructType(cls=class_, fields=fields):
                yield class_
                if class_ not in met:
                    left += [field.type for field in fields]
                met.add(class_)
            case EnumType(cls=class_):
                yield class_
            case Metadata(type=inner):
                left.append(inner)
            case Type() as other:
                left += _types_in(other)
            case _:
                pass


def _types_in(type_: Type) -> Iterator[Any]:
    for name in type_.__struct_fields__:
        held = getattr(type_, name)
        yield from held if isinstance(held, tuple) else (held,)


def _cleaned(value: Any, names: Mapping[str, str]) -> Any:
    """With our names, and without keywords that are none of JSON Schema."""
    match value:
        case str() if value.startswith(PLACE):
            return PLACE + names[value.removeprefix(PLACE)]
        case str() if value.endswith(END_IN_PYTHON):
            return value.removesuffix(END_IN_PYTHON) + "$"
        case dict():
            kept = {key: each for key, each in value.items() if not _is_discriminator(key, each)}
            return {key: _cleaned(each, names) for key, each in kept.items()}
        case list() | tuple():
            return [_cleaned(each, names) for each in value]
        case _:
            return value


def _is_discriminator(key: str, value: Any) -> bool:
    """A keyword of OpenAPI: what it says follows from the values of the field."""
    return key == "discriminator" and isinstance(value, dict) and "propertyName" in value


def _move(game: AnyGame) -> Schema:
    return {
        "type": "string",
        "pattern": f"^(?:{game.moves_like})$",
        "examples": forms_of_moves(game),
    }


# What depends on the game, and on the code


def _fill_in(defs: Defs, games: Mapping[str, AnyGame]) -> None:
    """Where a field holds what the game or the match says it does."""
    of_match = [*get_args(Entry), *OF_MATCH]
    defs["event"] = _any_of(_ref(_name(kind, games)) for kind in of_match)
    defs["Happened"]["properties"]["event"] = _later([])
    defs["replay"]["properties"]["entries"]["items"] = _any_of(
        [_ref("entry"), _later(map(_tag, get_args(Entry)))]
    )
    defs["view"]["properties"]["public"] = _ref("TablePublic")
    defs["view"]["allOf"] = [
        _if(
            {"public": _holds({"setup": _holds({"game": {"const": name}})})},
            _of_game(defs, game, map(_tag, of_match)),
        )
        for name, game in games.items()
    ]
    verdicts = [_ref(name) for name in defs if name.endswith(".verdict")]
    defs["checked"]["properties"]["verdict"] = _any_of([*verdicts, _later([], "verdict")])
    defs["described"]["properties"]["description"] = _ref("Description")
    defs["Setup"]["allOf"] = [
        _if({"game": {"const": name}}, {"options": _ref(_name(game.options_type, games))})
        for name, game in games.items()
    ]


def _of_game(defs: Defs, game: AnyGame, of_match: Iterable[str]) -> Schema:
    """What the fields of a view hold that depend on the game."""
    events = map(_tag, get_args(game.event_type) or (game.event_type,))
    event = [_ref(f"{game.name}.event"), _ref("event"), _later((*events, *of_match))]
    private = [_ref(f"{game.name}.private")] if f"{game.name}.private" in defs else []
    return {
        "public": {"properties": {"game": _any_of([_ref(f"{game.name}.view"), NOTHING])}},
        "private": _any_of([*private, NOTHING]),
        "happened": {"items": {"properties": {"event": _any_of(event)}}},
    }


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


# What later servers may say


def _open(defs: Defs) -> None:
    """Let what a server sends have more than is known; what a client sends as well, too, is there twice from here on."""
    tags = [_tag(kind) for kind in get_args(FromServer)]
    defs["from_server"]["anyOf"].append(_later(tags))
    sent, told = _reachable(defs, "from_client"), _reachable(defs, "from_server")
    closed = [name for name, each in defs.items() if each.get("additionalProperties") is False]
    twice = {name: AGREED + name for name in closed if name in sent and name in told}
    for name in told - sent:
        defs[name] = _opened(defs[name], twice)
    for name, agreed in twice.items():
        defs[agreed] = _opened(defs[name], twice)


def _reachable(defs: Defs, name: str) -> set[str]:
    found, left = {name}, [name]
    while left:
        new = set(_refs_in(defs[left.pop()])) - found
        found |= new
        left += new
    return found


def _refs_in(value: Any) -> Iterator[str]:
    match value:
        case {"$ref": str(place)}:
            yield place.removeprefix(PLACE)
        case dict():
            for each in value.values():
                yield from _refs_in(each)
        case list():
            for each in value:
                yield from _refs_in(each)
        case _:
            pass


def _opened(definition: Schema, names: Mapping[str, str]) -> Schema:
    opened = {key: each for key, each in definition.items() if each is not False}
    renamed: Schema = _cleaned(opened, {name: names.get(name, name) for name in _refs_in(opened)})
    return renamed


def _later(known: Iterable[str], field: str = "type") -> Schema:
    """Anything that calls itself by another name than those that are known."""
    names = list(dict.fromkeys(known))
    return _holds({field: {"type": "string"} | ({"not": {"enum": names}} if names else {})})


# Short forms


def _if(properties: Schema, then: Schema) -> Schema:
    condition = {"properties": properties, "required": list(properties)}
    return {"if": condition, "then": {"properties": then}}


def _holds(properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _any_of(schemas: Iterable[Schema]) -> Schema:
    return {"anyOf": list(schemas)}


def _ref(name: str) -> Schema:
    return {"$ref": PLACE + name}
