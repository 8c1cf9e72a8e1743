"""What this client adds to the chance of its rounds, by itself, and whether the server leaves that as it is."""

import secrets
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from diadem.entries import Started
from diadem.protocol import Accepted, Answer, Command, Commit, Open, ShuffleLine
from diadem.shuffle import ADDED_BYTES, commitment_of_player
from diadem.verification import SeenShuffle
from diadem_client.state.picture import TablePicture
from diadem_client.state.shuffle_check import Doubt

Wish = tuple[Callable[..., Command], str]


class Added(Struct, frozen=True):
    """To one round."""

    round: int
    name: str
    server: str
    opening: str
    commitment: str
    accepted: bool = False
    """Whether the server has said that it has the commitment."""
    sealed: tuple[str, ...] = ()
    """All commitments, as they stood when this one was opened."""


class Additions:
    def __init__(self) -> None:
        self.doubt: Doubt | None = None
        """What the server did at this table first that it should not have done."""
        self.opened: dict[int, SeenShuffle] = {}
        """What was opened at this table, by round."""
        self.server = ""
        """The server's commitment, as it was told first at this table."""
        self._table = ""
        self._added: Added | None = None
        """To the round that is to be dealt."""
        self._asked: dict[int, str] = {}
        """Commands that are not answered, and what they have said."""

    def connected(self) -> None:
        """What was asked over the connection before is asked anew, if a view calls for it."""
        self._asked.clear()

    def asked(self, command: Command, said: str) -> None:
        self._asked[command.id] = said

    def answered(self, command: Command, answer: Answer) -> None:
        said = self._asked.pop(command.id, None)
        is_mine = self._added is not None and self._added.commitment == said
        if isinstance(command, Commit) and isinstance(answer, Accepted) and is_mine and self._added:
            self._added = replace(self._added, accepted=True)

    def see(self, table: TablePicture) -> Wish | None:
        """Look at a view; what is to be told the server now."""
        if table.code != self._table:
            self._table, self.server, self.doubt = table.code, "", None
            self._added, self.opened = None, {}
        line = table.public.shuffle
        if line is None:
            self._see_dealt(table)
            return None
        if self.server and line.server != self.server:
            self._doubt(Doubt.CHANGED)
        self.server = self.server or line.server
        if table.seat is None or table.seat >= len(line.added):
            return None
        return self._open(table, line) if line.sealed else self._commit(table, line)

    def _commit(self, table: TablePicture, line: ShuffleLine) -> Wish | None:
        added, seat = self._added, table.seat or 0
        name, round_ = table.names[seat], len(table.public.rounds)
        about = round_, name, line.server
        if added is None or added.sealed or (added.round, added.name, added.server) != about:
            added = self._added = _draw(*about)
        if line.added[seat] == added.commitment or added.commitment in self._asked.values():
            return None
        return Commit, added.commitment

    def _open(self, table: TablePicture, line: ShuffleLine) -> Wish | None:
        """Only what is sealed as it was committed to is opened, and but once with the same others."""
        added, mine = self._added, line.added[table.seat or 0]
        if added is None:
            return None
        if added.sealed and added.sealed != line.added:
            self._doubt(Doubt.CHANGED)
            return None
        if mine != added.commitment:
            if mine or added.accepted:
                self._doubt(Doubt.LEFT_OUT)
            return None
        self._added = replace(added, sealed=line.added)
        return None if added.opening in self._asked.values() else (Open, added.opening)

    def _see_dealt(self, table: TablePicture) -> None:
        added, self._added = self._added, None
        started = [each.event for each in table.happened if isinstance(each.event, Started)]
        if added is None:
            return
        if not added.sealed:
            if added.accepted and started:
                self._doubt(Doubt.LEFT_OUT)
            return
        self.opened[added.round] = SeenShuffle(added.sealed, added.opening)
        if started and added.opening not in started[-1].openings:
            self._doubt(Doubt.LEFT_OUT)

    def _doubt(self, doubt: Doubt) -> None:
        self.doubt = self.doubt or doubt


def _draw(round_: int, name: str, server: str) -> Added:
    added = secrets.token_bytes(ADDED_BYTES)
    known = bytes.fromhex(server)
    committed = commitment_of_player(known, round_, name, added).hex()
    return Added(round_, name, server, added.hex(), committed)
