"""Looking words up, and learning how they are written."""

from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.lexicon import LONGEST, SHORTEST, make
from tests.cases import cases
from tests.shared.lexicon.examples import by_tiles, lexicon_of, word_sets

FEW = lexicon_of("Ei", "es", "schon", "schön", "Straße", "masse", "Masse", "Maße", "œuvre")


@given(word_sets, st.sets(st.text(st.sampled_from("ABCDEINORSTZ"), max_size=17)))
def test_m11_a_word_is_in_the_list_or_is_not(written: set[str], tried: set[str]) -> None:
    ways = by_tiles(written)
    lexicon = make("de", ways)
    for word in tried | ways.keys():
        assert (word in lexicon) == (word in ways)
    assert len(lexicon) == len(ways)


@given(word_sets)
def test_packed_holds_the_words_of_a_length_sorted(written: set[str]) -> None:
    words = by_tiles(written).keys()
    lexicon = make("de", by_tiles(written))
    for length in range(LONGEST + 2):
        expected = "".join(sorted(word for word in words if len(word) == length))
        assert lexicon.packed(length) == expected.encode()
    assert lexicon.lengths == tuple(sorted({len(word) for word in words}))


@given(word_sets)
def test_m9_every_spelling_comes_back(written: set[str]) -> None:
    ways = by_tiles(written)
    lexicon = make("de", ways)
    for word, forms in ways.items():
        assert len(lexicon.spellings(word)) == len(forms)
        assert set(lexicon.spellings(word)) == forms


@cases(
    ("word", "spellings"),
    [
        ("SCHON", ("schon", "schön")),
        ("STRASSE", ("Straße",)),
        ("MASSE", ("masse", "Masse", "Maße")),
        ("OEUVRE", ("œuvre",)),
        ("EI", ("Ei",)),
        ("NICHTS", ()),
    ],
)
def test_m9_spellings_come_plain_before_accented_and_small_before_capital(
    word: str, spellings: tuple[str, ...]
) -> None:
    assert FEW.spellings(word) == spellings


@cases("stranger", ["", "E", "ei", "ÄI", "EIEIEIEIEIEIEIEI", "E\0", 5, None])
def test_what_is_not_a_folded_word_is_not_in_the_list(stranger: object) -> None:
    assert stranger not in FEW


def test_a_list_knows_its_language_and_lengths() -> None:
    assert (FEW.language, FEW.lengths, len(FEW)) == ("de", (2, 5, 6, 7), 6)
    assert FEW.packed(SHORTEST) == b"EIES"
    assert FEW.packed(3) == b""
