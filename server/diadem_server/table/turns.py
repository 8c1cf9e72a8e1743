"""Since when each seat has been waited for, in numbers of entries: whether a move was decided on what still holds."""

from collections.abc import Iterable, Sequence

from diadem.entries import Entry, Moved, Started
from diadem.game import Seat
from diadem_server.table.views import Logged


class Turns:
    def __init__(self) -> None:
        self._moved = 0
        """The last entry by which what lies on the table changed."""
        self._since: dict[Seat, int] = {}
        """Where several may move at once, what another does does not end anybody's turn."""

    def open(self, log: Iterable[Logged], entries: int, actors: Sequence[Seat]) -> None:
        """At a table that is opened, perhaps again."""
        moves = (each.number for each in log if isinstance(each.entry, Moved | Started))
        self._moved = max(moves, default=entries)
        self._since = dict.fromkeys(actors, self._moved)

    def follow(self, number: int, entry: Entry, actors: Sequence[Seat]) -> None:
        """Look at the table after an entry. That somebody came or went ends no turn."""
        if isinstance(entry, Moved):
            self._since.pop(entry.seat, None)
        elif isinstance(entry, Started):
            self._since = {}
        else:
            number = self._moved
        self._moved = number
        self._since = {seat: self._since.get(seat, number) for seat in actors}

    def began(self, seat: Seat) -> int:
        """The entry by which this seat's turn began; that of the last move if it is not its turn."""
        return self._since.get(seat, self._moved)
