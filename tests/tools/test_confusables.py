"""The shipped table of characters that look alike, and how it is made."""

from importlib.resources import files
from pathlib import Path

import pytest

from diadem_server.sessions.confusables import prototype
from diadem_server.sessions.scripts import scripts_of
from tools.confusables import OURS, BadTable, read, scripts, together, written

SAMPLE = (Path(__file__).parent / "confusables_sample.txt").read_text("utf-8")
OUR_OWN = read(OURS.read_text("utf-8"))


def shipped(name: str) -> str:
    return (files("diadem_server") / "data" / name).read_text("utf-8")


def test_what_is_shipped_is_what_the_tool_makes() -> None:
    made = together(read(SAMPLE), OUR_OWN)
    assert len(made) > len(OUR_OWN) > 10
    assert {source: prototype(source) for source in made} == made


def test_a_target_is_followed_to_where_it_leads() -> None:
    table = together({"\u0432": "\u0299", "a": "b"}, {"\u0299": "b", "b": "cd"})
    assert table == {"\u0432": "cd", "\u0299": "cd", "a": "cd", "b": "cd"}


def test_the_file_has_a_line_a_target() -> None:
    assert written({"I": "l", "1": "l", "m": "rn"}) == "6c: 31 49\n72 6e: 6d\n"


def test_a_table_that_is_not_understood_makes_nothing() -> None:
    for line in ("0049 ; 006C", "0049 0050 ; 006C ; MA", "0049 ; ; MA", "x ; y"):
        with pytest.raises(BadTable, match=f"not understood.*{line}"):
            read(line)


def test_a_circle_makes_nothing() -> None:
    with pytest.raises(BadTable, match="circle"):
        together({"a": "b"}, {"b": "a"})


ALIASES = """
# Script (sc)
sc ; Cyrl                             ; Cyrillic
sc ; Latn                             ; Latin
sc ; Hira                             ; Hiragana
sc ; Zyyy                             ; Common
gc ; Lu                               ; Uppercase_Letter
"""
SCRIPTS = """
0041..005A    ; Latin # L&  [26] LATIN CAPITAL LETTER A..LATIN CAPITAL LETTER Z
00AA          ; Latin # Lo       FEMININE ORDINAL INDICATOR
00B2..00B3    ; Common # No   [2] SUPERSCRIPT TWO..SUPERSCRIPT THREE
04CF          ; Cyrillic # L&       CYRILLIC SMALL LETTER PALOCHKA
3041..3042    ; Hiragana # Lo  [86] HIRAGANA LETTER SMALL A..HIRAGANA LETTER A
30FC          ; Common # Lm       KATAKANA-HIRAGANA PROLONGED SOUND MARK
"""
EXTENSIONS = "30FC          ; Kana Hira # Lm       KATAKANA-HIRAGANA PROLONGED SOUND MARK\n"


def test_scripts_have_a_line_each_and_characters_of_every_script_none() -> None:
    made = scripts.scripts(SCRIPTS, scripts.codes(ALIASES), EXTENSIONS)
    assert scripts.written(made) == (
        "Cyrl: 4cf\nHira: 3041-3042\nHira Kana: 30fc\nLatn: 41-5a aa\n"
    )
    assert {
        point for point, each in made.items() if not set(each.split()) <= scripts_of(chr(point))
    } == set()
    with pytest.raises(BadTable, match="not understood"):
        scripts.scripts("00x ; Latin", {"Latin": "Latn"}, "")


def test_the_licence_is_shipped_whole() -> None:
    licence = shipped("confusables.LICENSE.txt")
    assert "Copyright © 1991-2022 Unicode, Inc." in licence
    assert "THE DATA FILES AND SOFTWARE ARE PROVIDED" in licence
    assert "this is a modified version" in licence
