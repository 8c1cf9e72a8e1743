"""Anybody's own word list, as plain text."""

import pytest

import diadem_shared.lexicon.text as text_module
from diadem_shared.lexicon import (
    Fault,
    Unusable,
    WordListRefused,
    from_text,
    has_words,
    left_out,
    read_text,
)
from tests.cases import cases

JUNK = """\ufeff# my words
Haus
  schön\t
schon # already

arc-en-ciel
l'eau
42
GmbH
x
Donaudampfschiff
игра
haus
"""


def test_usable_lines_become_words() -> None:
    lexicon = from_text(JUNK, "de")
    assert (lexicon.packed(4), lexicon.packed(5), len(lexicon)) == (b"HAUS", b"SCHON", 2)
    assert lexicon.language == "de"
    assert lexicon.spellings("SCHON") == ("schon", "schön")
    assert lexicon.spellings("HAUS") == ("haus", "Haus")


def test_m11_unusable_lines_are_told_by_reason_the_first_few_by_name() -> None:
    assert read_text(JUNK, "de").unusable == {
        Unusable.NO_TILES: (4, ("arc-en-ciel", "l'eau", "42")),
        Unusable.ABBREVIATION: (1, ("GmbH",)),
        Unusable.TOO_SHORT: (1, ("x",)),
        Unusable.TOO_LONG: (1, ("Donaudampfschiff",)),
    }


@cases("text", [JUNK, "HAUS\nX\n", "", "ei\n" + "3D\n" * 50])
def test_what_is_left_out_is_told_without_making_a_list(text: str) -> None:
    try:
        parsed = read_text(text, "de").unusable
    except WordListRefused:
        parsed = {}
    assert left_out(text) == parsed


def test_a_clean_list_reports_nothing() -> None:
    assert read_text("ei\r\nes\r\n", "de").unusable == {}


def test_a_list_in_capitals_is_no_list_of_abbreviations() -> None:
    lexicon = from_text("HAUS\nSTRAßE\nÄPFEL\n", "de")
    assert "HAUS" in lexicon
    assert lexicon.spellings("APFEL") == ("ÄPFEL",)
    assert lexicon.spellings("STRASSE") == ("Straße",)


def test_m9_decomposed_letters_are_read_as_composed() -> None:
    assert from_text("scho\u0308n", "de").spellings("SCHON") == ("schön",)


@pytest.mark.parametrize(("text", "unusable"), [("", 0), ("# nothing\n\n", 0), ("x\nl'eau\n", 2)])
def test_a_text_without_a_word_is_refused(text: str, unusable: int) -> None:
    with pytest.raises(WordListRefused) as refused:
        from_text(text, "de")
    assert refused.value.code is Fault.EMPTY
    assert refused.value.params == {"unusable": unusable}


def test_what_is_told_of_a_line_is_short_and_has_no_control_characters() -> None:
    text = f"ei\n{'x' * 10_000_000}\n\x1b[2J\x00\n{'y' * 50}\n"
    assert read_text(text, "de").unusable == {
        Unusable.TOO_LONG: (2, ("x" * 20 + "...", "y" * 20 + "...")),
        Unusable.NO_TILES: (1, ("?[2J?",)),
    }


def test_more_words_than_a_language_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "MOST_WORDS", 2)
    assert len(from_text("ei\nes\nei", "de")) == 2
    with pytest.raises(WordListRefused) as refused:
        from_text("ei\nes\nan\n", "de")
    assert refused.value.code is Fault.TOO_MANY


def test_a_text_has_words_if_one_of_its_first_lines_is_one() -> None:
    assert has_words("# mine\n3D\ntor\n")
    assert has_words("DVD\n")
    assert not has_words("")
    assert has_words("1\n" * (text_module.MOST_TRIED - 1) + "tor\n")
    assert not has_words("1\n" * text_module.MOST_TRIED + "tor\n")
