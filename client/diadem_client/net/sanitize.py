"""What a server sent, made harmless and bounded: any server may be gone to, and not all mean well."""

from collections.abc import Iterator
from enum import Enum
from typing import Any, TypeAlias

from msgspec import Struct

from diadem.protocol import (
    LONGEST_NAME,
    MAX_SECRET,
    BadFrame,
    FromServer,
    Welcome,
    read_message,
)
from diadem_client.i18n import sanitized

MAX_FRAME_BYTES = 1024 * 1024
"""Bytes of a frame. Only replays need more (MAX_MESSAGE), and none is asked for here."""
MAX_DEPTH = 20
"""Values within values; what servers send has half of that."""
MAX_VALUES = 100_000
MAX_TEXT = 2_000
"""Letters; a board is the longest text there is."""

Budget: TypeAlias = Iterator[int]


def read_sanitized(frame: bytes | str) -> FromServer:
    """A message of which all may be kept and shown, or BadFrame."""
    if len(frame) > MAX_FRAME_BYTES:
        raise BadFrame("a frame too large")
    message: FromServer = _cleaned(read_message(frame), MAX_DEPTH, iter(range(MAX_VALUES)))
    if isinstance(message, Welcome) and _is_too_long(message):
        raise BadFrame("a name or a token too long")
    return message


def _is_too_long(welcome: Welcome) -> bool:
    """These are kept, and sent again."""
    return len(welcome.name) > LONGEST_NAME or len(welcome.token) > MAX_SECRET


def _cleaned(value: Any, depth: int, budget: Budget) -> Any:
    """The same with every text made harmless; a name may be anything that its owner could send.

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
        case None | bool() | int() | float() | bytes():
            return value
        case _:
            raise BadFrame("a value of no kind that is known here")


def _of_key(key: Any, value: Any, depth: int, budget: Budget) -> Any:
    if key == "board" and isinstance(value, str):
        return "\n".join(map(sanitized, value[:MAX_TEXT].split("\n")))
    return _cleaned(value, depth, budget)
