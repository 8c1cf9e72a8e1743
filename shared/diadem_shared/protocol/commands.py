"""What a client sends to a server."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diadem_shared.entries import Code, Setup
from diadem_shared.game import Seat

MAX_SECRET = 200
"""Letters of a token or a password."""

Id: TypeAlias = Annotated[int, Meta(ge=1, lt=2**53)]
"""Names a command. Never used twice with one token, so that a repeated command is known as such."""
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Secret: TypeAlias = Annotated[str, Meta(max_length=MAX_SECRET)]
MoveText: TypeAlias = Annotated[str, Meta(max_length=600)]
Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
Reaction: TypeAlias = Literal[
    "hello", "good_luck", "well_played", "thanks", "wow", "oh_no", "sorry", "good_game"
]
ChatText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]
TableCode: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=12, pattern=r"^[^\x00-\x1f\x7f]+\Z")
]
"""Without control characters: no code has one, and a database cannot look for a NUL."""
FieldName: TypeAlias = Annotated[str, Meta(max_length=4)]
Pause: TypeAlias = Annotated[int, Meta(ge=0, le=60_000)]
"""In milliseconds."""
Hashed: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in hex, in small letters."""
Tile: TypeAlias = Annotated[str, Meta(max_length=1)]
Draft: TypeAlias = Annotated[dict[FieldName, Tile], Meta(max_length=120)]


class Hello(Struct, frozen=True, tag="hello", omit_defaults=True):
    """The first message of a connection. With a token it takes up an earlier session. Fields that the server does not know
    are ignored here: a client cannot know yet what it has."""

    name: Name
    version: Annotated[str, Meta(max_length=40)] = ""
    token: Secret | None = None
    password: Secret | None = None
    wants: Annotated[tuple[Code, ...], Meta(max_length=20)] = ()
    """Features that a client has to ask for, of those in the table above: `moves`, and `shuffle`. Others are ignored."""
    bot: bool = False
    """Whether it is a program that plays, and no person. The others at its table see that."""


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


class Commit(Command, frozen=True, tag="commit"):
    """Say what one will add to the chance of the next round, without telling it yet. It takes the place of an earlier one."""

    commitment: Hashed


class Open(Command, frozen=True, tag="open"):
    """Tell what one has committed to, now that nobody can change what they add."""

    opening: Hashed


class Start(Command, frozen=True, tag="start"):
    """The maker deals the next round without waiting for all to be ready; after a match, begins the next one with
    those who want to play again."""


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
    """After a match: want to play again, at the same terms, or no longer. A new table is made, and those who want to
    are taken there, once all do who are still here and had a seat; the maker need not wait for all (`start`). If
    it is there already, be taken there to look on."""

    on: bool = True


class Play(Command, frozen=True, tag="play", omit_defaults=True):
    """Make a move."""

    move: MoveText
    """As people type it, such as "buy from 2"."""
    entry: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    """That of the view it was decided on: refused with `stale` if the table has moved on since. Chat, and who comes
    or goes, make no difference; nor does what others do who are waited for at the same time."""


class GetMoves(Command, frozen=True, tag="moves"):
    """What may I do now?"""


class Check(Command, frozen=True, tag="check"):
    """What would be said of tiles set down so? By field; a joker not named yet is "*"."""

    draft: Draft


class LookUp(Command, frozen=True, tag="look_up"):
    """Is this a word, by the list of the table? Where the table agreed that words are looked up."""

    word: Word


class GetHint(Command, frozen=True, tag="hint"):
    """What would a strong bot do in my place? Where the view says that hints are given, when it is one's turn. All at the
    table are told that it was asked; the answer is the same however often it is asked for one view."""


class Explain(Command, frozen=True, tag="explain"):
    """Why did the bots move so, in the round that is over?"""


class Say(Command, frozen=True, tag="say"):
    """Chat with everybody at the table."""

    text: ChatText


class React(Command, frozen=True, tag="react"):
    """Say one of a few things to everybody at the table, who read it in their own language."""

    kind: Reaction


class SetPause(Command, frozen=True, tag="set_pause"):
    """While one plays, be held by each move of a bot for so many milliseconds at the most. It holds for this
    connection; of all who play at a table the shortest counts."""

    most: Pause


class GetHistory(Command, frozen=True, tag="get_history"):
    """What has happened at this table, the newest first, from before an entry's number."""

    before: int | None = None


class Describe(Command, frozen=True, tag="describe"):
    """What is there to play here, with which options and bots, and what do refusals mean?"""


class ListReplays(Command, frozen=True, tag="list_replays", omit_defaults=True):
    """The finished matches this session took part in, the newest first."""

    before: TableCode | None = None
    """The last table of the page before; left out for the first page."""


class GetReplay(Command, frozen=True, tag="get_replay"):
    """A finished match, for those who took part in it."""

    table: TableCode


class Export(Command, frozen=True, tag="export"):
    """A finished match as a file, piece by piece, for those who took part in it, or look on at its end."""

    table: TableCode
    after: Annotated[int, Meta(ge=0, lt=2**53)] | None = None
    """The `next` of the piece before; nil for the first."""


class GetStatistics(Command, frozen=True, tag="get_statistics"):
    """How has one fared in the matches one has finished here?"""


class GetStandings(Command, frozen=True, tag="get_standings", omit_defaults=True):
    """Who plays a game best here, as far as that shows?"""

    game: Code
    first: Annotated[int, Meta(ge=0, lt=2**31)] = 0
    """How many lines to leave out."""


class SetListed(Command, frozen=True, tag="set_listed"):
    """Be shown in the standings of this server, as everybody is at first, or no longer."""

    on: bool


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
    | Commit
    | Open
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
    | GetMoves
    | Check
    | LookUp
    | GetHint
    | Explain
    | Say
    | React
    | SetPause
    | GetHistory
    | Describe
    | ListReplays
    | GetReplay
    | Export
    | GetStatistics
    | GetStandings
    | SetListed
    | Ping
)
FromClient: TypeAlias = Hello | AnyCommand
