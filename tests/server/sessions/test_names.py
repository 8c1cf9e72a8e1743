"""Names as others will see them."""

import unicodedata
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from diadem_server.sessions import names
from diadem_server.sessions.confusables import looks

CLEANED = {
    "  Ana  ": "Ana",
    "A\u200bna\u00ad": "Ana",
    "Ana\u202e": "Ana",
    "\u3164\u2800\u115f": "",
    "A\u180bna\U000e0100\U000e0061": "Ana",
    "A" + "\u0301" * 30 + "na": "\u00c1\u0301\u0301na",
    "O'Brien-Łuk": "O'Brien-Łuk",
    "مريم": "مريم",
    "李雷": "李雷",
    "Ana: I give up": "Ana I give up",
    "Ana\uff1a hi": "Ana hi",
    "Ana\u2236 hi": "Ana hi",
    "Ana\ua789hi": "Anahi",
    "Ana\u0903 hi": "Ana hi",
    "* Ana": "Ana",
    "> > Ana": "Ana",
    "\u2217Ana": "Ana",
    "'t Hooft": "'t Hooft",
    "\U0001f98a": "\U0001f98a",
}


def test_names_are_cleaned() -> None:
    assert {name: names.clean(name) for name in CLEANED} == CLEANED


OF_EVERY_SCRIPT = (
    "นิ่ม",  # Thai: a vowel and a tone
    "ปิ่น",
    "مُحَمَّدٌ",  # Arabic: doubled, and a vowel
    "שַׁבָּת",  # Hebrew: a dot, a point and a vowel
    "יִשָּׂשכָר",
    "श्रीमती",  # Devanagari
    "ज़ीनत",
    "दुःख",  # with its own mark that is like a colon
    "བསྒྲུབས",  # Tibetan: letters under letters
    "ཧཱུྃ",
    "ကျော်",  # Burmese: four and five
    "လျှော့",
    "சௌந்தர்யா",
    "ស្ត្រី",
    "김민준",
    "Nguyễn",
    "\u1100\u119e\u11b7",  # Korean of old, in parts
)


def test_names_in_every_script_keep_their_marks() -> None:
    cleaned = {name: names.clean(name) for name in OF_EVERY_SCRIPT}
    assert cleaned == {name: unicodedata.normalize("NFKC", name) for name in OF_EVERY_SCRIPT}


PILES = {
    "Thai": "\u0e01" + "\u0e48\u0e49\u0e4a\u0e34\u0e38\u0e3a" * 40,
    "Arabic": "\u0627" + "\u064b\u064c\u064d\u064e\u064f\u0650\u0651" * 40,
    "Hebrew": "\u05e9" + "\u05b0\u05b1\u05b2\u05b3\u05b4\u05b5\u05b6" * 40,
    "Devanagari": "\u0915" + "\u0901\u0902\u0903\u093c\u093e\u0941\u0947" * 40,
    "Tibetan": "\u0f40" + "\u0f90\u0f91\u0f92\u0f93\u0f94\u0f95\u0f71" * 40,
    "Korean": "\u1100" + "\u1161\u1162\u1163\u1164\u1165\u1166\u11a8" * 40,
    "Latin": "a" + "\u0301\u0302\u0303" * 80,
}
"""A letter and many marks, by script."""


def test_marks_do_not_pile_up_in_any_script() -> None:
    most = 1 + names.MOST_MARKS
    for clean in (names.clean, names.clean_text):
        lengths = {script: len(clean(pile)) for script, pile in PILES.items()}
        assert {script: length for script, length in lengths.items() if length > most} == {}
    alone = {script: names.clean_text(f"so {pile[1:]}") for script, pile in PILES.items()}
    assert alone == dict.fromkeys(PILES, "so")


MARKS = ["\u0301\u0302", "\u0e48" * 5, " \u0941 \u0947", "\u1161\u1161", "\u05b0"]


def test_marks_alone_are_no_name_and_say_nothing() -> None:
    assert {each for each in MARKS if names.clean(each) or names.clean_text(each)} == set()


PUNCTUATION = ["***", "...", ">", ":", "?!", "\u2026", "^"]


def test_punctuation_alone_is_no_name() -> None:
    assert {each for each in PUNCTUATION if names.clean(each)} == set()


LIKE_THE_PROGRAM = [
    "Diadem",
    "SERVER",
    "S\u0443stem",
    "server.",
    "> System:",
    "Zirko",
    "z\u00edrko",
]


def test_nobody_is_called_like_the_program() -> None:
    refusals = {name: names.against(names.clean(name)) for name in LIKE_THE_PROGRAM}
    codes = {name: refusal and refusal.code for name, refusal in refusals.items()}
    assert codes == dict.fromkeys(LIKE_THE_PROGRAM, "name_in_use")


@given(st.text(max_size=64))
def test_what_is_clean_stays_as_it_is(name: str) -> None:
    cleaned = names.clean(name)
    assert names.clean(cleaned) == cleaned


@given(st.text(max_size=64))
def test_a_clean_name_is_clean(name: str) -> None:
    cleaned = names.clean(name)
    assert cleaned == " ".join(cleaned.split(" "))
    for letter in cleaned:
        assert unicodedata.category(letter)[0] not in "CZ" or letter == " "
        assert unicodedata.bidirectional(letter) not in {"LRE", "RLE", "LRO", "RLO", "PDF"}


LENGTHS = {"A" * 20: None, "A" * 21: "name_too_long", "": "name_empty"}


def test_lengths() -> None:
    refusals = {name: names.against(name) for name in LENGTHS}
    assert {name: refusal and refusal.code for name, refusal in refusals.items()} == LENGTHS


ALIKE = [
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
    ("Emma", "\u0190mma"),
    ("Emma", "\u0510mma"),
    ("Lena", "Le\u014ba"),
    ("Tom", "\u2c66om"),
    ("Rita", "\ua7a6ita"),
    ("Ana", "\u13aana"),
    ("Ana", "\ua4eena"),
    ("Ana", "An\u0251"),
    ("Cem", "\u1d04em"),
    ("Oona", "O\u0585na"),
    ("Anne-Marie", "Anne\u2013Marie"),
    ("O'Brien", "O\u2019Brien"),
    ("Lee", "\u01c0ee"),
    ("Marnie", "Mamie"),
    ("Willi", "VVilli"),
    ("will", "vvill"),
    ("Niclas", "Nidas"),
    ("niclas", "Nidas"),
    ("Niclas", "nidas"),
    ("Nidas", "Ni\u0441las"),
    ("clara", "dara"),
    ("Ana", "\u1d00\u0274\u1d00"),
    ("Bob", "\u0299\u1d0f\u0299"),
    ("Kim", "\u1d0b\u026a\u1d0d"),
    ("Mia", "\u1d0d\u026a\u1d00"),
    ("Ana", "Ana."),
    ("Ana", "Ana!"),
    ("Ana", "_Ana_"),
    ("Ana", "A na"),
    ("Ana", "A.n.a"),
    ("Bill", "Bil!"),
    ("Bill", "Bi11"),
    ("Bill", "B1ll"),
    ("Bill", "BiII"),
    ("Ole", "0le"),
    ("Ian", "|an"),
    ("Oona", "O\u041ena"),
    ("Łuk", "Luk"),
    ("Søren", "Soren"),
    ("Ana", "\U000102a0na"),
    ("Ana", "\U0001d5d4na"),
    ("Gregor", "Gre\u0261or"),
    ("Sascha", "\u0455ascha"),
    ("Player 1", "Player l"),
]


def test_names_that_look_alike() -> None:
    assert {(one, other) for one, other in ALIKE if not looks(one) & looks(other)} == set()


OF_A_FAMILY = [
    ("Ana", "Anna"),
    ("Jan", "Jana"),
    ("Jan", "Ian"),
    ("Mia", "Nia"),
    ("Lin", "Lim"),
    ("Clara", "Dara"),
    ("Claus", "Daus"),
    ("Elia", "Ella"),
    ("ELIA", "ELLA"),
    ("Mila", "Milla"),
    ("Ali", "All"),
    ("Lucas", "Luca"),
    ("Marc", "Mark"),
    ("Tim", "Tom"),
    ("Lia", "Lea"),
    ("Player 1", "Player 2"),
    ("Иван", "Ирина"),
    ("李雷", "李磊"),
    ("سارة", "سامر"),
    ("מרים", "מרין"),
    ("\U0001f98a", "\U0001f43b"),
]


def test_a_family_may_use_its_names() -> None:
    assert {(one, other) for one, other in OF_A_FAMILY if looks(one) & looks(other)} == set()


def test_names_that_do_not() -> None:
    different = ("Ana", "Anna", "Bob", "Cem", "Dee", "李雷", "Вова", "Нона", "Νίκος", "Ηρώ", "مريم")
    for one, other in combinations(different, 2):
        assert not looks(one) & looks(other)
