"""Every message between client and server, as docs/protocol.md describes them for other clients."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from diadem import frames
from diadem.entries import Code, Setup
from diadem.game import Outcome, Seat
from diadem.match import Phase
from diadem.refusals import Refusal

SUBPROTOCOL = "diadem.v1"
MAX_FRAME = 32 * 1024
"""Bytes a client may send at once."""
MAX_MESSAGE = 16 * 1024 * 1024
"""Bytes a server may send at once; only a replay comes near."""
MAX_SECRET = 200
"""Letters of a token or a password."""
LONGEST_NAME = 20
"""Letters of a player's name as others see it."""
MOST_ONLOOKERS_NAMED = 20
"""Names of onlookers in a view, which is sent with every move."""

Id: TypeAlias = Annotated[int, Meta(ge=1, lt=2**53)]
"""Names a command. Never used twice with one token, so that a repeated command is known as such."""
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Secret: TypeAlias = Annotated[str, Meta(max_length=MAX_SECRET)]
MoveText: TypeAlias = Annotated[str, Meta(max_length=600)]
ChatText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]
TableCode: TypeAlias = Annotated[str, Meta(min_length=1, max_length=12)]
FieldName: TypeAlias = Annotated[str, Meta(max_length=4)]
Tile: TypeAlias = Annotated[str, Meta(max_length=1)]
Draft: TypeAlias = Annotated[dict[FieldName, Tile], Meta(max_length=120)]


# Client to server


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """The first message of a connection. With a token it takes up an earlier session."""

    name: Name
    version: Annotated[str, Meta(max_length=40)] = ""
    token: Secret | None = None
    password: Secret | None = None


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id


class WatchLobby(Command, frozen=True, tag="watch_lobby"):
    """Be told of the tables, now and whenever they change, or no longer."""

    on: bool


class Make(Command, frozen=True, tag="make"):
    """Make a table, go there and take its first seat."""

    setup: Setup


class Join(Command, frozen=True, tag="join"):
    """Go to a table: back to one's own seat, or to look on."""

    table: TableCode


class Part(Command, frozen=True, tag="part"):
    """Go back to the lobby. A seat is given up before the start, and kept afterwards."""


class Sit(Command, frozen=True, tag="sit"):
    """Take the next free seat of the table one looks on at, before the start."""


class Stand(Command, frozen=True, tag="stand"):
    """Give up the seat before the start, and look on."""


class Ready(Command, frozen=True, tag="ready"):
    """Ready, or not, for the next round. It is dealt when everybody is."""

    ready: bool


class Start(Command, frozen=True, tag="start"):
    """The maker deals the next round without waiting for all to be ready."""


class Change(Command, frozen=True, tag="change"):
    """The maker changes what was agreed, before the start."""

    setup: Setup


class AddBot(Command, frozen=True, tag="add_bot"):
    """The maker seats a bot, before the start."""

    level: Code


class Remove(Command, frozen=True, tag="remove"):
    """The maker takes a player or a bot off the table, before the start."""

    seat: Seat


class Kick(Command, frozen=True, tag="kick"):
    """The maker sends a person away: a player before the start, an onlooker at any time. They may return."""

    name: Name


class Ban(Command, frozen=True, tag="ban"):
    """The maker sends a person away like that and keeps them away from this table, or no longer."""

    name: Name
    """A person at the table, or one who said something there lately."""
    on: bool


class Mute(Command, frozen=True, tag="mute"):
    """Be sent no more of what this person says, at whatever table, or be sent it again."""

    name: Name
    on: bool


class HandOver(Command, frozen=True, tag="hand_over"):
    """Let a bot play on in one's own seat."""

    level: Code


class TakeBack(Command, frozen=True, tag="take_back"):
    """Play on oneself: after `hand_over`, and until the match is over after `resign` too."""


class Resign(Command, frozen=True, tag="resign"):
    """Give up in a running match. Until it is over the seat can be taken back."""


class Again(Command, frozen=True, tag="again"):
    """After a match: the same at a new table, with everybody who is still here. All are taken there."""


class Play(Command, frozen=True, tag="play"):
    """Make a move."""

    move: MoveText
    """As people type it, such as "buy from 2"."""


class Check(Command, frozen=True, tag="check"):
    """What would be said of tiles set down so? By field; a joker not named yet is "*"."""

    draft: Draft


class Say(Command, frozen=True, tag="say"):
    """Chat with everybody at the table."""

    text: ChatText


class GetHistory(Command, frozen=True, tag="get_history"):
    """What has happened at this table, the newest first, from before an entry's number."""

    before: int | None = None


class ListReplays(Command, frozen=True, tag="list_replays"):
    """The finished matches this session took part in, the newest first."""


class GetReplay(Command, frozen=True, tag="get_replay"):
    """A finished match, for those who took part in it."""

    table: TableCode


class Ping(Command, frozen=True, tag="ping"):
    """Is anybody there?"""


AnyCommand: TypeAlias = (
    WatchLobby
    | Make
    | Join
    | Part
    | Sit
    | Stand
    | Ready
    | Start
    | Change
    | AddBot
    | Remove
    | Kick
    | Ban
    | Mute
    | HandOver
    | TakeBack
    | Resign
    | Again
    | Play
    | Check
    | Say
    | GetHistory
    | ListReplays
    | GetReplay
    | Ping
)
FromClient: TypeAlias = Hello | AnyCommand


# Server to client: answers


class Welcome(Struct, frozen=True, tag="welcome"):
    """The answer to a hello. The token takes up this session again; it is worth a password."""

    name: str
    token: str
    server: str
    version: str
    table: str | None
    """Where this session holds a seat in a match that is not over."""


class Answer(Struct, frozen=True):
    id: int


class Accepted(Answer, frozen=True, tag="accepted"):
    """Done. Where it changed a table, the number of the entry by which it did."""

    entry: int | None = None


class Refused(Answer, frozen=True, tag="refused"):
    """Not done, nothing changed. An id of 0 answers a frame in which no command was found."""

    why: Refusal


class Checked(Answer, frozen=True, tag="checked"):
    """What the game's own judge says of a draft."""

    verdict: Any


class Happened(Struct, frozen=True):
    """One event, and the number of the entry it came of."""

    entry: int
    event: Any


class History(Answer, frozen=True, tag="history"):
    """A page of what has happened, as this viewer may still know it."""

    happened: list[Happened]
    """Oldest first."""
    more: bool
    """Whether older ones can be asked for."""


class ReplayLine(Struct, frozen=True):
    table: str
    game: str
    names: tuple[str, ...]
    totals: Outcome


class Replays(Answer, frozen=True, tag="replays"):
    """The newest first."""

    replays: list[ReplayLine]


class Replay(Answer, frozen=True, tag="replay"):
    """A finished match whole: setup, seed and entries lead through it again."""

    table: str
    version: int
    setup: Setup
    seed: bytes
    entries: list[Any]


class Pong(Answer, frozen=True, tag="pong"):
    """Yes."""


# Server to client: what comes unasked


class TableLine(Struct, frozen=True):
    """A table as the lobby shows it."""

    table: str
    game: str
    names: tuple[str, ...]
    seats: int
    """How many can sit there."""
    phase: Phase
    rounds: int
    spectators: bool


class LobbyView(Struct, frozen=True, tag="lobby"):
    """All tables that are not private and not over. It replaces every earlier one."""

    tables: list[TableLine]


class PlayerLine(Struct, frozen=True):
    name: str
    bot: str | None
    """The level of the bot that plays here now, if one does."""
    away: bool
    """A player whose place a bot has taken for now."""
    present: bool
    ready: bool


class TablePublic(Struct, frozen=True):
    """What everybody at a table may see."""

    setup: Setup
    players: tuple[PlayerLine, ...]
    phase: Phase
    maker: Seat | None
    actors: tuple[Seat, ...]
    rounds: tuple[Outcome, ...]
    watchers: int
    left: tuple[int, ...]
    """Milliseconds each seat had left when the turn began, where the match has such a clock."""
    deadline: int | None
    """Milliseconds until somebody's time runs out, counted from the sending of this message."""
    game: Any
    """The game's own public view, once a round was dealt."""
    onlookers: tuple[str, ...] = ()
    """The names of those who look on, of the first 20 to have come."""
    blocked: Refusal | None = None
    """Why the next round is not dealt although all are ready."""


class TableView(Struct, frozen=True, tag="view", omit_defaults=True):
    """All that this viewer sees of a table. It replaces every earlier one."""

    table: str
    number: int
    """Counts the views this connection was sent of this table; a gap means some were skipped."""
    entry: int
    """The number of the last entry that is in it."""
    seat: Seat | None
    public: Any
    """A TablePublic."""
    private: Any
    """What only this seat sees, in the game's own terms."""
    happened: list[Happened]
    """What came of the last entry. What was skipped can be asked for as history."""
    muted: tuple[str, ...] = ()
    """Who of those here, or of those who spoke here lately, is muted by this viewer."""
    banned: tuple[str, ...] = ()
    """Who is kept away from this table; only its maker is told."""
    resigned: Seat | None = None
    """The seat that this viewer has resigned from, and may take back until the match is over."""


class Said(Struct, frozen=True, tag="said"):
    """Chat at the table."""

    name: str
    seat: Seat | None
    text: str


class Gone(Struct, frozen=True, tag="gone"):
    """You are at this table no longer."""

    table: str
    why: Refusal


class Bye(Struct, frozen=True, tag="bye"):
    """The server closes this connection."""

    why: Refusal


FromServer: TypeAlias = (
    Welcome
    | Accepted
    | Refused
    | Checked
    | History
    | Replays
    | Replay
    | Pong
    | LobbyView
    | TableView
    | Said
    | Gone
    | Bye
)


pack = frames.pack
BadFrame = frames.BadFrame
read_command = frames.CommandReader[FromClient](FromClient, MAX_FRAME)
"""What a client sent; everything it may hold is bounded by the types above."""
read_message = frames.FrameReader[FromServer](FromServer, MAX_MESSAGE)
"""What a server sent."""
