"""The word lists that come with the game."""

import pytest

from diadem_shared.lexicon import Fault, Lexicon, WordListRefused, fold, fold_letters, shipped
from tests.cases import cases

LEAFLET = [
    "SPIELEN",
    "ERLEBEN",
    "IDEAL",
    "LÄNDER",
    "ERBSCHAFT",
    "EIS",
    "HÄRTE",
    "STARK",
    "EI",
    "ES",
]
LANGUAGES = ("de", "en", "fr")
WORDS = {
    "de": "Straße schön Fuß Öl ab Quiz Übermut Müller Jazz ok Franzose Jungfrau",
    "en": "quiz colour color aardvark ox café jazzy zo psi abs app intro tech tv vis ew ok umami sudoku",
    "fr": "œuvre élève être maman ça où kilogramme docteur aimassiez chevaux nô om exo kwacha cuba",
}
NO_WORDS = {
    "de": "DSL GmbH DVD Pkw cm nr qu Deutschland Österreich Europa Berlin Krakow Jens Audi Facebook",
    "en": "kb lm cs ln hhd zzyzx bs",
    "fr": "km hg kg cf av http Lozère chevals etc déc",
}


@pytest.fixture(params=LANGUAGES)
def lexicon(request: pytest.FixtureRequest) -> Lexicon:
    return shipped.load(request.param)


def test_three_languages_are_shipped() -> None:
    assert shipped.languages() == LANGUAGES


@cases("word", LEAFLET)
def test_m11_the_words_of_the_leaflet_are_german(word: str) -> None:
    assert (fold_letters(word) or "") in shipped.load("de")


@cases(
    ("language", "written"),
    [(language, word) for language, words in WORDS.items() for word in words.split()],
)
def test_m11_ordinary_words_are_there_as_written(language: str, written: str) -> None:
    assert written in shipped.load(language).spellings(fold(written) or "")


@cases(
    ("language", "written"),
    [(language, word) for language, words in NO_WORDS.items() for word in words.split()],
)
def test_m11_abbreviations_units_and_names_are_not(language: str, written: str) -> None:
    tiles = fold_letters(written)
    assert tiles
    assert tiles not in shipped.load(language)


def test_every_list_is_in_order(lexicon: Lexicon) -> None:
    assert lexicon.lengths == tuple(range(2, 16))
    for length in lexicon.lengths:
        block = lexicon.packed(length)
        words = [block[at : at + length] for at in range(0, len(block), length)]
        assert words == sorted(set(words))
        assert block.isalpha()
        assert block.isupper()


def test_m9_every_spelling_folds_to_its_word(lexicon: Lexicon) -> None:
    for length in lexicon.lengths:
        block = lexicon.packed(length).decode()
        for at in range(0, len(block), length * 50):
            word = block[at : at + length]
            assert {fold(written) for written in lexicon.spellings(word)} == {word}


def test_lists_are_large(lexicon: Lexicon) -> None:
    assert len(lexicon) > {"de": 570_000, "en": 245_000, "fr": 400_000}[lexicon.language]


def test_a_list_is_loaded_once() -> None:
    assert shipped.load("de") is shipped.load("de")


@pytest.mark.parametrize(
    ("language", "named"),
    [("de", "CC0 1.0"), ("en", "Kevin Atkinson"), ("fr", "Mozilla Public License")],
)
def test_the_licence_stands_beside_the_list(language: str, named: str) -> None:
    assert named in shipped.licence(language)


@cases("stranger", ["eo", "", "../de", "DE"])
def test_a_language_that_is_not_shipped_is_refused(stranger: str) -> None:
    for ask in (shipped.load, shipped.licence):
        with pytest.raises(WordListRefused) as refused:
            ask(stranger)
        assert refused.value.code is Fault.UNKNOWN_LANGUAGE
        assert refused.value.params == {"language": stranger}
