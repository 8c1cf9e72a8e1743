"""Values of which nothing is known are shown as words, and never at great length."""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from diadem_client.wording.plain import LONGEST, plain_words
from tests.cases import cases


class Colour(StrEnum):
    RED = "red"


class Card(Struct):
    colour: Colour
    number: int


@cases(
    ("value", "words"),
    [
        (None, "-"),
        ([], "-"),
        ("", "-"),
        (0, "0"),
        (Colour.RED, "red"),
        (Card(Colour.RED, 3), "red 3"),
        (["A1", "B2"], "A1, B2"),
        ({"A1": "E", "B2": None}, "A1 E, B2 -"),
        ((1, (2, 3)), "1, 2, 3"),
    ],
)
def test_values_as_words(value: Any, words: str) -> None:
    assert plain_words(value) == words


def test_no_value_is_shown_at_length() -> None:
    assert len(plain_words(["x" * 100] * 1_000)) == LONGEST
