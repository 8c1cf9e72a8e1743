"""What can be asked to be written. Several changes in one write are written all, or not at all."""

from collections.abc import Collection
from typing import NamedTuple, TypeAlias

from diadem.entries import Setup
from diadem.protocol import ReplayLine
from diadem_server.storage.records import AnswerRow, BanRow, EntryRow, LineRow

# Tables


class NewTable(NamedTuple):
    code: str
    made: float
    setup: Setup
    seed: bytes
    version: int
    """Of the rules of its game."""


class NewEntry(NamedTuple):
    """The next entry of a table. A number that the table has already is not written again."""

    code: str
    row: EntryRow


class FinishTable(NamedTuple):
    """A match is over: how it is listed from now on, and to whom. Nobody is ready there any more.

    Nothing has ended later, even if the clock was put back.
    """

    code: str
    ended: float
    line: ReplayLine
    played: Collection[int]
    """By session."""


class DropTable(NamedTuple):
    """All that is kept of it, but not who has played there."""

    code: str


class DropChatAndBans(NamedTuple):
    """What nobody asks for once nobody is left at a table."""

    code: str


# People at a table


class NewLine(NamedTuple):
    """A line of chat, and no more before it than can be told again."""

    code: str
    line: LineRow
    keep: int


class SetReady(NamedTuple):
    code: str
    session: int
    entry: int
    """The last one there was when they said so."""
    ready: bool


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


# Sessions


class NewSession(NamedTuple):
    id: int
    token: bytes
    name: str
    seen: float


class SessionSeen(NamedTuple):
    id: int
    name: str
    seen: float


class SessionsHere(NamedTuple):
    """Whoever stays for long is as well known as who comes anew."""

    ids: Collection[int]
    now: float


class ForgetSessions(NamedTuple):
    """With their answers, whom they muted, and who muted them."""

    ids: Collection[int]


class NewAnswer(NamedTuple):
    """An answer, in the place of the one that was given so many answers before."""

    session: int
    row: AnswerRow
    keep: int


# Pruning


class NoneEndedAfter(NamedTuple):
    """Where the clock was put back, let no match have ended later than now. Their order stays."""

    now: float


class DropRemains(NamedTuple):
    """What is left of tables that are gone, and chat and bans where a match is over."""


TableChange: TypeAlias = NewTable | NewEntry | FinishTable | DropTable | DropChatAndBans
PeopleChange: TypeAlias = NewLine | SetReady | NewBan | LiftBan | SetMute
SessionChange: TypeAlias = NewSession | SessionSeen | SessionsHere | ForgetSessions | NewAnswer
Pruning: TypeAlias = NoneEndedAfter | DropRemains
Change: TypeAlias = TableChange | PeopleChange | SessionChange | Pruning
