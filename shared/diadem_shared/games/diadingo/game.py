"""Diadingo behind the contract: what is seen, what is allowed, how a round ends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import replace

from diadem_shared.bot_levels import Lineup
from diadem_shared.chance import Chance
from diadem_shared.game import (
    COMMON_REFUSALS,
    Bot,
    Game,
    Happening,
    Outcome,
    PuzzleSource,
    Seat,
    Viewer,
)
from diadem_shared.games.diadingo import notation, rules
from diadem_shared.games.diadingo.board import SPOTS, VALUES, Spot
from diadem_shared.games.diadingo.highlights import DiadingoHighlights
from diadem_shared.games.diadingo.reasons import DiadingoReason
from diadem_shared.games.diadingo.refusals import DiadingoCode
from diadem_shared.games.diadingo.table import (
    ALLOWED,
    Decline,
    DiadingoEvent,
    Missed,
    Move,
    Options,
    PublicState,
    State,
    Steal,
    TableView,
    Take,
    Tried,
    TurnPhase,
    robberies,
)
from diadem_shared.refusals import Code, Refusal

DiadingoBot: TypeAlias = Callable[[Chance], Bot[Move, DiadingoEvent, PublicState, None]]


def _bots() -> Mapping[str, DiadingoBot]:
    from diadem_shared.games.diadingo.bots import BOTS  # noqa: PLC0415, see Lineup

    return BOTS


class Diadingo(Game[Options, State, Move, DiadingoEvent, PublicState, None]):
    name = "diadingo"
    version = 2
    seats = range(2, 9)
    puzzle = PuzzleSource("human", 3)

    options_type = Options
    state_type = State
    move_type = Move
    event_type = DiadingoEvent
    public_type = PublicState
    private_type = type(None)
    highlights_type = DiadingoHighlights

    moves_like = notation.MOVES_LIKE
    refusals = COMMON_REFUSALS | {*DiadingoCode, Code.NO_SUCH_SEAT, Code.OWN_SEAT}
    reasons = frozenset(DiadingoReason)
    bots = Lineup(("zombie", "naive", "forgetful", "human", "perfect"), _bots)

    # What is hidden

    def start(
        self, options: Options, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Sequence[Happening[DiadingoEvent]]]:
        """D-3: chance finds who begins, in every round, whoever's round it would be by C-1."""
        state, events = rules.deal(options, seats, chance, self.version)
        return state, [Happening(event) for event in events]

    def carry_out(
        self, state: State, seat: Seat, move: Move, chance: Chance
    ) -> tuple[State, Sequence[Happening[DiadingoEvent]]]:
        after, events = rules.carry_out(state, move, self.version)
        return after, [Happening(event) for event in events]

    def public(self, state: State) -> PublicState:
        return PublicState(
            options=state.options,
            deck=len(state.deck),
            board=state.board,
            marked=self._marked(state),
            hands=state.hands,
            turn=state.turn,
            phase=state.phase,
            card=state.card,
        )

    def _marked(self, state: State) -> tuple[Spot, ...]:
        """D-9, D-12."""
        if state.phase is TurnPhase.OVER and self.version > 1:
            return rules.fixed(state)
        return state.proved if state.options.play == "marked" else ()

    def private(self, state: State, seat: Seat) -> None:
        return None

    def resample(self, state: State, viewer: Viewer, chance: Chance) -> State:
        """Every try was seen by all, so all that can differ is what was never tried, and the deck."""
        state = replace(state, deck=chance.shuffled(state.deck))
        if state.phase is TurnPhase.OVER:
            return state
        untried = tuple(spot for spot in state.board if spot not in state.proved)
        return replace(state, loose=rules.some_of(untried, len(state.loose), chance))

    # What follows from what is seen

    def actors(self, public: PublicState) -> tuple[Seat, ...]:
        return () if public.phase is TurnPhase.OVER else (public.turn,)

    def refusal(self, view: TableView, move: Move) -> Refusal | None:
        table = view.public
        if type(move) not in ALLOWED[table.phase]:
            steals = table.phase is TurnPhase.STEAL
            return Refusal(DiadingoCode.THEFT_WAITS if steals else DiadingoCode.NO_THEFT)
        match move:
            case Take(spot):
                return _against_taking(table, spot)
            case Steal(value, victim):
                return _against_stealing(table, value, victim)
            case Decline():
                return None

    def moves(self, view: TableView) -> Iterator[Move]:
        table = view.public
        if view.seat != table.turn:
            return
        match table.phase:
            case TurnPhase.TAKE:
                yield from map(Take, table.board)
            case TurnPhase.STEAL:
                yield from (Steal(*pair) for pair in robberies(table.hands, table.turn))
                yield Decline()
            case TurnPhase.OVER:
                pass

    def outcome(self, public: PublicState) -> Outcome | None:
        """D-10, D-11."""
        if public.phase is not TurnPhase.OVER:
            return None
        return Outcome(
            scores=tuple(hand.score(public.options) for hand in public.hands),
            tiebreaks=tuple(len(hand.filled) for hand in public.hands),
        )

    def recall(self, public: PublicState, event: DiadingoEvent) -> DiadingoEvent | None:
        """D-12: in memory play a later log knows of a failed try, not where it was."""
        match event:
            case Tried(seat, _, value, loose=False) if public.options.play == "memory":
                return Missed(seat, value)
            case _:
                return event

    # Moves as text

    def notate(self, move: Move) -> str:
        return notation.notate(move)

    def parse(self, text: str) -> Move:
        return notation.parse(text)


def _against_taking(table: PublicState, spot: str) -> Refusal | None:
    if spot not in SPOTS:
        return Refusal(DiadingoCode.NO_SUCH_SPOT, {"spot": spot})
    if spot not in table.board:
        return Refusal(DiadingoCode.SPOT_EMPTY, {"spot": spot})
    return None


def _against_stealing(table: PublicState, value: int, victim: Seat) -> Refusal | None:
    """D-5."""
    if victim not in range(len(table.hands)):
        return Refusal(Code.NO_SUCH_SEAT, {"seat": victim})
    if victim == table.turn:
        return Refusal(Code.OWN_SEAT)
    if value not in VALUES:
        return Refusal(
            DiadingoCode.NO_SUCH_VALUE, {"value": value, "values": [str(each) for each in VALUES]}
        )
    if value not in table.mover.empty:
        return Refusal(DiadingoCode.NO_EMPTY_RING, {"value": value})
    if value not in table.hands[victim].filled:
        return Refusal(DiadingoCode.NOTHING_TO_STEAL, {"value": value, "seat": victim})
    return None
