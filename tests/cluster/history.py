"""What players have seen and been promised, against what the journal has in the end.

The checker knows nothing of nodes: it looks at the outside of a Diadem alone.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple


class Promised(NamedTuple):
    """A command that was acknowledged with an entry; once more, if it was sent once more."""

    table: str
    player: str
    command: int
    entry: int
    sent: float
    """When it was sent for the first time, and when it was acknowledged; by one clock for all players."""
    answered: float


class Seen(NamedTuple):
    """A view."""

    table: str
    player: str
    entry: int


class Kept(NamedTuple):
    """A row of the journal."""

    number: int
    player: str | None
    command: int | None


class History:
    def __init__(self) -> None:
        self.promised: list[Promised] = []
        self.seen: list[Seen] = []

    def longest_gap(self) -> float:
        """The most seconds between two moves of one table."""
        by_table: defaultdict[str, list[float]] = defaultdict(list)
        for one in self.promised:
            by_table[one.table].append(one.answered)
        return max(
            after - before
            for answered in by_table.values()
            for before, after in pairwise(sorted(answered))
        )

    def faults(self, journal: Mapping[str, Sequence[Kept]]) -> list[str]:
        """What is not as it should be, given all entries of every table."""
        return [
            *self._of_journal(journal),
            *self._of_answers(journal),
            *self._of_order(),
            *self._of_views(journal),
        ]

    def _of_journal(self, journal: Mapping[str, Sequence[Kept]]) -> Iterator[str]:
        for table, rows in journal.items():
            if [row.number for row in rows] != list(range(1, len(rows) + 1)):
                yield f"{table} has gaps, or numbers twice"
            made = [(row.player, row.command) for row in rows if row.command]
            if len(made) > len(set(made)):
                yield f"at {table} a command was carried out twice"
        kept = {
            (table, row.number): (row.player, row.command)
            for table, rows in journal.items()
            for row in rows
        }
        for one in self.promised:
            if kept.get((one.table, one.entry)) != (one.player, one.command):
                yield f"{one} is not in the journal"

    def _of_answers(self, journal: Mapping[str, Sequence[Kept]]) -> Iterator[str]:
        """Each command is acknowledged as one entry, each entry to one command, and none is left out."""
        entries: defaultdict[tuple[str, str, int], set[int]] = defaultdict(set)
        commands: defaultdict[tuple[str, int], set[tuple[str, int]]] = defaultdict(set)
        for one in self.promised:
            entries[one.table, one.player, one.command].add(one.entry)
            commands[one.table, one.entry].add((one.player, one.command))
        for whose, numbers in entries.items():
            if len(numbers) > 1:
                yield f"{whose} was acknowledged as {sorted(numbers)}"
        for where, made in commands.items():
            if len(made) > 1:
                yield f"{where} was acknowledged to two: {sorted(made)}"
        newest: dict[tuple[str, str], int] = {}
        for table, player, command in sorted(entries):
            newest[table, player] = command
        for table, rows in journal.items():
            for row in rows:
                whose = table, row.player or "", row.command or 0
                if whose not in entries and 0 < whose[2] < newest.get(whose[:2], 0):
                    yield f"at {table} {row} was acknowledged to nobody, though a later one was"

    def _of_order(self) -> Iterator[str]:
        """Who sent a command after another was acknowledged has a later entry."""
        by_table: defaultdict[str, list[Promised]] = defaultdict(list)
        for one in self.promised:
            by_table[one.table].append(one)
        for promised in by_table.values():
            newest = 0
            answered = sorted(promised, key=lambda one: one.answered)
            at = 0
            for one in sorted(promised, key=lambda one: one.sent):
                while at < len(answered) and answered[at].answered < one.sent:
                    newest = max(newest, answered[at].entry)
                    at += 1
                if one.entry <= newest:
                    yield f"{one} comes before entry {newest}, which was acknowledged before it was sent"

    def _of_views(self, journal: Mapping[str, Sequence[Kept]]) -> Iterator[str]:
        newest: dict[tuple[str, str], int] = {}
        for each in self.seen:
            whose = each.table, each.player
            if each.entry < newest.get(whose, 0):
                yield f"{each} goes back behind {newest[whose]}"
            newest[whose] = max(each.entry, newest.get(whose, 0))
            if each.entry > len(journal.get(each.table, ())):
                yield f"{each} shows what the journal has not"
