"""Values of a game as words, where nothing more is known of them."""

from enum import Enum
from typing import Any

from msgspec import Struct

LONGEST = 500
"""Letters of one value that are shown."""


def plain_words(value: Any) -> str:
    return _words(value)[:LONGEST]


def _words(value: Any) -> str:
    match value:
        case None | () | [] | "":
            return "-"
        case Enum():
            return str(value.value)
        case dict():
            return ", ".join(f"{key} {_words(each)}" for key, each in value.items())
        case list() | tuple():
            return ", ".join(map(_words, value))
        case Struct():
            return " ".join(_words(getattr(value, name)) for name in value.__struct_fields__)
        case _:
            return str(value)
