"""A fifth game, as small as one can be: guess the hidden number. docs/adding-a-game.md builds it."""

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import (
    COMMON_REFUSALS,
    Bot,
    Event,
    Game,
    Happening,
    Outcome,
    Seat,
    View,
    Viewer,
)
from diadem_shared.refusals import INTEGER, Code, Refusal, RefusalCode, RefusalError


class NumbersCode(RefusalCode):
    OUT_OF_RANGE = (
        "out_of_range",
        "The number is not among those that are still possible.",
        {"low": INTEGER, "high": INTEGER},
    )


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    highest: Literal[9, 99] = 9


class State(Struct, frozen=True):
    secret: int
    low: int
    high: int
    scores: tuple[int, ...]
    turn: Seat
    over: bool = False


class PublicState(Struct, frozen=True):
    low: int
    high: int
    scores: tuple[int, ...]
    turn: Seat
    over: bool


class Guess(Struct, frozen=True, tag="guess"):
    number: int


class Answered(Event, frozen=True, tag="answered"):
    discloses: ClassVar[frozenset[str]] = frozenset({"answer"})
    seat: Seat
    number: int
    answer: Literal["higher", "lower", "right"]


NumberView: TypeAlias = View[PublicState, None]
NumberBot: TypeAlias = Bot[Guess, Answered, PublicState, None]


class Zombie(NumberBot):
    def choose(self, view: NumberView) -> Guess:
        return Guess(view.public.low)


class Halver(NumberBot):
    """Asks in the middle, where every answer leaves half."""

    def choose(self, view: NumberView) -> Guess:
        return Guess((view.public.low + view.public.high) // 2)


class Numbers(Game[Options, State, Guess, Answered, PublicState, None]):
    name = "numbers"
    version = 1
    seats = range(1, 4)

    options_type = Options
    state_type = State
    move_type = Guess
    event_type = Answered
    public_type = PublicState
    private_type = type(None)

    moves_like = r"guess \d{1,2}"
    refusals = COMMON_REFUSALS | frozenset(NumbersCode)

    def __init__(self) -> None:
        self.bots = {"zombie": Zombie, "halver": Halver}

    # What is hidden

    def start(
        self, options: Options, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Sequence[Happening[Answered]]]:
        secret = 1 + chance.below(options.highest)
        first = chance.below(seats) if opener is None else opener
        return State(secret, low=1, high=options.highest, scores=(0,) * seats, turn=first), []

    def carry_out(
        self, state: State, seat: Seat, move: Guess, chance: Chance
    ) -> tuple[State, Sequence[Happening[Answered]]]:
        following = replace(state, turn=(seat + 1) % len(state.scores))
        if move.number < state.secret:
            after = replace(following, low=move.number + 1)
            return after, [Happening(Answered(seat, move.number, "higher"))]
        if move.number > state.secret:
            after = replace(following, high=move.number - 1)
            return after, [Happening(Answered(seat, move.number, "lower"))]
        scores = tuple(int(each == seat) for each in range(len(state.scores)))
        return replace(state, scores=scores, over=True), [
            Happening(Answered(seat, move.number, "right"))
        ]

    def public(self, state: State) -> PublicState:
        return PublicState(state.low, state.high, state.scores, state.turn, state.over)

    def private(self, state: State, seat: Seat) -> None:
        return None

    def resample(self, state: State, viewer: Viewer, chance: Chance) -> State:
        if state.over:
            return state
        return replace(state, secret=state.low + chance.below(state.high - state.low + 1))

    # What follows from what is seen

    def actors(self, public: PublicState) -> tuple[Seat, ...]:
        return () if public.over else (public.turn,)

    def refusal(self, view: NumberView, move: Guess) -> Refusal | None:
        table = view.public
        if move.number not in range(table.low, table.high + 1):
            return Refusal(NumbersCode.OUT_OF_RANGE, {"low": table.low, "high": table.high})
        return None

    def moves(self, view: NumberView) -> Iterator[Guess]:
        if view.seat in self.actors(view.public):
            yield from map(Guess, range(view.public.low, view.public.high + 1))

    def outcome(self, public: PublicState) -> Outcome | None:
        if not public.over:
            return None
        return Outcome(public.scores, tiebreaks=(0,) * len(public.scores))

    # Moves as text

    def notate(self, move: Guess) -> str:
        return f"guess {move.number}"

    def parse(self, text: str) -> Guess:
        match text.casefold().split():
            case ["guess", number] if number.isascii() and number.isdigit() and len(number) <= 2:
                return Guess(int(number))
        raise RefusalError(Refusal(Code.UNREADABLE, {"text": text, "forms": ["guess 5"]}))


GAMES = {game.name: game for game in (Numbers(),)}
