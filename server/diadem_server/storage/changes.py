"""The changes that a journal writes. Those of one write are atomic: all are written, or none."""

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from diadem_server.storage.records import AnswerRow, BanRow, EntryRow, FinishedLine, LineRow
from diadem_shared.entries import Setup
from diadem_shared.standings import Line

# Tables


class NewTable(NamedTuple):
    code: str
    made: float
    setup: Setup
    seed: bytes
    version: int
    """The version of its game's rules."""


class NewEntry(NamedTuple):
    """The next entry of a table. Entries are idempotent: a number that the table has already is not written again."""

    code: str
    row: EntryRow


class FinishTable(NamedTuple):
    """A match is over: how it is listed from now on, and to whom. Nobody is ready there, until somebody wants to play again.

    Nothing has ended later, even if the clock was put back.
    """

    code: str
    ended: float
    line: FinishedLine
    played: Collection[int]
    """The replay by session."""


class NewResults(NamedTuple):
    """What is kept of a finished match, by player, in place of what was kept of it before. It stays when the match is dropped."""

    code: str
    version: int
    """Of how results are made."""
    lines: Sequence[Line]


class DropTable(NamedTuple):
    """All that is kept of it, but not who has played there."""

    code: str


class DropPeople(NamedTuple):
    """Drop chat, bans, and who is ready: nobody is left at a table."""

    code: str


# People at a table


class NewLine(NamedTuple):
    """Write a line of chat, and drop lines beyond those that are kept."""

    code: str
    line: LineRow
    keep: int


class SetReady(NamedTuple):
    code: str
    session: int
    entry: int
    """The number of the table's last entry at that time."""
    ready: bool


class TakeSeat(NamedTuple):
    """Somebody sits down: written with the entry that says so, and refused if they have a seat elsewhere.

    Where one server has all tables, nothing is written: the entries say who sits where.
    """

    code: str
    session: int


class LeaveSeat(NamedTuple):
    code: str
    session: int


class NewBan(NamedTuple):
    code: str
    ban: BanRow


class LiftBan(NamedTuple):
    """Of all who had that name when they were banned."""

    code: str
    name: str


class SetMute(NamedTuple):
    session: int
    muted: int
    on: bool


class SetListed(NamedTuple):
    """Whether somebody is shown in standings, as everybody is at first."""

    session: int
    on: bool


# Sessions


class NewSession(NamedTuple):
    id: int
    token: bytes
    name: str
    seen: float
    origin: str = ""
    """An abbreviation of the prefix of the address it first came from; "" where that is not known. See `fair_share`."""


class SessionSeen(NamedTuple):
    id: int
    name: str
    seen: float


class SessionsHere(NamedTuple):
    """Note sessions that stay connected as seen, so that they do not expire."""

    ids: Collection[int]
    now: float


class ForgetSessions(NamedTuple):
    """With their answers, whom they muted, and who muted them."""

    ids: Collection[int]


class NewAnswer(NamedTuple):
    """An answer, in a ring buffer of the session's last answers."""

    session: int
    row: AnswerRow
    keep: int


class ForgetAnswers(NamedTuple):
    """Drop the answers of sessions that are not here and hold no seat."""

    ids: Collection[int]


# Pruning


class NoneEndedAfter(NamedTuple):
    """After the clock was put back: let no match have ended later than now, in the same order."""

    now: float


class DropResults(NamedTuple):
    results: Sequence[tuple[int, int]]
    """By match and session."""


class DropRemains(NamedTuple):
    """Drop rows of tables that are gone, and chat and bans of matches that are over."""


TableChange: TypeAlias = NewTable | NewEntry | FinishTable | DropTable | DropPeople
ResultChange: TypeAlias = NewResults | SetListed | DropResults
SeatChange: TypeAlias = TakeSeat | LeaveSeat
PeopleChange: TypeAlias = NewLine | SetReady | NewBan | LiftBan | SetMute
AnswerChange: TypeAlias = NewAnswer | ForgetAnswers
SessionChange: TypeAlias = NewSession | SessionSeen | SessionsHere | ForgetSessions | AnswerChange
Pruning: TypeAlias = NoneEndedAfter | DropRemains
Change: TypeAlias = TableChange | ResultChange | SeatChange | PeopleChange | SessionChange | Pruning
