"""Names as others will see them."""

import unicodedata
from itertools import combinations

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
        ("A\u180bna\U000e0100\U000e0061", "Ana"),
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
        ("BOB", "\u0412\u041e\u0412"),
        ("Вова", "вова"),
        ("Ηρώ", "ηρω"),
        ("Kim", "\u041aim"),
        ("Heidi", "\u041deidi"),
        ("Tom", "\u0422om"),
        ("Nina", "\u039dina"),
        ("Emma", "\u0395mma"),
        ("Zak", "\u0396ak"),
        ("Ana", "\u13aana"),
        ("Ana", "\ua4eena"),
        ("Ana", "An\u0251"),
        ("Cem", "\u1d04em"),
        ("Oona", "O\u0585na"),
        ("Anne-Marie", "Anne\u2013Marie"),
        ("O'Brien", "O\u2019Brien"),
        ("Lee", "\u01c0ee"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert names.looks(one) & names.looks(other)


def test_names_that_do_not() -> None:
    different = ("Ana", "Anna", "Bob", "Cem", "Dee", "李雷", "Вова", "Нона", "Νίκος", "Ηρώ", "مريم")
    for one, other in combinations(different, 2):
        assert not names.looks(one) & names.looks(other)
