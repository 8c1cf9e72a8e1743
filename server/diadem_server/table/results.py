"""What is written of a match with its last entry: how it is listed, and what is kept for statistics and standings."""

from copy import deepcopy
from hashlib import blake2b

from diadem_server.storage.changes import FinishTable, NewResults
from diadem_server.storage.records import FinishedLine
from diadem_server.table.seating import Seating
from diadem_shared.entries import Entry
from diadem_shared.match import Match, Told
from diadem_shared.results import VERSION, Summary
from diadem_shared.standings import Line

ID_BYTES = 6


class Finish:
    """Follows a match until it is over."""

    def __init__(self, code: str, seed: bytes, match: Match, seating: Seating) -> None:
        self._code = code
        self._seed = seed
        self._seating = seating
        self._summary = Summary(match.setup)

    def follow(self, entry: Entry, told: Told) -> None:
        self._summary.follow(entry, told)

    def changes(
        self, match: Match, entry: Entry, told: Told, ended: float
    ) -> tuple[FinishTable, NewResults]:
        """With this entry, which may fail to be written and come again."""
        names = tuple(player.name for player in match.players)
        owners = self._seating.players
        line = FinishedLine(self._code, match.setup.game, names, match.totals, owners=owners)
        whole = deepcopy(self._summary)
        whole.follow(entry, told)
        finished = FinishTable(self._code, ended, line, tuple(self._seating.played))
        return finished, self.results(match, ended, whole)

    def results(self, match: Match, ended: float, summary: Summary | None = None) -> NewResults:
        """Of a match that is over."""
        whole = summary or self._summary
        results = whole.results(match, self._seating.program_seats)
        lines = [
            Line(match_id(self._seed), session, ended, result)
            for session, result in zip(self._seating.players, results, strict=True)
            if session is not None and result is not None
        ]
        return NewResults(self._code, VERSION, lines)


def match_id(seed: bytes) -> int:
    """Codes are given again; seeds are not. Nothing of the seed can be told from it."""
    return int.from_bytes(blake2b(seed, digest_size=ID_BYTES, person=b"match id").digest())
