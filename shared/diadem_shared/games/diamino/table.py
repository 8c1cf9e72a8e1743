"""What is on the table, what may be done, and what is told of it."""

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from diadem_shared.game import Event, Seat, View
from diadem_shared.games.diamino.board import SHIPPED, Board
from diadem_shared.games.diamino.play import Play
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.verdict import Legal, Run


class RummyOptions(Struct, frozen=True, forbid_unknown_fields=True):
    language: Literal["de", "fr", "en"] = "de"
    """Of the tiles, and of the words where no other list is named."""
    judging: Literal["dictionary", "table"] = "dictionary"
    """Who says what is a word: the list at once, or the players (M-11, M-12)."""
    judging_time: Annotated[int, Meta(ge=5, le=300)] = 30
    """Seconds in which the players judge; silence accepts."""
    open_hands: bool = False
    word_list: Annotated[str, Meta(max_length=100)] = ""
    """A list the host has brought along; none means the shipped one of the language."""
    board: Annotated[str, Meta(max_length=2000, examples=[*SHIPPED])] = ""
    """The name of another board that comes along, or the text of one; none means the standard one."""


class Options(RummyOptions, frozen=True, forbid_unknown_fields=True):
    """Those of Bonus, where words can be made to score (M-26)."""

    words_score: bool = False


class RummyTable(RummyOptions, frozen=True, forbid_unknown_fields=True):
    """With what is agreed on beside the rules, and no part of a state."""

    look_up: bool = True
    """Whether a word can be looked up in the list, at any time and by everybody (M-11)."""


class BonusTable(Options, frozen=True, forbid_unknown_fields=True):
    """The same for Bonus."""

    look_up: bool = True


class TurnPhase(StrEnum):
    PLAY = "play"  # lay, exchange or pass
    GIVE = "give"  # reds were covered: give tiles back or keep them (M-21)
    JUDGE = "judge"  # the others accept a play or object to it (M-12)
    OVER = "over"


class State(Struct, frozen=True):
    options: Options
    board: Board
    hands: tuple[str, ...]
    reserve: str  # sorted; tiles leave it by chance
    turn: Seat
    points: tuple[int, ...]
    phase: TurnPhase = TurnPhase.PLAY
    idle: int = 0  # turns in a row in which nothing was laid (M-17)
    passes: int = 0  # of those, the passes at the end
    refused: int = 0  # plays the table has refused in this turn
    owed: int = 0  # tiles that may be given back
    pending: Legal | None = None  # what is being judged
    votes: tuple[bool | None, ...] = ()
    doubted: bool = False  # somebody has objected: now all vote
    out: Seat | None = None
    doubled: bool = False  # went out on a black field
    witnessed: tuple[str, ...] = ()
    """Letters of which a viewer has seen some come or go off the board: by seat, spectators last."""


class Pending(Struct, frozen=True):
    """A play that lies on the board until the others have judged it."""

    play: Play
    laid: dict[str, str]
    runs: tuple[Run, ...]


class PublicState(Struct, frozen=True):
    rules: RuleSet
    options: Options
    board: Board
    sizes: tuple[int, ...]
    """Tiles in each hand."""
    hands: tuple[str, ...] | None
    """Open where the table plays so (M-18), and once the round is over."""
    reserve: int
    """Tiles in it."""
    turn: Seat
    """Whose turn it is; while a play is judged, whose play it is."""
    points: tuple[int, ...]
    """Of this round, by seat."""
    phase: TurnPhase
    """`play` to lay, exchange or pass; `give` to give tiles back for reds (M-21); `judge` while the others vote (M-12)."""
    idle: int
    """Turns in a row in which nothing was laid; `most_idle` of them end the round (M-17)."""
    passes: int
    """Of those, the passes at the end; `most_passes` of them end the round."""
    refused: int
    """Plays that the table has refused in this turn; after the first, another is laid, or passed (M-12)."""
    owed: int
    """Tiles that may be given back in `give`, at the most."""
    pending: Pending | None
    """The play that is judged."""
    votes: tuple[bool | None, ...]
    """While it is: what each seat said of it, nil where nothing yet. Empty otherwise."""
    doubted: bool
    """Somebody has objected to it, so now all vote."""
    out: Seat | None
    """Who went out, and so ended the round."""
    doubled: bool
    """Whether they did so on a black field, which doubles what they are paid."""
    most_passes: int | UnsetType = UNSET
    """Left out in matches under version 1 of the rules, where it is the number of seats."""
    most_idle: int | UnsetType = UNSET
    """Left out there too, where it is twice that number."""

    @property
    def terms(self) -> Terms:
        return Terms(self.rules, self.reserve)


class Hand(Struct, frozen=True):
    """What only one seat sees."""

    tiles: str


TableView: TypeAlias = View[PublicState, Hand]


# Moves


class Lay(Struct, frozen=True, tag="lay"):
    play: Play


class Exchange(Struct, frozen=True, tag="exchange"):
    tiles: str


class Pass(Struct, frozen=True, tag="pass"):
    pass


class Give(Struct, frozen=True, tag="give"):
    """Give tiles back for the reds that were covered; none of them to keep all."""

    tiles: str


class Accept(Struct, frozen=True, tag="accept"):
    pass


class Object(Struct, frozen=True, tag="object"):
    pass


class Silence(Struct, frozen=True, tag="silence"):
    """Say nothing, which accepts (M-12): what the zombie does for whoever lets the time run out."""


Move: TypeAlias = Lay | Exchange | Pass | Give | Accept | Object | Silence

ALLOWED: dict[TurnPhase, tuple[type[Move], ...]] = {
    TurnPhase.PLAY: (Lay, Exchange, Pass),
    TurnPhase.GIVE: (Give,),
    TurnPhase.JUDGE: (Accept, Object, Silence),
    TurnPhase.OVER: (),
}
"""The kinds of move that each phase knows; anything else is refused and changes nothing."""


# Events


class Opened(Event, frozen=True, tag="opened"):
    """M-3: what was drawn for the start, seat and tile, draw after draw while some were tied."""

    draws: tuple[tuple[tuple[Seat, str], ...], ...]
    seat: Seat


class Proposed(Event, frozen=True, tag="proposed"):
    """A play lies on the board to be judged."""

    seat: Seat
    play: Play
    words: tuple[str, ...]
    """In capitals: what a list would say to them is nobody's business while the players judge."""
    runs: tuple[Run, ...] = ()
    """What the play forms, each read as in `words`."""


class Voted(Event, frozen=True, tag="voted"):
    seat: Seat
    accepts: bool
    silent: bool = False
    """Nothing was said in time, which accepts."""


class TakenBack(Event, frozen=True, tag="taken_back"):
    """The table refused the play; `again` says whether another may be tried."""

    seat: Seat
    again: bool
    words: tuple[str, ...] = ()
    """As they were proposed."""
    against: int = 0
    voters: int = 0
    """How many of how many opponents objected."""


class Laid(Event, frozen=True, tag="laid"):
    seat: Seat
    play: Play
    words: tuple[str, ...]
    """As the table's list writes them, with their accents; in capitals where the players judge."""
    greens: int
    reds: int
    black: bool
    points: tuple[int, ...]
    """What the play brought each seat."""
    fields: tuple[str, ...] = ()
    """Where the new tiles lie, in board order."""
    runs: tuple[Run, ...] = ()
    """What the play formed, each read as in `words`."""


class Cause(StrEnum):
    """Why tiles come from the reserve, or go back there."""

    REFILL = "refill"  # M-25
    GREEN = "green"  # M-20
    RED = "red"  # M-21
    EXCHANGE = "exchange"  # M-13


class Took(Event, frozen=True, tag="took"):
    """Tiles were taken from the reserve; only who took them is told which."""

    discloses: ClassVar[frozenset[str]] = frozenset({"tiles"})
    seat: Seat
    count: int
    tiles: str | None = None
    why: Cause | None = None


class PutBack(Event, frozen=True, tag="put_back"):
    """Tiles went back into the reserve, exchanged or for reds; only who gave them knows which."""

    seat: Seat
    count: int
    tiles: str | None = None
    why: Cause | None = None


class Passed(Event, frozen=True, tag="passed"):
    seat: Seat


class Ended(Event, frozen=True, tag="ended"):
    """Somebody went out, or nobody can (M-17); the hands lie open."""

    discloses: ClassVar[frozenset[str]] = frozenset({"hands"})
    out: Seat | None
    doubled: bool
    hands: tuple[str, ...]


DiaminoEvent: TypeAlias = (
    Opened | Proposed | Voted | TakenBack | Laid | Took | PutBack | Passed | Ended
)
