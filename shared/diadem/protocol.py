"""Every message between client and server, and the one pair that packs and reads them.

docs/protocol.md describes all of this for whoever writes a client in another language. A message is
a msgpack map with a "type"; `msgpack` packs it, `msgspec` checks what comes in.
"""

from typing import Annotated, Any, TypeAlias

import msgpack
import msgspec
from msgspec import Meta, Struct

from diadem.entries import Code, Setup
from diadem.game import Outcome, Refusal, Seat
from diadem.match import Phase

SUBPROTOCOL = "diadem.v1"
MAX_FRAME = 32 * 1024
"""Bytes a client may send at once."""
MAX_MESSAGE = 16 * 1024 * 1024
"""Bytes a server may send at once; only a replay comes near."""

Id: TypeAlias = Annotated[int, Meta(ge=1, lt=2**53)]
"""Names a command. Never used twice with one token, so that a repeated command is known as such."""
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Secret: TypeAlias = Annotated[str, Meta(max_length=200)]
MoveText: TypeAlias = Annotated[str, Meta(max_length=600)]
ChatText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]
TableCode: TypeAlias = Annotated[str, Meta(min_length=1, max_length=12)]
Draft: TypeAlias = Annotated[
    dict[Annotated[str, Meta(max_length=4)], Annotated[str, Meta(max_length=1)]],
    Meta(max_length=120),
]


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
    pass


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
    level: Code


class Remove(Command, frozen=True, tag="remove"):
    """The maker takes a player or a bot off the table, before the start."""

    seat: Seat


class HandOver(Command, frozen=True, tag="hand_over"):
    """Let a bot play on in one's own seat."""

    level: Code


class TakeBack(Command, frozen=True, tag="take_back"):
    """Play on oneself."""


class Resign(Command, frozen=True, tag="resign"):
    """Leave a running match for good."""


class Play(Command, frozen=True, tag="play"):
    move: MoveText


class Check(Command, frozen=True, tag="check"):
    """What would be said of tiles set down so? By field; a joker not named yet is "*"."""

    draft: Draft


class Say(Command, frozen=True, tag="say"):
    text: ChatText


class GetHistory(Command, frozen=True, tag="get_history"):
    """What has happened at this table, the newest first, from before an entry's number."""

    before: int | None = None


class ListReplays(Command, frozen=True, tag="list_replays"):
    """The finished matches this session took part in, the newest first."""


class GetReplay(Command, frozen=True, tag="get_replay"):
    table: TableCode


class Ping(Command, frozen=True, tag="ping"):
    pass


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
    | HandOver
    | TakeBack
    | Resign
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
    replays: list[ReplayLine]


class Replay(Answer, frozen=True, tag="replay"):
    """A finished match whole: setup, seed and entries lead through it again."""

    table: str
    version: int
    setup: Setup
    seed: bytes
    entries: list[Any]


class Pong(Answer, frozen=True, tag="pong"):
    pass


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


class Lobby(Struct, frozen=True, tag="lobby"):
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
    phase: Phase
    players: tuple[PlayerLine, ...]
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


class TableView(Struct, frozen=True, tag="view"):
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
    | Lobby
    | TableView
    | Said
    | Gone
    | Bye
)


# Packing and reading


class BadFrame(Exception):
    """What came in is no message of this protocol. `id` names the command, if one was found."""

    def __init__(self, what: str, id_: int = 0) -> None:
        super().__init__(what)
        self.refusal = Refusal("bad_frame", {"what": what})
        self.id = id_


def pack(message: Struct) -> bytes:
    packed: bytes = msgpack.packb(msgspec.to_builtins(message, builtin_types=(bytes,)))
    return packed


def read_command(frame: bytes | str) -> FromClient:
    """What a client sent; everything it may hold is bounded by the types above."""
    command: FromClient = _read(frame, FromClient, MAX_FRAME)
    return command


def read_message(frame: bytes | str) -> FromServer:
    """What a server sent."""
    message: FromServer = _read(frame, FromServer, MAX_MESSAGE)
    return message


def _read(frame: bytes | str, type_: Any, most: int) -> Any:
    if isinstance(frame, str):
        raise BadFrame("a text frame")
    if len(frame) > most:
        raise BadFrame("a frame too large")
    try:
        found = msgpack.unpackb(frame)
    except (ValueError, msgpack.exceptions.UnpackException, RecursionError) as error:
        raise BadFrame(f"no msgpack: {error}") from None
    try:
        return msgspec.convert(found, type_, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as error:
        raise BadFrame(str(error), _id_in(found)) from None


def _id_in(found: Any) -> int:
    id_ = found.get("id") if isinstance(found, dict) else None
    return id_ if type(id_) is int and 0 < id_ < 2**53 else 0
