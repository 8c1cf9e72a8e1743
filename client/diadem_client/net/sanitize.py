"""Sanitizes and bounds what a server sends: players may connect to any server, also to a hostile one."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, TypeAlias

from msgspec import Struct, UnsetType

from diadem_client.i18n import sanitized
from diadem_shared.protocol import (
    LONGEST_NAME,
    MAX_SECRET,
    BadFrame,
    FromServer,
    Welcome,
    read_message,
)

MAX_FRAME_BYTES = 1024 * 1024
"""The longest frame in bytes. Only replays are longer (MAX_MESSAGE), and this client asks for none."""
MAX_DEPTH = 20
"""The deepest nesting; what servers send has half of that."""
MAX_VALUES = 100_000
MAX_TEXT = 2_000
"""The longest text in characters, that of a board."""

Budget: TypeAlias = Iterator[int]


def read_sanitized(frame: bytes | str) -> FromServer:
    """A message of which everything may be kept and shown; raises BadFrame."""
    if len(frame) > MAX_FRAME_BYTES:
        raise BadFrame("a frame too large")
    message: FromServer = _cleaned(read_message(frame), MAX_DEPTH, iter(range(MAX_VALUES)))
    if isinstance(message, Welcome) and _is_too_long(message):
        raise BadFrame("a name or a token too long")
    return message


def _is_too_long(welcome: Welcome) -> bool:
    """Whether what the client keeps and sends again is longer than it may be."""
    return len(welcome.name) > LONGEST_NAME or len(welcome.token) > MAX_SECRET


def _cleaned(value: Any, depth: int, budget: Budget) -> Any:
    """The same value with every text sanitized; names are whatever their players sent.

    A board is the one text of several lines: it is never shown as it stands.
    """
    if not depth:
        raise BadFrame("values too deep within values")
    if next(budget, None) is None:
        raise BadFrame("too many values")
    match value:
        case Enum():
            return value
        case str():
            return sanitized(value[:MAX_TEXT])
        case Struct():
            fields = (getattr(value, name) for name in value.__struct_fields__)
            return type(value)(*(_cleaned(each, depth - 1, budget) for each in fields))
        case dict():
            return {
                _cleaned(key, depth - 1, budget): _of_key(key, each, depth - 1, budget)
                for key, each in value.items()
            }
        case list():
            return [_cleaned(each, depth - 1, budget) for each in value]
        case tuple() if type(value) is tuple:
            return tuple(_cleaned(each, depth - 1, budget) for each in value)
        case None | bool() | int() | float() | bytes() | UnsetType():
            return value
        case _:
            raise BadFrame("a value of no kind that is known here")


def _of_key(key: Any, value: Any, depth: int, budget: Budget) -> Any:
    if key == "board" and isinstance(value, str):
        return "\n".join(map(sanitized, value[:MAX_TEXT].split("\n")))
    return _cleaned(value, depth, budget)
