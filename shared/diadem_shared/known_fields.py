"""Leaves out of plain values what a type has no field for."""

from functools import cache
from typing import Any

from msgspec.inspect import (
    DictType,
    ListType,
    Metadata,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)


def only_known(value: Any, type_: Any) -> Any:
    return _known(value, _info(type_))


@cache
def _info(type_: Any) -> Type:
    return type_info(type_)


def _known(value: Any, type_: Type) -> Any:
    match type_, value:
        case Metadata(type=inner), _:
            return _known(value, inner)
        case StructType(fields=fields), dict():
            kinds = {field.encode_name: field.type for field in fields}
            tag = {} if type_.tag_field is None else {type_.tag_field: value.get(type_.tag_field)}
            return tag | {
                name: _known(each, kinds[name]) for name, each in value.items() if name in kinds
            }
        case UnionType(types=types), _:
            return next((_known(value, each) for each in types if _fits(value, each)), value)
        case ((ListType(item_type=item) | VarTupleType(item_type=item)), list() | tuple()):
            return [_known(each, item) for each in value]
        case DictType(value_type=held), dict():
            return {key: _known(each, held) for key, each in value.items()}
        case _:
            return value


def _fits(value: Any, type_: Type) -> bool:
    match type_, value:
        case Metadata(type=inner), _:
            return _fits(value, inner)
        case StructType(tag_field=str(field), tag=tag), dict():
            return bool(value.get(field) == tag)
        case ((StructType() | DictType()), dict()):
            return True
        case ((ListType() | VarTupleType()), list() | tuple()):
            return True
        case _:
            return False
