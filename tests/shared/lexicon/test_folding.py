"""M-9, M-11: from written words to tiles."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.lexicon import fold, fold_letters
from tests.cases import cases

FOLDED = {
    "Äpfel": "APFEL",
    "schön": "SCHON",
    "Übung": "UBUNG",
    "élève": "ELEVE",
    "garçon": "GARCON",
    "naïf": "NAIF",
    "aÿ": "AY",
    "señor": "SENOR",
    "Straße": "STRASSE",
    "œuvre": "OEUVRE",
    "Œil": "OEIL",
    "æther": "AETHER",
    "smørrebrød": "SMORREBROD",
    "a": "A",
}
NO_WORDS = [
    *("", " ", "haus boot", "arc-en-ciel", "aujourd'hui", "aujourd\u2019hui", "l'", "3er", "m²"),
    *(
        "AIDS",
        "GmbH",
        "pH",
        "LaTeX",
        "StVO",
        "ÄÖ",
        "usw.",
        "игра",
        "λόγος",
        "ˢᵗ",
        "þorn",
        "x\u0304",
    ),
]


@cases(("written", "tiles"), FOLDED.items())
def test_m9_accents_and_ligatures_fold(written: str, tiles: str) -> None:
    assert fold(written) == tiles


@cases("written", NO_WORDS)
def test_m11_what_no_tiles_can_show_is_no_word(written: str) -> None:
    assert fold(written) is None


@cases("typed", ["LÄNDER", "länder", "lÄnDeR", "LANDER"])
def test_m9_letters_fold_whatever_their_case(typed: str) -> None:
    assert fold_letters(typed) == "LANDER"


def test_m9_capital_sharp_s_folds() -> None:
    assert fold_letters("STRAẞE") == "STRASSE"


@given(st.text())
def test_m9_a_fold_is_tiles_or_nothing(text: str) -> None:
    tiles = fold_letters(text)
    assert tiles is None or (tiles and set(tiles) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


@given(st.text(st.sampled_from("aäàbcçeéoöœsßuüÄÖÜÉZ-'1"), max_size=8))
def test_m9_composed_and_decomposed_letters_are_the_same(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(text)


@given(st.text(st.sampled_from("abcxyzABCXYZ"), min_size=1, max_size=8))
def test_m9_plain_letters_are_their_own_tiles(text: str) -> None:
    assert fold_letters(text) == text.upper()
