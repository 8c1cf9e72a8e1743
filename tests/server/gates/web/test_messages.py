"""What the page may say in text, and what of it is used."""

import json
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    "said",
    [
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
    ],
    ids=lambda said: str(said[:40]),
)
def test_nothing_else_is_a_hello(said: str | bytes) -> None:
    with pytest.raises(BadMessage):
        read_hello(said)


@pytest.mark.parametrize(
    ("size", "used"),
    [
        ((80, 24), (80, 24)),
        ((0, 0), (20, 5)),
        ((-1, -(10**18)), (20, 5)),
        ((10**18, 10**18), (300, 120)),
    ],
)
def test_no_size_is_too_large_to_draw(size: tuple[int, int], used: tuple[int, int]) -> None:
    assert bounded(size) == used
    assert read_resized(json.dumps({"size": size})) == used


@pytest.mark.parametrize("said", ["", "{}", '{"size": null}', '{"size": [1]}', "[" * 16_000])
def test_nothing_else_is_a_size(said: str) -> None:
    with pytest.raises(BadMessage):
        read_resized(said)


def test_the_welcome_names_server_and_table() -> None:
    assert json.loads(welcome('The "kitchen"', "K7F3")) == {
        "v": 1,
        "server": 'The "kitchen"',
        "table": "K7F3",
    }
