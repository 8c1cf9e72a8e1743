"""Which words count at a table, and a finder for them. Each is made once a process."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from diadem_shared.games.diamino.table import RummyOptions
from diadem_shared.games.diamino.terms import WordList
from diadem_shared.games.diamino.verdict import Run
from diadem_shared.lexicon import shelf
from diadem_shared.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from diadem_shared.games.diamino.finder import Finder


def is_known(options: RummyOptions) -> bool:
    """Whether this process has the table's word list: one of the host's is the server's alone."""
    return (options.word_list or options.language) in shelf.names()


def list_of(options: RummyOptions) -> Lexicon:
    return shelf.take(options.word_list or options.language)


def judge_of(options: RummyOptions) -> Lexicon | None:
    """The list that judges, or None where the players do (M-11)."""
    return list_of(options) if options.judging == "dictionary" else None


def finder_of(options: RummyOptions) -> "Finder":
    return _finder(options.word_list or options.language)


@cache
def _finder(name: str) -> "Finder":
    """Loaded when it is wanted: a client that draws a table finds no words."""
    from diadem_shared.games.diamino.finder import Finder  # noqa: PLC0415

    return Finder(shelf.take(name))


def read_as(runs: Iterable[Run], known: WordList) -> tuple[Run, ...]:
    """Each run read the way that makes it a word, if only one does."""
    return tuple(
        replace(
            run,
            readings=(
                next((each for each in run.readings if each.word in known), run.readings[0]),
            ),
        )
        for run in runs
    )


def written(runs: Iterable[Run], known: Lexicon | None) -> tuple[str, ...]:
    """The words of runs that are read one way: as a list writes them, or in capitals without one."""
    return tuple(_written(run.readings[0].word, known) for run in runs)


def _written(word: str, known: Lexicon | None) -> str:
    """ "müde", and "Masse/Maße" where the letters are two words; "sehen" and "Sehen" are one."""
    ways = known.spellings(word) if known else ()
    unlike = {way.lower(): way for way in sorted(ways)}
    return "/".join(unlike.values()) or word
