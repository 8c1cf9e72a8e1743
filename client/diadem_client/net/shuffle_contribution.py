"""What this client adds to the shuffle of its rounds, and whether the server deals by it.

A host who hears an opening and may still change the list that it belongs to can draw until a deal suits. So this client
opens its part only for a list that came as an entry, keeps each list it has opened with the number and the link of that entry,
and follows it until a round is dealt by it. What becomes of it otherwise is a doubt, and the file of the match has to hold every
list that was kept (`diadem_shared.verification`). It is written down before the opening is sent: a client that is started again
goes on where it was.
"""

import secrets
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.state.client_state import LogLine, TableState
from diadem_client.state.shuffle_check import Doubt
from diadem_shared.entries import Changed, Left, Sat, Sealed, Started
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Answer, Command, Commit, Open, ShuffleLine
from diadem_shared.shuffle import ADDED_BYTES, HASH_BYTES, commitment_of_player
from diadem_shared.verification import SeenShuffle

NextCommand = tuple[Callable[..., Command], str]

MOST_OPENED = 40
"""Lists of one table that are opened. A match has 20 rounds."""
MOST_SEATS = 32
"""Of a list that is opened: what a server has a client remember is bounded."""
MOST_TABLES = 20
"""Tables that are remembered, the newest."""


class PendingContribution(Struct, frozen=True):
    """To one round."""

    round: int
    name: str
    server: str
    opening: str
    commitment: str


class ShuffleMemory(Struct, frozen=True, omit_defaults=True):
    """What a client remembers of the shuffles of one table."""

    server: str = ""
    """The server's commitment, as it was in the first view."""
    entry: int = 0
    """The newest that was seen, and its link."""
    link: str = ""
    added: PendingContribution | None = None
    """To the round that is to be dealt."""
    opened: tuple[SeenShuffle, ...] = ()
    """Every list of which this client has opened its part."""
    awaits_deal: bool = False
    """Whether the round of the last of them is not dealt yet."""
    doubt: Doubt | None = None
    """What the server did first that it should not have done."""


class Memories:
    """Of each table; this one lasts as long as the client. `local.kept_shuffles` has another, which lasts longer."""

    def load(self, table: str) -> ShuffleMemory | None:
        """Of a table that is not among the newest here."""
        return None

    def save(self, table: str, memory: ShuffleMemory) -> None:
        """Called before what is new of it is sent."""


class Contribution:
    def __init__(self, memories: Memories | None = None) -> None:
        self._memories = memories or Memories()
        self._tables: dict[str, ShuffleMemory] = {}
        self._table = ""
        self._asked: dict[int, str] = {}
        """Commands that are not answered, and what they have said."""
        self._accepted = ""
        """The commitment that the server has said it has, over this connection."""

    @property
    def memory(self) -> ShuffleMemory:
        """Of the table that was seen last."""
        return self._tables.get(self._table) or ShuffleMemory()

    def connected(self) -> None:
        """What was asked over the connection before is asked again if a view calls for it. A server that was started again
        meanwhile knows of no commitment, and is not blamed for that."""
        self._asked.clear()
        self._accepted = ""

    def asked(self, command: Command, said: str) -> None:
        self._asked[command.id] = said

    def answered(self, command: Command, answer: Answer) -> None:
        said = self._asked.pop(command.id, None)
        if isinstance(command, Commit) and isinstance(answer, Accepted) and said:
            self._accepted = said

    def doubt(self, doubt: Doubt) -> None:
        if self.memory.doubt is None:
            self._keep(doubt=doubt)

    def see(self, table: TableState) -> NextCommand | None:
        """Look at a view, or at the history that has come since; what is to be sent to the server now."""
        self._turn_to(table.code)
        self._follow_entries(table)
        line = table.public.shuffle
        is_settled = self._follow_opened(table, line)
        if line is None:
            self._see_dealt(table)
            return None
        if self.memory.server not in {"", line.server}:
            self.doubt(Doubt.CHANGED)
        elif not self.memory.server:
            self._keep(server=line.server)
        if table.seat is None or table.seat >= len(line.added) or not is_settled:
            return None
        return self._open(table, line) if line.sealed else self._commit(table, line)

    def _turn_to(self, table: str) -> None:
        self._table = table
        if table not in self._tables:
            self._tables[table] = self._memories.load(table) or ShuffleMemory()
            for oldest in list(self._tables)[:-MOST_TABLES]:
                del self._tables[oldest]

    def _keep(self, **changed: Any) -> None:
        self._tables[self._table] = memory = replace(self.memory, **changed)
        self._memories.save(self._table, memory)

    def _follow_entries(self, table: TableState) -> None:
        """Entries are only added: none is taken back, and none has two links."""
        memory = self.memory
        is_other = table.entry == memory.entry and memory.link not in {"", table.chain}
        if table.entry < memory.entry or is_other:
            self.doubt(Doubt.TAKEN_BACK)
        elif table.entry > memory.entry:  # moves are not worth a file each
            seen = replace(memory, entry=table.entry, link=table.chain)
            self._tables[self._table] = seen

    # The list that was opened last

    def _follow_opened(self, table: TableState, line: ShuffleLine | None) -> bool:
        """See what has become of it; False while that is not known."""
        if not self.memory.awaits_deal:
            return True
        last = self.memory.opened[-1]
        is_same_round = line is not None and last.round == len(table.public.rounds)
        if line is not None and is_same_round:
            if line.sealed and line.added == last.commitments:
                return True
            return self._settle(table, self._why_dropped(table, last))
        return self._settle(table, self._why_dealt_otherwise(table, last))

    def _settle(self, table: TableState, doubt: Doubt | None) -> bool:
        if doubt is Doubt.CHANGED and not table.log_is_whole:
            return False  # the history is asked for
        if doubt is not None:
            self.doubt(doubt)
        self._keep(awaits_deal=False, added=None)
        return True

    def _why_dropped(self, table: TableState, last: SeenShuffle) -> Doubt:
        """Whether an entry says so."""
        since = _events_since(table, last.entry)
        return Doubt.DROPPED if any(isinstance(each, DROPPING) for each in since) else Doubt.CHANGED

    def _why_dealt_otherwise(self, table: TableState, last: SeenShuffle) -> Doubt | None:
        for event in _events_since(table, last.entry):
            if isinstance(event, DROPPING):
                return Doubt.DROPPED
            if isinstance(event, Started):
                return None if last.opening in event.openings else Doubt.LEFT_OUT
        is_in_log = bool(table.log) and table.log[0].entry <= last.entry
        if table.public.phase is Phase.OVER or (table.log_is_whole and not is_in_log):
            return None  # the file of the match tells
        return Doubt.CHANGED

    # What is to be added

    def _commit(self, table: TableState, line: ShuffleLine) -> NextCommand | None:
        added, seat = self.memory.added, table.seat or 0
        about = len(table.public.rounds), table.names[seat], line.server
        is_used = added is not None and any(
            each.opening == added.opening for each in self.memory.opened
        )
        if added is None or is_used or (added.round, added.name, added.server) != about:
            added = _draw(*about)
            self._keep(added=added)
        if line.added[seat] == added.commitment or added.commitment in self._asked.values():
            return None
        return Commit, added.commitment

    def _open(self, table: TableState, line: ShuffleLine) -> NextCommand | None:
        """Only what an entry has sealed as it was committed to is opened, and but once with the same others."""
        added, mine = self.memory.added, line.added[table.seat or 0]
        if added is None:
            return None
        if mine != added.commitment:
            if mine or self._accepted == added.commitment:
                self.doubt(Doubt.LEFT_OUT)
            return None
        if not self.memory.awaits_deal and not self._note_opened(table, line, added):
            return None
        return None if added.opening in self._asked.values() else (Open, added.opening)

    def _note_opened(
        self, table: TableState, line: ShuffleLine, added: PendingContribution
    ) -> bool:
        """Remember the list, if it came as an entry."""
        if _is_added_for_bots(table, line):
            self.doubt(Doubt.ADDED_FOR_BOT)
            return False
        if doubt := _against_sealed(table.log, line.added, added.commitment):
            if table.log_is_whole:
                self.doubt(doubt)
            return False
        opened = self.memory.opened
        is_sound = len(line.added) == len(table.names) <= MOST_SEATS
        if len(opened) >= MOST_OPENED or not is_sound or not all(map(_is_hash, line.added)):
            return False
        seen = SeenShuffle(added.round, table.entry, table.chain, line.added, added.opening)
        self._keep(opened=(*opened, seen), awaits_deal=True)
        return True

    def _see_dealt(self, table: TableState) -> None:
        """What was not opened is left out, of which the server had said that it has it."""
        added = self.memory.added
        if added is None or self.memory.awaits_deal:
            return
        has_started = any(isinstance(each.event, Started) for each in table.happened)
        if has_started and table.seat is not None and self._accepted == added.commitment:
            self.doubt(Doubt.LEFT_OUT)
        self._keep(added=None)


def _is_hash(commitment: str) -> bool:
    return len(commitment) in {0, 2 * HASH_BYTES}


DROPPING = (Sat, Left, Changed)
"""Entries that leave nothing of what was sealed."""


def _events_since(table: TableState, entry: int) -> list[Any]:
    return [line.event for line in table.log if line.entry > entry]


def _is_added_for_bots(table: TableState, line: ShuffleLine) -> bool:
    """By the host, who could choose between two deals for each by opening it or not. Who is away is no bot."""
    seats = zip(table.public.players, line.added, strict=False)
    return any(added and player.bot and not player.away for player, added in seats)


def _against_sealed(
    log: tuple[LogLine, ...], commitments: tuple[str, ...], mine: str
) -> Doubt | None:
    """Why this list is not the one that an entry has sealed; None if it is."""
    kinds = (Sealed, Started, *DROPPING)
    newest = next((each.event for each in reversed(log) if isinstance(each.event, kinds)), None)
    if not isinstance(newest, Sealed):
        return Doubt.NOT_SEALED
    if newest.commitments == commitments:
        return None
    return Doubt.CHANGED if mine in newest.commitments else Doubt.LEFT_OUT


def _draw(round_: int, name: str, server: str) -> PendingContribution:
    added = secrets.token_bytes(ADDED_BYTES)
    known = bytes.fromhex(server)
    committed = commitment_of_player(known, round_, name, added).hex()
    return PendingContribution(round_, name, server, added.hex(), committed)
