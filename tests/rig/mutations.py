"""Frames made hostile: valid ones in which something is not as it should be.

Plain functions of a frame and of chance, for property tests and for fuzzing alike.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

import msgpack

Path: TypeAlias = tuple[Any, ...]

DEEP = 500
BAD_TEXTS = (
    "",
    "x" * 5_000,
    "\x1b[2J\x1b[H\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07",
    "\x9b31m\u0085\r\n\t\x00",
    "[bold red]x[/] [@click=app.quit]y[/]",
    "\u202eabc\u2066def\u200f",
    "a" + "\u0301" * 500,
    "\n".join(["." * 3] * 10_000),
    "{name} {0} %s %(a)s",
    "\U000e0041\ufeff\u2028",
    "over",
    "diamino-rummy",
    "diadingo",
    "no-such-game",
)
LEAST, MOST = -(2**63), 2**64 - 1
"""No number beyond these can be packed."""
BAD_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    7,
    99,
    2**31,
    2**63,
    MOST,
    LEAST,
    0.5,
    1e308,
    float("nan"),
    b"bytes",
    [],
    {},
    [[]],
    [None] * 40,
    ["A1"] * 300,
    list(range(5_000)),
    {"type": "unheard_of"},
    {"seat": 99},
    {str(number): number for number in range(2_000)},
    msgpack.ExtType(5, b"x"),
    msgpack.Timestamp(1, 2),
    *BAD_TEXTS,
)


def nested(depth: int = DEEP) -> bytes:
    """A list in a list in a list."""
    return b"\x91" * depth + b"\xc0"


def mutated(frame: bytes, chance: Random, others: Sequence[bytes] = ()) -> bytes:
    """One to three things are wrong with it; parts of other frames may be in it."""
    if chance.random() < 0.1:
        return _broken(frame, chance)
    message = msgpack.unpackb(frame)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        message = _mutated(message, chance, others)
    packed: bytes = msgpack.packb(message)
    return packed


def paths_in(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where every value in a message is found."""
    yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from paths_in(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from paths_in(each, (*path, number))


def value_at(message: Any, path: Path) -> Any:
    for step in path:
        message = message[step]
    return message


def with_value(message: Any, path: Path, value: Any) -> Any:
    """A copy of the message with another value in that place."""
    if not path:
        return value
    step, *rest = path
    copied = dict(message) if isinstance(message, dict) else list(message)
    copied[step] = with_value(message[step], tuple(rest), value)
    return copied


def _mutated(message: Any, chance: Random, others: Sequence[bytes]) -> Any:
    path = chance.choice([path for path in paths_in(message) if path] or [()])
    change = chance.choice(CHANGES)
    return with_value(message, path, change(value_at(message, path), chance, others))


def _another(value: Any, chance: Random, _others: Sequence[bytes]) -> Any:
    alike = [each for each in BAD_VALUES if type(each) is type(value)]
    return chance.choice(alike or BAD_VALUES)


def _of_another_kind(_value: Any, chance: Random, _others: Sequence[bytes]) -> Any:
    return chance.choice(BAD_VALUES)


def _from_elsewhere(value: Any, chance: Random, others: Sequence[bytes]) -> Any:
    """As likely as not a value of the same kind, which only contradicts the rest."""
    if not others:
        return value
    other = msgpack.unpackb(chance.choice(others))
    found = [value_at(other, path) for path in paths_in(other)]
    alike = [each for each in found if type(each) is type(value)]
    return chance.choice(alike if alike and chance.random() < 0.7 else found)


def _with_less_or_more(value: Any, chance: Random, _others: Sequence[bytes]) -> Any:
    match value:
        case dict() if value:
            key = chance.choice(list(value))
            rest = {each: value[each] for each in value if each != key}
            return rest if chance.random() < 0.6 else {**rest, f"{key}?": value[key]}
        case list() if value:
            return chance.choice((value[1:], value[:-1], value * 2, value * 100, value[::-1], []))
        case str():
            return value[: chance.randrange(len(value) + 1)] + chance.choice(BAD_TEXTS)
        case bool():
            return not value
        case int():
            return max(LEAST, min(value + chance.choice((-100, -1, 1, 100, 2**40)), MOST))
        case _:
            return chance.choice(BAD_VALUES)


CHANGES: tuple[Callable[[Any, Random, Sequence[bytes]], Any], ...] = (
    _another,
    _of_another_kind,
    _from_elsewhere,
    _from_elsewhere,
    _with_less_or_more,
    _with_less_or_more,
)


def _broken(frame: bytes, chance: Random) -> bytes:
    """No longer what it was even as bytes."""
    at = chance.randrange(len(frame))
    return chance.choice(
        (
            frame[:at],
            frame[:at] + bytes([chance.randrange(256)]) + frame[at + 1 :],
            frame + frame,
            frame[:at] + nested() + frame[at:],
            nested(),
            nested(100_000),
            b"\xdd\xff\xff\xff\xff",
            b"\xdb\xff\xff\xff\xff",
            b"",
        )
    )
