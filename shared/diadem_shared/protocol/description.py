"""What a server tells of itself: limits and features to everybody, games and refusals to who asks."""

from typing import Literal, TypeAlias

from msgspec import Struct

from diadem_shared.entries import MAX_ROUNDS
from diadem_shared.lexicon.shelf import WordListLine


class Limits(Struct, frozen=True):
    """How much a client may send and ask for here."""

    frame: int
    """Bytes in a frame from the client."""
    message: int
    """Bytes in a frame from the server."""
    commands_at_once: int
    """What a client may have saved up; see Haste."""
    commands_a_second: int
    in_flight: int
    """Commands of a session that wait for their answers."""
    name: int
    """Letters of a name, once it is cleaned."""
    tables: int
    """On the whole server, of those that are not over."""
    own_tables: int
    """Of those, made by one session."""
    keepalive: int
    """Seconds between two pings of the server, after which a client that answers none is disconnected."""


OptionKind: TypeAlias = Literal["boolean", "integer", "string", "choice"]


class OptionLine(Struct, frozen=True):
    """An option of a game, as a form would ask for it."""

    name: str
    kind: OptionKind
    help: str
    """A key for the words of the client, such as "diadingo.scoring"."""
    default: bool | int | str | None
    is_optional: bool = False
    """Whether it may be nil."""
    values: tuple[str | int, ...] = ()
    """Of a choice, all there are; of a string, those that have a meaning as a name."""
    least: int | None = None
    most: int | None = None
    """Of an integer its range; of a string its longest length."""


class GameLine(Struct, frozen=True):
    """A game that is played here."""

    game: str
    rules: int
    """The version of the rules."""
    least_seats: int
    most_seats: int
    options: tuple[OptionLine, ...]
    bots: tuple[str, ...]
    """Levels, weakest first."""
    moves: tuple[str, ...]
    """What moves look like, one of each kind."""
    refusals: tuple[str, ...]
    """The codes by which a move of this game may be refused."""
    reasons: tuple[str, ...] = ()
    """The codes by which bots of this game say why they move so."""
    most_rounds: int = MAX_ROUNDS
    """Of a match of this game."""


class RefusalLine(Struct, frozen=True):
    code: str
    meaning: str
    about: dict[str, str] = {}
    """What may be told by which key: `integer`, `string`, or `strings` for an array of strings."""


class ReasonLine(Struct, frozen=True):
    """A code by which bots say why they move so."""

    code: str
    meaning: str
    about: dict[str, str] = {}
    """As of refusals."""


class Description(Struct, frozen=True):
    """A server, the same for everybody as long as it runs."""

    games: tuple[GameLine, ...]
    word_lists: tuple[WordListLine, ...]
    reactions: tuple[str, ...]
    refusals: tuple[RefusalLine, ...]
    reasons: tuple[ReasonLine, ...] = ()
