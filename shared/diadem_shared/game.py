"""The contract every game meets.

A game is a pure function of (options, seats, seed, moves). What a player may do follows from what
that player sees: `refusal`, `moves` and the bots are given a view, never a state, so neither a
refusal nor a bot can know more than its player. Only `start`, `carry_out`, `public`, `private` and
`resample` handle what is hidden.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from diadem_shared.advice import Decision, Evaluation, ReasonCode
from diadem_shared.chance import Chance
from diadem_shared.highlights import AnyHighlights, Highlights
from diadem_shared.lenient import convert_known
from diadem_shared.refusals import Code, Refusal, RefusalCode, RefusalError

Seat: TypeAlias = int
Viewer: TypeAlias = Seat | None
"""A seat, or None for somebody who only watches."""

OptionsT = TypeVar("OptionsT", bound="Struct")
StateT = TypeVar("StateT", bound="Struct")
MoveT = TypeVar("MoveT", bound="Struct")
EventT = TypeVar("EventT", bound="Event")
PublicT = TypeVar("PublicT", bound="Struct")
PrivateT = TypeVar("PrivateT", bound="Struct | None")


class Event(Struct, frozen=True):
    """Something that happened at the table.

    `discloses` names the fields that make known what was hidden until now. Whatever else an event
    says must follow from what its viewer could see already; the rig holds every game to that.
    """

    discloses: ClassVar[frozenset[str]] = frozenset()


class Happening(Struct, Generic[EventT], frozen=True):
    """An event as everybody is told of it, and as one seat is that may know more."""

    event: EventT
    fuller: EventT | None = None
    to: Seat | None = None

    def told(self, viewer: Viewer) -> EventT:
        if self.fuller is not None and viewer is not None and viewer == self.to:
            return self.fuller
        return self.event


class View(Struct, Generic[PublicT, PrivateT], frozen=True):
    """All that one viewer sees: what everybody does, and what only this seat does."""

    seat: Viewer
    public: PublicT
    private: PrivateT | None = None


class Choices(Struct, frozen=True):
    """What a seat may do now, in words that are read as moves."""

    moves: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """The first words of moves that may be allowed besides, and are too many to be listed."""


class Outcome(Struct, frozen=True):
    """How a round ended. Scores add up over rounds, tiebreaks too; more is better in both."""

    scores: tuple[int, ...]
    tiebreaks: tuple[int, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """C-3: ties are shared."""
        standings = list(zip(self.scores, self.tiebreaks, strict=True))
        return tuple(seat for seat, mine in enumerate(standings) if mine == max(standings))


class Bot(ABC, Generic[MoveT, EventT, PublicT, PrivateT]):
    """One artificial player at one table. It is told what its seat is told, and no more."""

    heavy: bool = False
    """Takes long to choose, and so runs in a process of its own, where nobody has to wait for it. What it should
    remember of a choice it has to hear of as an event: the process works on a copy of it."""
    slow: bool = False
    """Takes so long, up to a second, that one such at a time is enough: others that are heavy do not wait for more."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance

    def see(self, event: EventT) -> None:
        """Hear of an event. Most games need no memory: the view says all."""

    @abstractmethod
    def choose(self, view: View[PublicT, PrivateT]) -> MoveT:
        """A move that is allowed in this view."""

    def decide(self, view: View[PublicT, PrivateT]) -> Decision[MoveT]:
        """The same move, and why; without reasons unless the bot can give some."""
        return Decision(self.choose(view))


class ReasonedBot(Bot[MoveT, EventT, PublicT, PrivateT]):
    """One that gives a reason for each of its moves."""

    @abstractmethod
    def decide(self, view: View[PublicT, PrivateT]) -> Decision[MoveT]: ...

    def choose(self, view: View[PublicT, PrivateT]) -> MoveT:
        return self.decide(view).move


class Adviser(ReasonedBot[MoveT, EventT, PublicT, PrivateT]):
    """One that can say what it makes of several moves, and makes the best of them itself."""

    @abstractmethod
    def evaluate(
        self, view: View[PublicT, PrivateT], most: int, also: MoveT | None = None
    ) -> Sequence[Evaluation[MoveT]]:
        """The moves worth considering, best first, `most` of them at the most, each with its reasons; at least one
        where this seat may move. `also`: a move that is to be among them in any case, unless nobody can say what it is worth."""

    def came_of(
        self, view: View[PublicT, PrivateT], move: MoveT, events: Sequence[EventT]
    ) -> float | None:
        """What chance made of a move, in the unit of its value, by what was told of it; None where it had no say."""
        return None

    def decide(self, view: View[PublicT, PrivateT]) -> Decision[MoveT]:
        best = self.evaluate(view, 1)[0]
        return Decision(best.move, best.reasons)


def _always(_view: View[Any, Any]) -> bool:
    return True


class PuzzleSource(Struct, frozen=True):
    """The matches among bots whose positions become puzzles."""

    level: str
    seats: int
    since: date = date.max
    """The first day on which there may be a puzzle of this game. Take one that is still to come when the game is added: who
    plays by an older version has another game's puzzle on such a day. (The first games take turns, and need none.)"""
    options: Mapping[str, Any] = {}
    suits: Callable[[View[Any, Any]], bool] = _always
    """Whether a position is worth the time to evaluate it."""


class Game(ABC, Generic[OptionsT, StateT, MoveT, EventT, PublicT, PrivateT]):
    """The rules of one game. Every value it deals in is immutable and serialises as it is."""

    name: str
    """What tables, journals and command lines call it."""
    version: int
    """The version of the rules, raised whenever an old record of moves would no longer lead to the same state. What was begun
    under an older one is played on under that, so rules that have changed ask for it."""
    seats: range
    """The numbers of players."""

    options_type: type[OptionsT]
    state_type: type[StateT]
    move_type: Any  # a union, which typing has no name for yet
    event_type: Any
    public_type: type[PublicT]
    private_type: Any

    moves_like: str = ".+"
    """All that `notate` writes, as a regular expression. What `parse` reads besides is for people who type."""
    refusals: frozenset[RefusalCode]
    """Every code that `refusal` and `parse` may give: mostly of an enum of its own, beside its rules."""
    reasons: frozenset[ReasonCode] = frozenset()
    """Every code that a bot of this game may give as a reason for a move."""
    bots: Mapping[str, Callable[[Chance], Bot[MoveT, EventT, PublicT, PrivateT]]]
    """Artificial players by level, weakest first; "zombie", cheap and sane, is always there."""
    most_rounds: int | None = None
    """Of a match, where a game makes no sense for as many as any match may have (`rounds_of` of `diadem_shared.entries`)."""
    puzzle: PuzzleSource | None = None
    """Where the daily puzzles of this game come from; None for a game without, such as one without an adviser."""
    highlights_type: type[AnyHighlights] = Highlights
    """What of a match is worth remembering."""

    def adviser(self, chance: Chance) -> Adviser[MoveT, EventT, PublicT, PrivateT] | None:
        """The strongest bot that can say what it makes of several moves; None if nobody can for this game. It has to
        see what the seat it advises has seen."""
        for level in reversed([*self.bots]):
            bot = self.bots[level](chance)
            if isinstance(bot, Adviser):
                return bot
        return None

    # What is hidden

    @abstractmethod
    def start(
        self, options: OptionsT, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[StateT, Sequence[Happening[EventT]]]:
        """Deal a round. `opener` is the seat whose round it is by C-1, None in the first round."""

    @abstractmethod
    def carry_out(
        self, state: StateT, seat: Seat, move: MoveT, chance: Chance
    ) -> tuple[StateT, Sequence[Happening[EventT]]]:
        """Carry out a move that `explain` allows."""

    @abstractmethod
    def public(self, state: StateT) -> PublicT:
        """The public part of the view, built without knowing the viewer."""

    @abstractmethod
    def private(self, state: StateT, seat: Seat) -> PrivateT:
        """The private part of this seat's view."""

    @abstractmethod
    def resample(self, state: StateT, viewer: Viewer, chance: Chance) -> StateT:
        """Another state that this viewer, remembering all, cannot tell from this one."""

    # What follows from what is seen

    @abstractmethod
    def actors(self, public: PublicT) -> tuple[Seat, ...]:
        """The seats that may move now; none once the round is over."""

    @abstractmethod
    def refusal(self, view: View[PublicT, PrivateT], move: MoveT) -> Refusal | None:
        """Why a move of a seat that may move now is refused; None if it is allowed."""

    @abstractmethod
    def moves(self, view: View[PublicT, PrivateT]) -> Iterable[MoveT]:
        """Every move for which `explain` gives no refusal, each once."""

    def listed(self, view: View[PublicT, PrivateT]) -> Iterable[MoveT]:
        """Those among them that whoever asks is told: all, unless a game has too many."""
        return self.moves(view)

    def unlisted(self, view: View[PublicT, PrivateT]) -> tuple[str, ...]:
        """How the others begin."""
        return ()

    @abstractmethod
    def outcome(self, public: PublicT) -> Outcome | None:
        """None while the round runs. What decides a round lies open once it is over."""

    def any_move(self, view: View[PublicT, PrivateT], chance: Chance) -> MoveT:
        """An allowed move by chance; a game with too many to list draws one otherwise."""
        return chance.pick(list(self.moves(view)))

    def patience(self, public: PublicT) -> int | None:
        """Seconds after which the rules have the zombie move for whom everybody waits for."""
        return None

    def recall(self, public: PublicT, event: EventT) -> EventT | None:
        """What a log shown later may still say of an event; None for nothing."""
        return event

    def preview(self, view: View[PublicT, PrivateT], draft: Mapping[str, str]) -> Any:
        """What the game's judge says of tiles set down by field; RefusalError where there are none."""
        raise RefusalError(Refusal(Code.NO_DRAFTS))

    def look_up(self, options: OptionsT, tiles: str) -> tuple[str, ...]:
        """The ways a word of these letters is written, by the table's word list; none if it is in no way there.
        RefusalError where there is no list, or nobody looks anything up."""
        raise RefusalError(Refusal(Code.NO_LOOK_UP))

    def can_judge(self, public: PublicT) -> bool:
        """Whether this process knows all that `explain` and `moves` need; a client may lack a word list
        that the host has brought along."""
        return True

    @property
    def most_moves(self) -> int | None:
        """Moves after which a round that is not over is stopped (C-5); None where the rules end each sooner anyway."""
        return None

    def stop(self, state: StateT) -> tuple[StateT, Sequence[Happening[EventT]]]:
        """End a round as it stands, after so many moves."""
        raise NotImplementedError(self.name)

    def without_seat(self, options: Mapping[str, Any], seat: Seat) -> dict[str, Any]:
        """The options once this seat was given up, and those behind it have moved up."""
        return {**options}

    def check(self, options: OptionsT, seats: int) -> Refusal | None:
        """Why these options are refused for so many players; None if they are not."""
        return None

    def check_new(self, options: OptionsT) -> Refusal | None:
        """Why a new table with these options is refused, however many sit down there. May ask for
        more than `check`, which tables of older rules have to pass too."""
        refusals = [self.check(options, seats) for seats in self.seats]
        return None if None in refusals else refusals[0]

    # Moves as text

    @abstractmethod
    def notate(self, move: MoveT) -> str:
        """The move in a few words that `parse` understands."""

    @abstractmethod
    def parse(self, text: str) -> MoveT:
        """The move that was typed, or RefusalError with the code "unreadable"."""

    # The same for every game

    def view(self, state: StateT, viewer: Viewer) -> View[PublicT, PrivateT]:
        private = None if viewer is None else self.private(state, viewer)
        return View(viewer, self.public(state), private)

    def choices(self, view: View[PublicT, PrivateT]) -> Choices:
        return Choices(tuple(map(self.notate, self.listed(view))), self.unlisted(view))

    def explain(self, view: View[PublicT, PrivateT], move: MoveT) -> Refusal | None:
        """None if the move is allowed: the one source for errors, hints and bots."""
        actors = self.actors(view.public)
        if not actors:
            return Refusal(Code.ROUND_OVER)
        if view.seat not in actors:
            return Refusal(Code.NOT_YOUR_TURN)
        return self.refusal(view, move)

    def explain_recorded(self, view: View[PublicT, PrivateT], move: MoveT) -> Refusal | None:
        """None if a move of a journal can be made again. May ask for less than `explain`, which allowed it at
        its time: a word list may have changed since."""
        return self.explain(view, move)

    def play(
        self, state: StateT, seat: Seat, move: MoveT, chance: Chance
    ) -> tuple[StateT, Sequence[Happening[EventT]]]:
        if refusal := self.explain(self.view(state, seat), move):
            raise RefusalError(refusal)
        return self.carry_out(state, seat, move, chance)

    def read_options(self, given: Mapping[str, object], *, strict: bool = True) -> OptionsT:
        """The options as plain names and values made whole, or RefusalError with "bad_option". What older
        rules agreed on is read without `strict`: they took "0" for 0, and 1 for true."""
        try:
            return msgspec.convert(dict(given), self.options_type, strict=strict)
        except msgspec.ValidationError as error:
            raise RefusalError(Refusal(Code.BAD_OPTION, {"what": str(error)})) from None

    def under(self, version: int) -> Self:
        """The same game by an older version of its rules, the first at the least."""
        older = copy(self)
        older.version = max(1, version)
        return older

    def read_view(self, seat: Viewer, public: Any, private: Any) -> View[PublicT, PrivateT]:
        """A view as it came over the wire, in plain values."""
        return View(
            seat,
            convert_known(public, self.public_type),
            convert_known(private, self.private_type) if private is not None else None,
        )

    def restore(self, packed: bytes) -> StateT:
        return msgspec.msgpack.decode(packed, type=self.state_type)


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any, Any]
AnyBot: TypeAlias = Bot[Any, Any, Any, Any]
AnyAdviser: TypeAlias = Adviser[Any, Any, Any, Any]


@lru_cache(maxsize=64)
def under(game: AnyGame, version: int) -> AnyGame:
    """The one instance of a game by that version of its rules."""
    return game.under(version)


MOST_MOVES = 2_400
"""Of a round in which nobody has to get anywhere (C-5). With a player at the table none takes so many, unless they all want it
to, and 20 such rounds fit into the file of a match."""

COMMON_REFUSALS: frozenset[RefusalCode] = frozenset(
    {Code.BAD_OPTION, Code.NOT_YOUR_TURN, Code.ROUND_OVER, Code.UNREADABLE}
)


_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def pack(value: Struct) -> bytes:
    """The one way a value is written down whole: equal values give equal bytes."""
    return _encode(value)


def digest(value: Struct) -> str:
    return blake2b(pack(value), digest_size=16).hexdigest()
