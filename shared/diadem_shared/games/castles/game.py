"""Castles behind the contract: what is seen, what is allowed, how a round begins and ends."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, TypeAlias

from msgspec.structs import replace

from diadem_shared.bot_levels import Lineup
from diadem_shared.chance import Chance
from diadem_shared.game import (
    COMMON_REFUSALS,
    MOST_MOVES,
    Bot,
    Game,
    Happening,
    Outcome,
    PuzzleSource,
    Seat,
    Viewer,
)
from diadem_shared.games.castles import rules
from diadem_shared.games.castles.editions import PRICE, Card, Edition, in_order
from diadem_shared.games.castles.highlights import CastleHighlights
from diadem_shared.games.castles.notation import Notation
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.refusals import CastlesCode
from diadem_shared.games.castles.table import (
    ALLOWED,
    Began,
    Buy,
    CastleEvent,
    Draw,
    Holding,
    Move,
    Options,
    Pay,
    PublicState,
    Shield,
    State,
    Stop,
    TableView,
    TurnPhase,
)
from diadem_shared.refusals import Code, Refusal

CastlesBot: TypeAlias = Callable[[Chance], Bot[Move, CastleEvent, PublicState, None]]


LEVELS = ("zombie", "easy", "brisk", "lively", "keen", "daring", "bold", "strong")


class Castles(Game[Options, State, Move, CastleEvent, PublicState, None]):
    version = 2
    seats = range(2, 5)
    puzzle = PuzzleSource("daring", 3)

    options_type = Options
    state_type = State
    move_type = Move
    event_type = CastleEvent
    public_type = PublicState
    private_type = type(None)
    highlights_type = CastleHighlights

    refusals = COMMON_REFUSALS | {*CastlesCode, Code.NO_SUCH_SEAT, Code.OWN_SEAT}
    reasons = frozenset(CastlesReason)

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.name = edition.name
        self.bots = Lineup(LEVELS, self._bots)
        self._notation = Notation(edition)
        self.moves_like = self._notation.moves_like

    def _bots(self) -> Mapping[str, CastlesBot]:
        from diadem_shared.games.castles.bots import Bold, Easy, Fickle, Zombie  # noqa: PLC0415, see Lineup
        from diadem_shared.games.castles.position import Kinds  # noqa: PLC0415
        from diadem_shared.games.castles.strong import Strong  # noqa: PLC0415

        return {
            "zombie": Zombie,
            "easy": Easy,
            "brisk": partial(Fickle, percent=32),
            "lively": partial(Fickle, percent=57),
            "keen": partial(Fickle, percent=75),
            "daring": partial(Fickle, percent=89),
            "bold": Bold,
            "strong": partial(Strong, kinds=Kinds(self.edition)),
        }

    # What is hidden

    def start(
        self, options: Options, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Sequence[Happening[CastleEvent]]]:
        """K-1, K-2. The youngest begins the match; further rounds follow C-1."""
        deck = chance.shuffled(self.edition.deck())
        if opener is None:
            opener = options.youngest
        if opener is None:
            opener = chance.below(seats)
        state = State(deck=deck, aside=(), holdings=(Holding(),) * seats, turn=opener)
        return state, [Happening(Began(opener))]

    def carry_out(
        self, state: State, seat: Seat, move: Move, chance: Chance
    ) -> tuple[State, Sequence[Happening[CastleEvent]]]:
        after, events = rules.carry_out(state, move, chance)
        return after, [Happening(event) for event in events]

    def stop(self, state: State) -> tuple[State, Sequence[Happening[CastleEvent]]]:
        return replace(state, phase=TurnPhase.OVER), []

    def public(self, state: State) -> PublicState:
        return PublicState(
            deck=len(state.deck),
            aside=state.aside,
            holdings=state.holdings,
            turn=state.turn,
            phase=state.phase,
            drawn=state.drawn,
        )

    def private(self, state: State, seat: Seat) -> None:
        return None

    def resample(self, state: State, viewer: Viewer, chance: Chance) -> State:
        return replace(state, deck=chance.shuffled(state.deck))

    # What follows from what is seen

    @property
    def most_moves(self) -> int | None:
        return None if self.version == 1 else MOST_MOVES

    def without_seat(self, options: Mapping[str, Any], seat: Seat) -> dict[str, Any]:
        """K-2: the youngest stays the same person; chance decides if it was they who left."""
        youngest = options.get("youngest")
        if self.version == 1 or not isinstance(youngest, int) or youngest < seat:
            return {**options}
        return {**options, "youngest": youngest - 1 if youngest > seat else None}

    def check(self, options: Options, seats: int) -> Refusal | None:
        if options.youngest is not None and options.youngest not in range(seats):
            return Refusal(Code.NO_SUCH_SEAT, {"seat": options.youngest})
        return None

    def actors(self, public: PublicState) -> tuple[Seat, ...]:
        return () if public.phase is TurnPhase.OVER else (public.turn,)

    def refusal(self, view: TableView, move: Move) -> Refusal | None:
        table = view.public
        if type(move) not in ALLOWED[table.phase]:
            return _out_of_phase(table.phase, move)
        match move:
            case Buy(seller):
                return _against_buying(table, seller)
            case Pay(cards):
                return _against_paying(table.mover, cards)
            case Shield() if not table.mover.shielded:
                return Refusal(CastlesCode.NO_SHIELD)
            case _:
                return None

    def moves(self, view: TableView) -> Iterator[Move]:
        table = view.public
        if view.seat != table.turn:
            return
        match table.phase:
            case TurnPhase.OPEN:
                yield Draw()
                for seller in range(len(table.holdings)):
                    if _against_buying(table, seller) is None:
                        yield Buy(seller)
            case TurnPhase.DRAWN:
                yield Draw()
                yield Stop()
            case TurnPhase.DANGER:
                if table.mover.shielded:
                    yield Shield()
                yield from map(Pay, payments(table.mover))
            case TurnPhase.OVER:
                pass

    def outcome(self, public: PublicState) -> Outcome | None:
        """C-1: a won round counts one. C-5: if it was stopped, the most parts built win it, and no parts win nothing."""
        if public.phase is not TurnPhase.OVER:
            return None
        built = [len(holding.castle) for holding in public.holdings]
        scores = tuple(int(0 < parts == max(built)) for parts in built)
        return Outcome(scores, tiebreaks=(0,) * len(scores))

    # Moves as text

    def notate(self, move: Move) -> str:
        return self._notation.notate(move)

    def parse(self, text: str) -> Move:
        return self._notation.parse(text)


def payments(holding: Holding) -> Iterator[tuple[Card, ...]]:
    """Every choice of cards that settles a danger (K-10), each once."""
    return iter(dict.fromkeys(combinations(in_order(holding.cards), rules.owed(holding))))


def _out_of_phase(phase: TurnPhase, move: Move) -> Refusal:
    if phase is TurnPhase.DANGER:
        return Refusal(CastlesCode.DANGER_WAITS)
    match move:
        case Stop():
            return Refusal(CastlesCode.MUST_DRAW_FIRST)
        case Buy():
            return Refusal(CastlesCode.ALREADY_DREW)
        case _:
            return Refusal(CastlesCode.NO_DANGER)


def _against_buying(table: PublicState, seller: Seat) -> Refusal | None:
    """K-7, K-8."""
    buyer = table.mover
    if seller not in range(len(table.holdings)):
        return Refusal(Code.NO_SUCH_SEAT, {"seat": seller})
    if seller == table.turn:
        return Refusal(Code.OWN_SEAT)
    if buyer.builds is None:
        return Refusal(CastlesCode.NO_CASTLE)
    if buyer.wealth < PRICE:
        return Refusal(CastlesCode.TOO_POOR, {"have": buyer.wealth, "need": PRICE})
    if not table.holdings[seller].spare(buyer.builds):
        return Refusal(CastlesCode.SELLER_HAS_NONE, {"seat": seller, "colour": buyer.builds})
    return None


def _against_paying(payer: Holding, cards: tuple[Card, ...]) -> Refusal | None:
    """K-9, K-10."""
    missing = Counter(cards) - Counter(payer.cards)
    if missing:
        return Refusal(CastlesCode.NOT_HELD, {"cards": sorted(missing)})
    if len(cards) != rules.owed(payer):
        return Refusal(CastlesCode.PAY_EXACTLY, {"need": rules.owed(payer), "offered": len(cards)})
    return None
