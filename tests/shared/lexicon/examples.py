"""Word lists for the tests to choose from."""

from hypothesis import strategies as st

from diadem_shared.lexicon import LONGEST, SHORTEST, Lexicon, fold, make

LETTERS = st.sampled_from("abcdeinorstzäöüßéçœæø")


def _capitalised(word: str) -> str:
    return word[0].upper() + word[1:] if word[0] != "ß" else word


written_words = (
    st.tuples(st.text(LETTERS, min_size=1, max_size=LONGEST), st.booleans())
    .map(lambda made: _capitalised(made[0]) if made[1] else made[0])
    .filter(lambda word: SHORTEST <= len(fold(word) or "") <= LONGEST)
)
word_sets = st.sets(written_words, min_size=1, max_size=60)


def by_tiles(written: set[str]) -> dict[str, set[str]]:
    ways: dict[str, set[str]] = {}
    for word in written:
        ways.setdefault(fold(word) or "", set()).add(word)
    return ways


def lexicon_of(*written: str) -> Lexicon:
    return make("de", by_tiles(set(written)))
