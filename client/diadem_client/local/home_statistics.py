"""How one has fared in all matches that were played from this machine: each is played again once, and then remembered."""

import logging
import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from diadem_client.local.kept_matches import KeptMatches
from diadem_client.local.own_words import InOwnWords
from diadem_shared import match_file
from diadem_shared.game import Seat
from diadem_shared.games.diamino.refusals import DiaminoCode
from diadem_shared.refusals import RefusalError
from diadem_shared.results import VERSION, Result, Summary
from diadem_shared.statistics import GameStatistics, Statistics
from diadem_shared.verification import play

log = logging.getLogger(__name__)

MOST_RESULTS = 5_000
"""Of so many matches, some 2 MB; files are kept of fewer."""


class CountedMatches(Struct, frozen=True):
    version: int = VERSION
    results: dict[str, Result | None] = {}
    """By the names of their files, which begin with when they ended; None for what nothing can be made of."""


class HomeStatistics:
    def __init__(self, matches: KeptMatches, path: Path, in_own_words: InOwnWords) -> None:
        self._matches = matches
        self._path = path
        self._in_own_words = in_own_words
        counted = self._read()
        self._results = dict(counted.results)
        self._waiting = [
            (match.file, match.seat)
            for match in matches.listed()
            if match.file not in self._results or counted.version != VERSION
        ]

    @property
    def waiting(self) -> int:
        """How many matches have yet to be counted."""
        return len(self._waiting)

    def count_one(self) -> None:
        """One whose word list is not here waits until it is."""
        name, seat = self._waiting.pop()
        with suppress(NoWordList):
            self._results[name] = result_of(self._matches.read(name), seat, self._in_own_words)

    @property
    def games(self) -> tuple[GameStatistics, ...]:
        statistics = Statistics()
        statistics.add(result for _, result in sorted(self._results.items()) if result is not None)
        return statistics.games

    def save(self) -> None:
        newest = dict(sorted(self._results.items())[-MOST_RESULTS:])
        draft = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft.touch(mode=0o600)
            draft.write_bytes(msgspec.json.encode(CountedMatches(VERSION, newest)))
            draft.replace(self._path)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._path, error)

    def _read(self) -> CountedMatches:
        with suppress(OSError):
            try:
                return msgspec.json.decode(self._path.read_bytes(), type=CountedMatches)
            except (ValueError, RecursionError):
                log.warning("%s cannot be read and is not used", self._path)
        return CountedMatches()


class NoWordList(Exception):
    """A match was played by words of somebody's own, which are not here."""


def result_of(data: bytes | None, seat: Seat | None, in_own_words: InOwnWords) -> Result | None:
    """How the player of this seat has ended a match. Its file may be anybody's, and lead nowhere. Raises NoWordList."""
    if data is None or seat is None:
        return None
    try:
        file = in_own_words(match_file.read(data))
        summary, match = Summary(file.header.setup), None
        for step in play(file):
            summary.follow(step.entry, step.told)
            match = step.match
        return None if match is None else summary.results(match)[seat]
    except RefusalError as refused:
        if refused.refusal.code == DiaminoCode.NO_SUCH_WORD_LIST:
            raise NoWordList from None
        log.warning("a match is not counted: %s", refused)
        return None
    except Exception as error:  # noqa: BLE001, of whatever a server has written
        log.warning("a match is not counted: %s", error)
        return None
