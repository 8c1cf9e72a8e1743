"""Names as others will see them."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diadem_server import names


@pytest.mark.parametrize(
    ("given_", "cleaned"),
    [
        ("  Ana  ", "Ana"),
        ("A\u200bna\u00ad", "Ana"),
        ("Ana\u202e", "Ana"),
        ("\u3164\u2800\u115f", ""),
        ("A" + "\u0301" * 30 + "na", "\u00c1\u0301\u0301na"),
        ("O'Brien-Łuk", "O'Brien-Łuk"),
        ("مريم", "مريم"),
        ("李雷", "李雷"),
    ],
)
def test_names_are_cleaned(given_: str, cleaned: str) -> None:
    assert names.clean(given_) == cleaned


@given(st.text(max_size=64))
def test_a_clean_name_is_clean(name: str) -> None:
    cleaned = names.clean(name)
    assert cleaned == " ".join(cleaned.split(" "))
    for letter in cleaned:
        assert unicodedata.category(letter)[0] not in "CZ" or letter == " "
        assert unicodedata.bidirectional(letter) not in {"LRE", "RLE", "LRO", "RLO", "PDF"}


@pytest.mark.parametrize(
    ("name", "said"), [("A" * 20, None), ("A" * 21, "name_too_long"), ("", "name_empty")]
)
def test_lengths(name: str, said: str | None) -> None:
    refusal = names.against(name)
    assert (refusal and refusal.code) == said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ana"),
        ("Ana", "\u0410na"),
        ("Ian", "lan"),
        ("Bob", "B0b"),
        ("Bill", "B!ll"),
        ("Zoé", "Zoe"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert names.skeleton(one) == names.skeleton(other)


def test_names_that_do_not() -> None:
    assert len({names.skeleton(name) for name in ("Ana", "Bob", "Cem", "Dee", "李雷")}) == 5
