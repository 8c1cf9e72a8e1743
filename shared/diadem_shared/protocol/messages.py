"""What a server sends to a client: answers, and what comes unasked."""

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from diadem_shared.advice import Reason
from diadem_shared.entries import Clock, NoClock, OptionValue, Setup
from diadem_shared.game import Choices, Outcome, Seat
from diadem_shared.lexicon.shelf import WordListLine
from diadem_shared.match import Phase
from diadem_shared.protocol.commands import Hashed
from diadem_shared.protocol.description import Limits
from diadem_shared.refusals import Refusal
from diadem_shared.statistics import GameStatistics

# Answers


class Door(Struct, frozen=True):
    """A way by which others come to this server."""

    kind: str
    """`client` for this protocol, `ssh`, or `web` for a page in a browser; later servers may have more."""
    port: int
    host: str = ""
    """The name or address that the server's host gives out; "" for the one by which this client came."""
    secure: bool = False
    """Whether it is wss:// or https://."""


class Welcome(Struct, frozen=True, tag="welcome"):
    """The answer to a hello. The token takes up this session again; it is worth a password."""

    name: str
    token: str
    server: str
    version: str
    table: str | None
    """Where this session holds a seat in a match that is not over."""
    word_lists: tuple[WordListLine, ...] = ()
    """What the option `word_list` of Diamino may name."""
    bot_pause: Annotated[int, Meta(ge=0)] | None = None
    """Milliseconds that bots take over a move where people play, unless `set_pause` asks for less. A server that does
    not tell does not know that command."""
    doors: tuple[Door, ...] = ()
    """How others come here; empty if only this machine can reach the server, as far as that knows."""
    features: tuple[str, ...] = ()
    """What this server can do beyond the first `diadem.v1`; see Features."""
    limits: Limits | None = None


class Answer(Struct, frozen=True):
    id: int


class Accepted(Answer, frozen=True, tag="accepted"):
    """Done. Where it changed a table, the number of the entry by which it did."""

    entry: int | None = None


class Refused(Answer, frozen=True, tag="refused"):
    """Not done, nothing changed. An id of 0 answers a frame in which no command was found."""

    why: Refusal


class LegalMoves(Answer, frozen=True, tag="legal_moves"):
    """What this seat may do."""

    entry: int
    """The number of the last entry that is taken into account."""
    choices: Choices
    """Empty if it is not this seat's turn."""


class Checked(Answer, frozen=True, tag="checked"):
    """What the game's own judge says of a draft."""

    verdict: Any


class LookedUp(Answer, frozen=True, tag="looked_up"):
    """What the word list says of a word."""

    tiles: str
    """Its letters as tiles show them; "" where there is something that no tile shows."""
    spellings: tuple[str, ...]
    """How it is written, small letters first; none where it is not in the list."""


class HintLine(Struct, frozen=True):
    """A move, what it is worth to whoever makes it, and why."""

    move: str
    value: float
    unit: str
    """`chance` to win the round, from 0 to 1; `dollars` gained on average; `points`, or `tiles` got rid of, against passing."""
    reasons: tuple[Reason, ...]


class Advised(Answer, frozen=True, tag="advised"):
    """What a strong bot would do, told to whoever asked alone."""

    entry: int
    """The number of the last entry that is taken into account."""
    moves: tuple[HintLine, ...]
    """Best first."""


class Explanation(Struct, frozen=True):
    """Why a bot made a move."""

    entry: int
    seat: Seat
    move: str
    why: tuple[Reason, ...]


class Explained(Answer, frozen=True, tag="explained"):
    """Why bots moved as they did in the round that is over."""

    moves: tuple[Explanation, ...]
    """Oldest first. Of a very long round, the last of them."""


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


class Described(Answer, frozen=True, tag="described"):
    """The same for everybody, as long as the server runs."""

    description: Any
    """A Description."""


class ReplayLine(Struct, frozen=True):
    """A finished match in a list."""

    table: str
    game: str
    names: tuple[str, ...]
    totals: Outcome
    ended: int | None = None
    """In seconds since 1970."""
    seat: Seat | None = None
    """Of whoever asked; nil where that was not noted."""


class Replays(Answer, frozen=True, tag="replays"):
    """The newest first."""

    replays: list[ReplayLine]
    more: bool = False
    """Whether older ones can be asked for."""


class Replay(Answer, frozen=True, tag="replay"):
    """A finished match whole: setup, seed and entries lead through it again."""

    table: str
    version: int
    setup: Setup
    seed: bytes
    entries: list[Any]


class Exported(Answer, frozen=True, tag="exported"):
    """A piece of a finished match as a file."""

    table: str
    piece: bytes
    """Whole lines of JSON. All pieces in order are the file."""
    next: int | None = None
    """The `after` to ask the next piece with; nil with the last."""


class OwnStatistics(Answer, frozen=True, tag="own_statistics"):
    """Of the newest 1,000 matches, those alone against bots included."""

    games: tuple[GameStatistics, ...]
    """Those that were played."""


class StandingLine(Struct, frozen=True):
    """A player, or the bots of one level, whose mark is fixed."""

    name: str
    """Empty for bots."""
    bot: str | None
    """The level; nil for a player."""
    mark: int
    deviation: int = 0
    """In 19 of 20 cases the true strength is within two of these of the mark."""
    matches: int = 0
    """That count."""
    place: int | None = None
    """Among people; nil for bots, and for a player whose deviation is above 110, so that the mark is provisional."""


class Standings(Answer, frozen=True, tag="standings"):
    """A page of 20 lines at the most, the best first."""

    game: str
    lines: tuple[StandingLine, ...]
    first: int
    """How many lines stand before these."""
    total: int
    """How many there are."""
    mine: int | None
    """How many lines stand before one's own; nil if it is not there."""
    listed: bool
    """Whether one is shown once one has played three matches; see `set_listed`."""


class Pong(Answer, frozen=True, tag="pong"):
    """Yes."""


# What comes unasked


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
    bots: tuple[Seat, ...] = ()
    """Which of the names are those of bots."""
    programs: tuple[Seat, ...] = ()
    """Which are those of programs that others run."""
    clock: Clock = NoClock()
    options: dict[str, OptionValue] = {}
    """What was chosen in the game's own options, by name, but for texts of more than 100 letters, such as a board."""


class LobbyView(Struct, frozen=True, tag="lobby"):
    """All tables that are not private and not over. It replaces every earlier one."""

    tables: list[TableLine]


class PlayerLine(Struct, frozen=True, omit_defaults=True):
    name: str
    bot: str | None
    """The level of the bot that plays here now, if one does."""
    away: bool
    """A player whose place a bot has taken for now."""
    present: bool
    ready: bool
    program: bool = False
    """Whether the player is a program of somebody's, as its hello said."""


class ShuffleLine(Struct, frozen=True):
    """What the chance of the next round is made of, as far as it is told before."""

    server: Hashed
    """The server's commitment to its secret of this table, in hex; always the same."""
    added: tuple[str, ...]
    """By seat the commitment to what is added there, in hex; "" for none."""
    sealed: bool
    """Whether these are final, so that each is to be opened."""


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
    """Why the next round is not dealt, or the next match not begun, although all are ready."""
    shuffle: ShuffleLine | None = None
    """While a round is to be dealt."""
    hints: tuple[int, ...] | UnsetType = UNSET
    """By seat, how many hints were given in this match; left out before the first."""
    again: str | None = None
    """The table where the match is played again by those who wanted to."""


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
    moves: Choices | None = None
    """What this seat may do, if it is its turn and the hello wanted `moves`."""
    chain: str = ""
    """The newest link of the hash chain over all entries, in hex: an export of the match is to lead to it."""
    hints: bool = False
    """Whether this seat is given hints in this round."""


class Said(Struct, frozen=True, tag="said"):
    """Chat at the table."""

    name: str
    seat: Seat | None
    text: str


class Reacted(Struct, frozen=True, tag="reacted"):
    """Somebody at the table says one of a few things. It is not told again to who comes later."""

    name: str
    seat: Seat | None
    kind: str


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
    | LegalMoves
    | Checked
    | LookedUp
    | Advised
    | Explained
    | History
    | Described
    | Replays
    | Replay
    | Exported
    | OwnStatistics
    | Standings
    | Pong
    | LobbyView
    | TableView
    | Said
    | Reacted
    | Gone
    | Bye
)
