"""Since when each seat has been waited for, in numbers of entries: whether a move was decided on what still holds."""

from collections.abc import Iterable, Sequence

from diadem_server.table.views import Logged
from diadem_shared.entries import Entry, Moved, Started
from diadem_shared.game import Seat


class TurnStart:
    def __init__(self) -> None:
        self._moved = 0
        """The last entry by which what lies on the table changed."""
        self._since: dict[Seat, int] = {}
        """Where several may move at once, what another does does not end anybody's turn."""
        self._judged = False

    def open(
        self, log: Iterable[Logged], entries: int, actors: Sequence[Seat], *, judged: bool = False
    ) -> None:
        """At a table that is opened, perhaps again. `judged`: whether they are asked to judge a play."""
        self._judged = judged
        moves = (each.number for each in log if isinstance(each.entry, Moved | Started))
        self._moved = max(moves, default=entries)
        self._since = dict.fromkeys(actors, self._moved)

    def follow(
        self, number: int, entry: Entry, actors: Sequence[Seat], *, judged: bool = False
    ) -> None:
        """Look at the table after an entry. That somebody came or went ends no turn. A judge who is next to move has another
        turn then."""
        if isinstance(entry, Moved):
            self._since.pop(entry.seat, None)
        elif not isinstance(entry, Started):
            number = self._moved
        if isinstance(entry, Started) or judged != self._judged:
            self._since = {}
        self._judged = judged
        self._moved = number
        self._since = {seat: self._since.get(seat, number) for seat in actors}

    def entry_of(self, seat: Seat) -> int:
        """The entry by which this seat's turn began; that of the last move if it is not its turn."""
        return self._since.get(seat, self._moved)
