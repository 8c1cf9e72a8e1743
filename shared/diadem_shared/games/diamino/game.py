"""Diamino behind the contract, under either of its rule sets."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET

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
from diadem_shared.games.diamino import notation
from diadem_shared.games.diamino.board import BadBoard, check_layout
from diadem_shared.games.diamino.deal import deal, deal_otherwise, layout_of
from diadem_shared.games.diamino.highlights import DiaminoHighlights
from diadem_shared.games.diamino.nonsense import unheard_of
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import LooseTiles
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.refusals import DiaminoCode, LayingCode
from diadem_shared.games.diamino.rules import Turn, blocked_after
from diadem_shared.games.diamino.scoring import outcome
from diadem_shared.games.diamino.table import (
    ALLOWED,
    Accept,
    BonusTable,
    DiaminoEvent,
    Exchange,
    Give,
    Hand,
    Lay,
    Move,
    Object,
    Options,
    Pass,
    Pending,
    PublicState,
    RummyOptions,
    RummyTable,
    Silence,
    State,
    TableView,
    TurnPhase,
)
from diadem_shared.games.diamino.terms import RuleSet, Terms
from diadem_shared.games.diamino.verdict import Illegal, Legal, Verdict
from diadem_shared.games.diamino.words import finder_of, is_known, judge_of, list_of
from diadem_shared.lexicon import shelf
from diadem_shared.refusals import Code, Refusal, RefusalError

SEATS = {RuleSet.RUMMY: range(2, 9), RuleSet.BONUS: range(2, 5)}


def _is_late(view: TableView) -> bool:
    """Few tiles are held, and a play is asked for: who sees the whole board finds the best."""
    table = view.public
    return table.sizes[table.turn] <= 9 and not table.owed


PUZZLES = {
    RuleSet.RUMMY: PuzzleSource("firm", 2, suits=_is_late),
    RuleSet.BONUS: PuzzleSource("firm", 2, options={"words_score": True}),
}

MOST_LISTED = 300
"""Choices of tiles to exchange, or to give back, that are listed: those of a hand of 8, and the small ones of a larger hand."""

Told: TypeAlias = Sequence[Happening[DiaminoEvent]]


DiaminoBot: TypeAlias = Callable[[Chance], Bot[Move, DiaminoEvent, PublicState, Hand]]


LEVELS = (
    *("zombie", "easy", "light", "mild", "fair", "even"),
    *("firm", "keen", "normal", "sharp", "strong", "master"),
)


def _bots() -> Mapping[str, DiaminoBot]:
    from diadem_shared.games.diamino.bots import BOTS  # noqa: PLC0415, see Lineup

    return BOTS


class Diamino(Game[RummyOptions, State, Move, DiaminoEvent, PublicState, Hand]):
    version = 2

    state_type = State
    move_type = Move
    event_type = DiaminoEvent
    public_type = PublicState
    private_type = Hand
    highlights_type = DiaminoHighlights

    moves_like = notation.MOVES_LIKE
    refusals = COMMON_REFUSALS | {*LayingCode, *DiaminoCode}
    reasons = frozenset(DiaminoReason)

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.name = f"diamino-{rules}"
        self.puzzle = PUZZLES[rules]
        self.seats = SEATS[rules]
        self.options_type = BonusTable if rules is RuleSet.BONUS else RummyTable
        self.bots = Lineup(LEVELS, _bots)

    # What is hidden

    def start(
        self, options: RummyOptions, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Told]:
        """M-3 finds the starter of every round, whoever's round it would be by C-1."""
        state, opened = deal(self.rules, _whole(options), seats, chance)
        return state, [Happening(opened)]

    def carry_out(self, state: State, seat: Seat, move: Move, chance: Chance) -> tuple[State, Told]:
        turn = Turn(self.rules, self.version, state, chance)
        match move:
            case Lay():
                terms = Terms(self.rules, len(state.reserve))
                verdict = judge(state.board, move.play, state.hands[seat], terms, None)
                if isinstance(verdict, Illegal):
                    raise RefusalError(verdict.refusal)
                if judge_of(state.options) is None:
                    turn.propose(verdict)
                else:
                    turn.settle(verdict)
            case Exchange(tiles):
                turn.exchange(tiles)
            case Pass():
                turn.pass_()
            case Give(tiles):
                turn.give(tiles)
            case Accept():
                turn.vote(seat, accepts=True)
            case Object():
                turn.vote(seat, accepts=False)
            case Silence():
                turn.vote(seat, accepts=True, silent=True)
        return turn.state, turn.told

    def stop(self, state: State) -> tuple[State, Told]:
        """As a blocked round ends: what is judged just then does not lie."""
        turn = Turn(self.rules, self.version, state, Chance(b"nothing is left to chance"))
        turn.block()
        return turn.state, turn.told

    def public(self, state: State) -> PublicState:
        open_ = state.options.open_hands or state.phase is TurnPhase.OVER
        most_passes, most_idle = blocked_after(self.version, len(state.hands))
        is_first = self.version == 1
        return PublicState(
            rules=self.rules,
            options=state.options,
            board=state.board,
            sizes=tuple(map(len, state.hands)),
            hands=state.hands if open_ else None,
            reserve=len(state.reserve),
            turn=state.turn,
            points=state.points,
            phase=state.phase,
            idle=state.idle,
            passes=state.passes,
            refused=state.refused,
            owed=state.owed,
            pending=_shown(state.pending),
            votes=state.votes,
            doubted=state.doubted,
            out=state.out,
            doubled=state.doubled,
            most_passes=UNSET if is_first else most_passes,
            most_idle=UNSET if is_first else most_idle,
        )

    def private(self, state: State, seat: Seat) -> Hand:
        return Hand(state.hands[seat])

    def resample(self, state: State, viewer: Viewer, chance: Chance) -> State:
        return deal_otherwise(state, viewer, chance)

    # What follows from what is seen

    @property
    def most_moves(self) -> int | None:
        return None if self.version == 1 else MOST_MOVES

    def check(self, options: RummyOptions, seats: int) -> Refusal | None:
        if not is_known(options):
            return _no_such_list()
        try:
            layout_of(_whole(options))
        except BadBoard as error:
            return Refusal(DiaminoCode.BAD_BOARD, {"why": error.code, **vars(error)})
        return None

    def look_up(self, options: RummyOptions, tiles: str) -> tuple[str, ...]:
        if isinstance(options, RummyTable | BonusTable) and not options.look_up:
            raise RefusalError(Refusal(Code.NO_LOOK_UP))
        if not is_known(options):
            raise RefusalError(_no_such_list())
        return list_of(options).spellings(tiles)

    def can_judge(self, public: PublicState) -> bool:
        return is_known(public.options)

    def check_new(self, options: RummyOptions) -> Refusal | None:
        if refusal := super().check_new(options):
            return refusal
        try:
            check_layout(layout_of(_whole(options)))
        except BadBoard as error:
            return Refusal(DiaminoCode.BAD_BOARD, {"why": error.code, **vars(error)})
        return None

    def actors(self, public: PublicState) -> tuple[Seat, ...]:
        match public.phase:
            case TurnPhase.OVER:
                return ()
            case TurnPhase.JUDGE:
                waiting = (seat for seat, vote in enumerate(public.votes) if vote is None)
                return tuple(seat for seat in waiting if seat != public.turn)
            case _:
                return (public.turn,)

    def patience(self, public: PublicState) -> int | None:
        return public.options.judging_time if public.phase is TurnPhase.JUDGE else None

    def refusal(self, view: TableView, move: Move) -> Refusal | None:
        table, hand = view.public, _hand(view)
        if type(move) not in ALLOWED[table.phase]:
            return _out_of_phase(table.phase, move)
        match move:
            case Lay(play):
                verdict = judge(table.board, play, hand, table.terms, judge_of(table.options))
                return verdict.refusal if isinstance(verdict, Illegal) else None
            case Exchange(tiles):
                return _against_exchanging(table, hand, tiles)
            case Give(tiles):
                return _against_giving(table, hand, tiles)
            case _:
                return None

    def explain_recorded(self, view: TableView, move: Move) -> Refusal | None:
        """What was laid stays, whatever the list says of it now."""
        refusal = self.explain(view, move)
        if refusal and refusal.code == LayingCode.UNKNOWN_WORDS and not refusal.also:
            return None
        return refusal

    def moves(self, view: TableView) -> Iterator[Move]:
        """Plays are found as they are asked for: a hand of 40 may have millions."""
        table, hand = view.public, _hand(view)
        if view.seat not in self.actors(table):
            return
        match table.phase:
            case TurnPhase.PLAY:
                yield Pass()
                finder = finder_of(table.options)
                yield from map(Lay, finder.find(table.board, hand, table.terms))
                if table.options.judging == "table":
                    plays = unheard_of(table.board, hand, table.terms, list_of(table.options))
                    yield from map(Lay, plays)
                yield from _swaps(view)
            case TurnPhase.GIVE:
                yield from _swaps(view)
            case TurnPhase.JUDGE:
                yield from (Accept(), Object(), Silence())
            case TurnPhase.OVER:
                pass

    def listed(self, view: TableView) -> Iterator[Move]:
        """All but plays: what can be laid is found by trying it out."""
        if view.seat not in self.actors(view.public):
            return
        if view.public.phase is TurnPhase.PLAY:
            yield Pass()
        if view.public.phase is TurnPhase.JUDGE:
            yield from self.moves(view)
        else:
            yield from islice(_swaps(view), MOST_LISTED)

    def unlisted(self, view: TableView) -> tuple[str, ...]:
        if view.seat not in self.actors(view.public):
            return ()
        plays = ("lay",) if view.public.phase is TurnPhase.PLAY else ()
        more = [_first_word(each) for each in islice(_swaps(view), MOST_LISTED, MOST_LISTED + 1)]
        return (*plays, *more)

    def any_move(self, view: TableView, chance: Chance) -> Move:
        """Mostly a play, each as likely as any other; now and then an exchange or a pass."""
        table, hand = view.public, _hand(view)
        if table.phase is not TurnPhase.PLAY:
            return super().any_move(view, chance)
        found = finder_of(table.options).find(table.board, hand, table.terms)
        mood = chance.below(10)
        if found and mood < 8:
            return Lay(found.nth(chance.below(found.count())))
        if table.reserve and not table.refused and mood < 9:
            most = min(len(hand), table.reserve)
            return Exchange("".join(sorted(chance.shuffled(hand)[: 1 + chance.below(most)])))
        return Pass()

    def preview(self, view: TableView, draft: Mapping[str, str]) -> Verdict:
        """The judge's word on tiles set down so, all reasons and all words named."""
        try:
            tried = msgspec.convert({"tiles": dict(draft)}, LooseTiles)
        except msgspec.ValidationError:
            raise RefusalError(Refusal(DiaminoCode.BAD_DRAFT)) from None
        table = view.public
        return judge(table.board, tried, _hand(view), table.terms, judge_of(table.options))

    def outcome(self, public: PublicState) -> Outcome | None:
        return outcome(public)

    # Moves as text

    def notate(self, move: Move) -> str:
        return notation.notate(move)

    def parse(self, text: str) -> Move:
        return notation.parse(text)


def _swaps(view: TableView) -> Iterator[Exchange | Give]:
    """Every choice of tiles that may go back into the reserve now."""
    table, hand = view.public, _hand(view)
    if table.phase is TurnPhase.PLAY and not table.refused:
        yield from map(Exchange, parcels(hand, 1, table.reserve))
    elif table.phase is TurnPhase.GIVE:
        yield from map(Give, parcels(hand, 0, table.owed))


def _first_word(move: Move) -> str:
    return notation.notate(move).partition(" ")[0]


def parcels(hand: str, least: int, most: int) -> Iterator[str]:
    """Every choice of so many tiles of a hand, each once, small ones first."""
    kinds = sorted(Counter(hand).items())
    for size in range(least, min(most, len(hand)) + 1):
        yield from _parcels(kinds, size)


def _parcels(kinds: Sequence[tuple[str, int]], size: int) -> Iterator[str]:
    if not kinds:
        if not size:
            yield ""
        return
    (tile, count), *others = kinds
    for taken in range(min(count, size), -1, -1):
        yield from (tile * taken + rest for rest in _parcels(others, size - taken))


def _shown(pending: Legal | None) -> Pending | None:
    """Without what the play leaves in the hand."""
    return Pending(pending.play, pending.laid, pending.runs) if pending else None


def _no_such_list() -> Refusal:
    return Refusal(DiaminoCode.NO_SUCH_WORD_LIST, {"lists": list(shelf.names())})


def _whole(options: RummyOptions) -> Options:
    """Those that a state keeps."""
    given = msgspec.structs.asdict(options)
    kept: dict[str, Any] = {
        name: given[name] for name in Options.__struct_fields__ if name in given
    }
    return Options(**kept)


def _hand(view: TableView) -> str:
    return view.private.tiles if view.private else ""


def _out_of_phase(phase: TurnPhase, move: Move) -> Refusal:
    if phase is TurnPhase.JUDGE:
        return Refusal(DiaminoCode.BEING_JUDGED)
    if phase is TurnPhase.GIVE:
        return Refusal(DiaminoCode.GIVE_FIRST)
    gives = isinstance(move, Give)
    return Refusal(DiaminoCode.NOTHING_TO_GIVE if gives else DiaminoCode.NOTHING_TO_JUDGE)


def _against_exchanging(table: PublicState, hand: str, tiles: str) -> Refusal | None:
    """M-13; after a refused play there is only another play, or none (M-12)."""
    if table.refused:
        return Refusal(DiaminoCode.ONLY_LAY_OR_PASS)
    if not tiles:
        return Refusal(DiaminoCode.NOTHING_TO_EXCHANGE)
    if len(tiles) > table.reserve:
        return Refusal(DiaminoCode.RESERVE_TOO_SMALL, {"reserve": table.reserve})
    return _against_holding(hand, tiles)


def _against_giving(table: PublicState, hand: str, tiles: str) -> Refusal | None:
    """M-21."""
    if len(tiles) > table.owed:
        return Refusal(DiaminoCode.TOO_MANY, {"most": table.owed})
    return _against_holding(hand, tiles)


def _against_holding(hand: str, tiles: str) -> Refusal | None:
    missing = Counter(tiles) - Counter(hand)
    if missing:
        return Refusal(DiaminoCode.NOT_HELD, {"tiles": "".join(sorted(missing.elements()))})
    return None
