"""Typed classes as tables: each field, what it may hold, and what its comment says of it."""

import ast
import inspect
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from textwrap import dedent
from typing import Any, TypeAlias, cast, get_args

import msgspec
from msgspec import NODEFAULT, UNSET, Struct
from msgspec.inspect import (
    AnyType,
    BoolType,
    BytesType,
    DictType,
    EnumType,
    FloatType,
    IntType,
    ListType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from tools.protocol_tables import examples

Kind: TypeAlias = type[Struct]


def kinds(union: Any) -> Sequence[Kind]:
    found: Sequence[Kind] = get_args(union) or (union,)
    return found


def message(kind: Kind, level: int) -> Iterator[str]:
    """A message with an example, as a map and as bytes."""
    yield from described(kind, level)
    yield from examples.of(kind)


def described(kind: Kind, level: int) -> Iterator[str]:
    info = _info(kind)
    title = f"`{info.tag}`" if info.tag else kind.__name__
    yield from ("", f"{'#' * level} {title}", "")
    if comment := _comment(kind):
        yield from (comment, "")
    yield from table(kind)


def table(kind: Kind) -> Iterator[str]:
    info = _info(kind)
    if not info.fields:
        yield "No fields."
        return
    yield from ("| field | holds | |", "|---|---|---|")
    notes = _notes(kind)
    for field in info.fields:
        default = _default(field)
        note = " ".join(filter(None, [notes.get(field.name, ""), default]))
        yield f"| `{field.encode_name}` | {told(field.type)} | {note} |"


def one_line(kind: Kind) -> str:
    """An event or a move in a row of a table."""
    info = _info(kind)
    fields = "; ".join(f"`{field.encode_name}`: {told(field.type)}" for field in info.fields)
    return f"| `{info.tag}` | {fields} | {_comment(kind)} |"


def _comment(kind: Kind) -> str:
    """What the class says of itself; msgspec gives one to those that say nothing."""
    comment = kind.__dict__.get("__doc__") or ""
    return "" if comment.startswith(f"{kind.__name__}(") else " ".join(comment.split())


def _default(field: msgspec.inspect.Field) -> str:
    if field.required:
        return ""
    default = field.default
    if default is NODEFAULT:
        default = field.default_factory() if callable(field.default_factory) else None
    if default is UNSET:
        return ""
    return f"Default: `{json.dumps(msgspec.to_builtins(default))}`."


def named_in(messages: Iterable[Kind]) -> Sequence[Kind]:
    """The classes that others hold, each once, in the order in which they are met."""
    found: dict[Kind, None] = {}
    for kind in messages:
        for field in _info(kind).fields:
            _collect(field.type, found)
    return [kind for kind in found if kind not in set(messages)] + [
        kind for kind in messages if kind.__struct_config__.tag is None
    ]


def _collect(type_: Type, found: dict[Kind, None]) -> None:
    match type_:
        case StructType(cls) if cls not in found:
            found[cls] = None
            for field in type_.fields:
                _collect(field.type, found)
        case UnionType(types):
            for each in types:
                _collect(each, found)
        case ListType(item_type=item) | VarTupleType(item_type=item):
            _collect(item, found)
        case TupleType(item_types=items):
            for each in items:
                _collect(each, found)
        case DictType(value_type=value):
            _collect(value, found)
        case _:
            pass


PLAIN: dict[type[Type], str] = {
    AnyType: "anything",
    BoolType: "boolean",
    BytesType: "binary",
    FloatType: "number",
    NoneType: "nil",
}


def told(type_: Type) -> str:
    """What a field may hold, in a few words."""
    match type_:
        case Metadata(type=StrType() as text, extra_json_schema={"examples": named}):
            names = " or ".join(f"`{json.dumps(each)}`" for each in named)
            return f"{names}, or {told(text)}"
        case IntType():
            return f"integer{_bounds(type_)}"
        case StrType():
            return f"string{_length(type_)}"
        case LiteralType(values):
            return " or ".join(f"`{json.dumps(value)}`" for value in values)
        case EnumType(cls):
            return " or ".join(f"`{json.dumps(each.value)}`" for each in cls)
        case StructType(cls):
            tag = type_.tag if type_.tag_field == "type" else None
            return f"`{tag}`" if tag else cls.__name__
        case UnionType(types):
            return " or ".join(told(each) for each in types)
        case _:
            return PLAIN[type(type_)] if type(type_) in PLAIN else _told_of_many(type_)


def _told_of_many(type_: Type) -> str:
    match type_:
        case ListType(item_type=item) | VarTupleType(item_type=item):
            return f"array of ({told(item)})" if " or " in told(item) else f"array of {told(item)}"
        case TupleType(item_types=items):
            return f"array [{', '.join(told(each) for each in items)}]"
        case DictType(key_type=key, value_type=value):
            return f"map from {told(key)} to {told(value)}{_length(type_, 'entries')}"
        case _:
            raise TypeError(type_)


def _bounds(type_: IntType) -> str:
    least = type_.ge
    most = type_.le if type_.lt is None else type_.lt - 1
    return f" from {least} to {most}" if least is not None and most is not None else ""


def _length(type_: StrType | DictType, unit: str = "characters") -> str:
    if type_.max_length is None:
        return ""
    least = f"{type_.min_length} to " if type_.min_length else "at most "
    return f", {least}{type_.max_length} {unit}"


@cache
def _info(kind: Kind) -> StructType:
    return cast("StructType", type_info(kind))


@cache
def _notes(kind: Kind) -> dict[str, str]:
    """The strings that stand below fields."""
    notes = _notes(kind.__base__) if kind.__base__ not in {Struct, object, None} else {}
    class_ = cast("ast.ClassDef", ast.parse(dedent(inspect.getsource(kind))).body[0])
    found = {
        field.target.id: " ".join(str(note.value.value).split()).replace("None ", "nil ")
        for field, note in zip(class_.body, class_.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(note, ast.Expr) and isinstance(note.value, ast.Constant)
    }
    return notes | found
