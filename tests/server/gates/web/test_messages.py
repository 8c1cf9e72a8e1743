"""What the page may say in text, and what of it is used."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from diadem_server.gates.web.messages import (
    BadMessage,
    Hello,
    bounded,
    read_hello,
    read_resized,
    welcome,
)

ANA: dict[str, Any] = {
    "v": 1,
    "name": "Ana",
    "lang": "de",
    "size": [80, 24],
    "table": "K7F3ABCD",
    "resume": True,
    "touch": False,
}


def test_a_hello_is_read_as_the_page_says_it() -> None:
    assert read_hello(json.dumps(ANA)) == Hello(1, (80, 24), "Ana", "de", "K7F3ABCD", resume=True)


def test_a_later_page_may_say_more() -> None:
    assert read_hello(json.dumps(ANA | {"pixels": 2})).name == "Ana"


NO_HELLOS = [
    "",
    "{}",
    "[]",
    "null",
    "\ud800",
    b"{}",
    json.dumps(ANA).encode(),
    json.dumps(ANA | {"v": 2}),
    json.dumps(ANA | {"name": None}),
    json.dumps(ANA | {"size": [80]}),
    json.dumps(ANA | {"size": [80.5, 24]}),
    json.dumps(ANA | {"size": [1e400, 24]}),
    json.dumps(ANA | {"size": "80x24"}),
    json.dumps(ANA | {"resume": "yes"}),
    "[" * 16_000,
    '{"v":1,"size":[80,24],"more":' + "[" * 8_000,
]


def taken(read: Callable[[str], object], said: Sequence[Any]) -> list[str]:
    """The beginnings of those that it reads."""
    found = []
    for each in said:
        with suppress(BadMessage):
            read(each)
            found.append(str(each[:40]))
    return found


def test_nothing_else_is_a_hello() -> None:
    assert taken(read_hello, NO_HELLOS) == []


SIZES = {
    (80, 24): (80, 24),
    (0, 0): (20, 5),
    (-1, -(10**18)): (20, 5),
    (10**18, 10**18): (300, 120),
}


def test_no_size_is_too_large_to_draw() -> None:
    assert {size: bounded(size) for size in SIZES} == SIZES
    assert {size: read_resized(json.dumps({"size": size})) for size in SIZES} == SIZES


def test_nothing_else_is_a_size() -> None:
    said = ("", "{}", '{"size": null}', '{"size": [1]}', "[" * 16_000)
    assert taken(read_resized, said) == []


def test_the_welcome_names_server_and_table() -> None:
    assert json.loads(welcome('The "kitchen"', "K7F3")) == {
        "v": 1,
        "server": 'The "kitchen"',
        "table": "K7F3",
    }
