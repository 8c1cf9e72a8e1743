"""The script that makes the shipped lists, on sources small enough to see through."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from diadem_shared.lexicon import Lexicon, fold, shipped
from tools.lexicons import english, french, german, german_names
from tools.lexicons.affixes import Affixes, read_entries
from tools.lexicons.curation import curate, read_curated

AFFIXES = """
SET UTF-8
FLAG long
FULLSTRIP
NEEDAFFIX ()
FORBIDDENWORD {}
CIRCUMFIX **
KEEPCASE ||
PFX L' Y 1
PFX L' 0 l' .
PFX Um Y 2
PFX Um 0 0/S. .
PFX Um 0 kilo/S.() .
PFX Ui Y 1
PFX Ui 0 kilo .
SFX S. Y 3
SFX S. 0 0/L'D' [^sxz] is:sg
SFX S. 0 s/D' [^sxz] is:pl
SFX S. al aux al is:pl
SFX a0 Y 2
SFX a0 er e/l' [^y]er po:1sg
SFX a0 er è/l' er po:1isg
"""
DICTIONARY = """9
chat/S.() po:nom
cheval/S. po:nom
voix/S. po:nom
gramme/Um() po:nom
aimer/a0 po:v1
oser/a0() po:v1
litre/UiS. po:nom
hertz/Ui() po:nom
faux/{} po:nom
Paris/L' po:npr
Lozère/L' po:nom
km/|| po:nom
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / french.FOLDER
    folder.mkdir(parents=True)
    (folder / "fr.aff").write_text(AFFIXES, "utf-8")
    (folder / "fr.dic").write_text(DICTIONARY, "utf-8")
    return tmp_path


def expanded(root: Path, stem: str) -> set[str]:
    affixes = Affixes(root / french.FOLDER / "fr.aff", unused=french.BEFORE_JE)
    entries = read_entries(root / french.FOLDER / "fr.dic")
    return {word for entry in entries if entry.stem == stem for word in affixes.expand(entry)}


@pytest.mark.parametrize(
    ("stem", "words"),
    [
        ("chat", {"chat", "chats"}),
        ("cheval", {"cheval", "chevals", "chevaux"}),
        ("voix", {"voix"}),
        ("gramme", {"gramme", "grammes", "kilogramme", "kilogrammes"}),
        ("aimer", {"aimer", "aime"}),
        ("oser", {"ose"}),
        ("litre", {"litre", "litres", "kilolitre", "kilolitres"}),
        ("hertz", {"kilohertz"}),
        ("faux", set()),
    ],
)
def test_a_stem_takes_the_forms_its_affixes_allow(root: Path, stem: str, words: set[str]) -> None:
    assert expanded(root, stem) == words


def test_m11_french_names_and_units_are_dropped(root: Path) -> None:
    assert not {"Paris", "Lozère", "km"} & set(french.written(root))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("COMPOUNDRULE 1", "COMPOUNDRULE"),
        ("FLAG num", "two characters"),
        ("SFX zz N 1\nSFX zz 0 s .", "no prefix"),
        ("SFX zz Y 1\nSFX zz 0 s/S. .", "upon a suffix"),
    ],
)
def test_an_affix_file_with_more_in_it_stops_the_build(root: Path, line: str, reason: str) -> None:
    file = root / french.FOLDER / "fr.aff"
    file.write_text(f"{AFFIXES}{line}\n", "utf-8")
    with pytest.raises(ValueError, match=reason):
        Affixes(file, unused=french.BEFORE_JE)


def test_german_keys_stand_for_themselves_unless_spelt(tmp_path: Path) -> None:
    file = tmp_path / german.WORDS
    file.parent.mkdir(parents=True)
    file.write_bytes(gzip.compress("AAL aal Aal\nABER\nAEHRE Ähre\n".encode()))
    assert list(german.written(tmp_path)) == ["aal", "Aal", "aber", "Ähre"]


def test_english_stops_at_its_level(tmp_path: Path) -> None:
    folder = tmp_path / english.FOLDER
    folder.mkdir(parents=True)
    for name, word in {
        "english-words.10": "the",
        "british-words.80": "colour",
        "english-words.95": "thrangity",
        "english-upper.10": "Monday",
        "english-abbreviations.10": "etc",
    }.items():
        (folder / name).write_text(f"{word}\n", "utf-8")
    assert set(english.written(tmp_path)) == {"the", "colour"}


def test_m11_curation_replaces_two_letters_and_drops_abbreviations() -> None:
    lexicon = curate("de", ["zz", "Haus", "Pkw", "AIDS", "Donaudampfschiff"])
    assert not {"ZZ", "PKW", "AIDS", "DONAUDAMPFSCHIFF"} & {*words_of(lexicon)}
    assert {"EI", "HAUS"} < {*words_of(lexicon)}


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_m11_the_two_letter_words_are_those_read_by_hand(language: str) -> None:
    read = {fold(written) or "" for written in read_curated(language, "two-letters")}
    assert shipped.load(language).packed(2) == "".join(sorted(read)).encode()


def test_m11_a_word_that_was_added_or_kept_by_hand_is_in() -> None:
    lexicon = curate("de", ["Jungfrau", "Deutschland", "Facebook"])
    assert {"JUNGFRAU", "BITCOIN"} < {*words_of(lexicon)}
    assert not {"DEUTSCHLAND", "FACEBOOK"} & {*words_of(lexicon)}


def words_of(lexicon: Lexicon) -> Iterator[str]:
    for length in lexicon.lengths:
        block = lexicon.packed(length).decode()
        yield from (block[at : at + length] for at in range(0, len(block), length))


NOUNS = [
    {"lemma": "Krakow", "pos": "Substantiv,Toponym", "genus": "Krak", "genitiv singular": ""},
    {"lemma": "Jens", "pos": "Substantiv,Vorname", "genus": "m", "genitiv singular": "Jensens"},
    {"lemma": "Essen", "pos": "Substantiv,Toponym", "genus": "n", "genitiv singular": ""},
    {"lemma": "Essen", "pos": "Substantiv", "genus": "n", "genitiv singular": "Essens"},
    {"lemma": "Werben", "pos": "Substantiv,Toponym", "genus": "n", "genitiv singular": ""},
    {"lemma": "Tisch", "pos": "Substantiv", "genus": "m", "genitiv singular": "Tischs"},
]


def test_m11_german_names_are_what_is_a_name_and_nothing_else() -> None:
    written = "Krakow Krakows Jens Jensens Essen Essens jens werben Werbens Tisch Tischs Krak Ort"
    assert [*german_names.names(written.split(), NOUNS)] == ["Jens", "Jensens", "Krakow", "Krakows"]


@pytest.mark.parametrize("language", ["de", "en", "fr"])
def test_what_was_decided_by_hand_holds_in_the_shipped_list(language: str) -> None:
    lexicon = shipped.load(language)
    for kind in ("added", "kept"):
        assert [word for word in read_curated(language, kind) if fold(word) not in lexicon] == []
    for kind in ("dropped", "names"):
        kept = {*read_curated(language, "kept")}
        dropped = [word for word in read_curated(language, kind) if word not in kept]
        assert not [word for word in dropped if word in lexicon.spellings(fold(word) or "")]
