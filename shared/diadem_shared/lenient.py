"""Reads what a newer program has written: fields that are not known here are left out."""

from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")


@overload
def convert_known(value: Any, type_: type[T]) -> T: ...
@overload
def convert_known(value: Any, type_: Any) -> Any: ...
def convert_known(value: Any, type_: Any) -> Any:
    """The same as `msgspec.convert`, where a type that refuses unknown fields would refuse only those."""
    try:
        return msgspec.convert(value, type_, builtin_types=(bytes,))
    except msgspec.ValidationError:
        from diadem_shared.known_fields import only_known  # noqa: PLC0415, what looks into types is seldom needed

        return msgspec.convert(only_known(value, type_), type_, builtin_types=(bytes,))
