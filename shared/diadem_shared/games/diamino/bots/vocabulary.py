"""The words a child knows: some hundred short ones of a language, put together by hand.

They are data beside the code, as boards are. A word counts only where the table's own list has it.
"""

from functools import cache
from importlib import resources

from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.table import RummyOptions
from diadem_shared.games.diamino.words import finder_of
from diadem_shared.lexicon import fold


def known_at(options: RummyOptions) -> dict[int, int]:
    """By length, one bit for each word of the table's list that a child knows."""
    return _known(finder_of(options), options.language)


@cache
def _known(finder: Finder, language: str) -> dict[int, int]:
    index = finder.index
    known: dict[int, int] = {}
    for word in everyday_words(language):
        known[len(word)] = known.get(len(word), 0) | index.words(len(word)).bit_of(word)
    return known


@cache
def everyday_words(language: str) -> tuple[str, ...]:
    text = resources.files(__package__).joinpath(f"vocabulary/{language}.txt").read_text("utf-8")
    words = (fold(word) for line in text.splitlines() for word in line.split("#")[0].split())
    return tuple(sorted({word for word in words if word}))
