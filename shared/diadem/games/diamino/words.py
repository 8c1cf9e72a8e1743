"""Which words count at a table, and a finder for them. Each is made once a process."""

from functools import cache

from diadem.games.diamino.finder import Finder
from diadem.games.diamino.table import RummyOptions
from diadem.games.diamino.terms import WordList
from diadem.lexicon import shelf


def is_known(options: RummyOptions) -> bool:
    """Whether this process has the table's word list: one of the host's is the server's alone."""
    return (options.word_list or options.language) in shelf.names()


def list_of(options: RummyOptions) -> WordList:
    return shelf.take(options.word_list or options.language)


def judge_of(options: RummyOptions) -> WordList | None:
    """The list that judges, or None where the players do (M-11)."""
    return list_of(options) if options.judging == "dictionary" else None


def finder_of(options: RummyOptions) -> Finder:
    return _finder(options.word_list or options.language)


@cache
def _finder(name: str) -> Finder:
    return Finder(shelf.take(name))
