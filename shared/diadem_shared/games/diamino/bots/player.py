"""The strong bot of Diamino: it ranks some plays, and the best of them by what may follow."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from diadem_shared.advice import Evaluation, Reason, Unit
from diadem_shared.chance import Chance
from diadem_shared.game import Adviser
from diadem_shared.games.diamino.bots.bonus import Bonus
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.choices import Candidate, Chooser, candidate_of, outlines
from diadem_shared.games.diamino.bots.hand_weight import burden_in, size_in
from diadem_shared.games.diamino.bots.memory import Memory
from diadem_shared.games.diamino.bots.plan import Plan, Prospect
from diadem_shared.games.diamino.bots.rummy import Rummy
from diadem_shared.games.diamino.bots.word_check import judged
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import (
    DiaminoEvent,
    Exchange,
    Give,
    Hand,
    Lay,
    Move,
    Pass,
    PublicState,
    TableView,
    TurnPhase,
)
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.games.diamino.tiles import JOKER, sorted_hand, without
from diadem_shared.games.diamino.words import list_of

PLANS: dict[RuleSet, type[Plan]] = {RuleSet.RUMMY: Rummy, RuleSet.BONUS: Bonus}


class Habits(Struct, frozen=True):
    """How much a level thinks."""

    slots: int
    """How many of the best slots it makes words for."""
    orders: int
    """How many words it makes of each."""
    looks_ahead: int
    """Of how many plays it asks what may follow."""
    looks_ahead_late: int
    """The same once few tiles are held for good: then every leave is worth a look."""
    heaviness: Callable[[str], Callable[[str], float]]
    """By language, how it weighs a hand."""


NORMAL = Habits(slots=12, orders=2, looks_ahead=0, looks_ahead_late=0, heaviness=size_in)
WIDE = Habits(slots=60, orders=24, looks_ahead=0, looks_ahead_late=0, heaviness=burden_in)
"""Many plays, and none of them looked at further."""
STRONG = Habits(slots=40, orders=5, looks_ahead=10, looks_ahead_late=20, heaviness=burden_in)


class DiaminoBot(Adviser[Move, DiaminoEvent, PublicState, Hand]):
    heavy = True

    def __init__(self, chance: Chance, habits: Habits) -> None:
        super().__init__(chance)
        self._habits = habits
        self._memory = Memory()

    def see(self, event: DiaminoEvent) -> None:
        self._memory.see(event)

    def evaluate(
        self, view: TableView, most: int, also: Move | None = None
    ) -> Sequence[Evaluation[Move]]:
        now, plan = self._now(view)
        match now.table.phase:
            case TurnPhase.JUDGE:
                verdict = judged(now)
                return [Evaluation(verdict.move, 0.0, plan.unit, verdict.reasons)]
            case TurnPhase.GIVE:
                tiles = sorted_hand(also.tiles) if isinstance(also, Give) else None
                gifts = self._gifts(plan, tiles)
                return [
                    each for place, each in enumerate(gifts) if place < most or each.move == also
                ]
            case _:
                moves = self._moves(plan, most)
                if also is None or any(each.move == also for each in moves):
                    return moves
                besides = self._besides(plan, also, looks_ahead=isinstance(moves[0].move, Lay))
                return sorted((*moves, *besides), key=lambda each: each.value, reverse=True)

    def idle_moves(self, view: TableView) -> list[Evaluation[Move]]:
        """What can be done without laying: passing, and exchanging few of the worst tiles or many."""
        now, plan = self._now(view)
        idle: list[Move] = [Pass()]
        if now.may_exchange:
            most = min(len(now.hand), now.table.reserve)
            worst = plan.lighten(now.hand, most)
            counts = sorted({1, (most + 1) // 2, most})
            idle += (Exchange(sorted_hand(worst[:count])) for count in counts)
        return [each for move in idle for each in self._besides(plan, move, looks_ahead=False)]

    def choices(self, view: TableView, most: int) -> list[tuple[float, Candidate]]:
        """Some plays with what each is worth by itself, best first."""
        _, plan = self._now(view)
        return self._weighed(plan)[:most]

    def should_wait(self, view: TableView, worth: float) -> bool:
        """Whether it is better to lay nothing than a play of this worth."""
        _, plan = self._now(view)
        return _should_wait(plan, worth, self._otherwise(plan)[0])

    def looked_at(self, view: TableView, choice: Candidate) -> Evaluation[Move]:
        """What a play is worth with what may follow it."""
        _, plan = self._now(view)
        ahead = plan.prospect(choice, self.chance)
        return _evaluated(plan, plan.worth(choice) + ahead.value, choice, ahead)

    def _now(self, view: TableView) -> tuple[Situation, Plan]:
        now = Situation(view)
        heaviness = self._habits.heaviness(now.table.options.language)
        return now, PLANS[now.table.rules](now, heaviness)

    def _besides(self, plan: Plan, move: Move, *, looks_ahead: bool) -> Iterator[Evaluation[Move]]:
        """A move that was not considered."""
        now = plan.now
        match move:
            case Lay(play):
                known = list_of(now.table.options)
                if choice := candidate_of(now.table.board, play, now.hand, plan.terms, known):
                    ahead = plan.prospect(choice, self.chance) if looks_ahead else Prospect()
                    yield _evaluated(plan, plan.worth(choice) + ahead.value, choice, ahead)
            case Exchange(tiles):
                kept = without(now.hand, tiles)
                worth = plan.worth_of_exchanging(kept, len(tiles)) - _of_passing(plan)
                reasons = (_giving_up(tiles), *plan.kept(kept))
                yield Evaluation(move, worth, plan.unit, reasons)
            case Pass():
                yield _passing(plan.unit)
            case _:
                return

    def _gifts(self, plan: Plan, also: str | None) -> list[Evaluation[Move]]:
        hand = plan.now.hand
        gifts: list[Evaluation[Move]] = []
        for worth, given in plan.giving(plan.now.table.owed, self._looks_ahead(plan), also):
            reasons = (_giving_up(given), *plan.kept(without(hand, given)))
            gifts.append(Evaluation(Give(sorted_hand(given)), worth, plan.unit, reasons))
        return gifts

    def _moves(self, plan: Plan, most: int) -> list[Evaluation[Move]]:
        now = plan.now
        if now.passing_ends and plan.settled:
            return [_passing(plan.unit, DiaminoReason.ENDS_AHEAD)]
        weighed = self._weighed(plan)
        idle, otherwise = self._otherwise(plan)
        if not weighed or _should_wait(plan, weighed[0][0], idle):
            plays = [(worth, choice, Prospect()) for worth, choice in weighed[: most - 1]]
            reason = DiaminoReason.NOTHING_WORTH_IT if weighed else DiaminoReason.NOTHING_FITS
            instead = self._instead(plan, idle, otherwise, reason)
            return [instead, *(_evaluated(plan, *play) for play in plays)]
        considered = weighed[: self._looks_ahead(plan)]
        if len(considered) > 1:
            plays = [
                (worth + ahead.value, choice, ahead)
                for worth, choice in considered
                for ahead in (plan.prospect(choice, self.chance),)
            ]
            plays.sort(key=lambda play: play[0], reverse=True)
        else:
            plays = [(worth, choice, Prospect()) for worth, choice in weighed]
        return [_evaluated(plan, *play) for play in plays[:most]]

    def _instead(
        self, plan: Plan, worth: float, move: Exchange | Pass, why: DiaminoReason
    ) -> Evaluation[Move]:
        """Of laying."""
        if isinstance(move, Pass):
            return _passing(
                plan.unit, why, *(() if plan.now.may_exchange else (DiaminoReason.NOTHING_TO_SWAP,))
            )
        kept = without(plan.now.hand, move.tiles)
        reasons = (Reason(why), _giving_up(move.tiles), *plan.kept(kept))
        return Evaluation(move, worth - _of_passing(plan), plan.unit, reasons)

    def _looks_ahead(self, plan: Plan) -> int:
        return self._habits.looks_ahead_late if plan.is_late else self._habits.looks_ahead

    def _weighed(self, plan: Plan) -> list[tuple[float, Candidate]]:
        weighed = [(plan.worth(choice), choice) for choice in self._choices(plan)]
        return sorted(weighed, key=lambda pair: pair[0], reverse=True)

    def _choices(self, plan: Plan) -> Iterator[Candidate]:
        """Some plays, each once."""
        held, made = len(plan.now.hand), set()
        letters = plan.now.hand.replace(JOKER, "")
        for tiles, slots in (
            (letters, self._habits.slots),
            (plan.now.hand, self._habits.slots // 2),
        ):
            for choice in self._made(plan, tiles, slots):
                # A hand searched without its jokers does not empty the real one.
                misplaced = choice.cover.black and not choice.cover.empties(held)
                if not (misplaced or choice.play in made or self._memory.refuses(choice.play)):
                    made.add(choice.play)
                    yield choice
            if letters == plan.now.hand:
                return

    def _made(self, plan: Plan, tiles: str, slots: int) -> Iterator[Candidate]:
        """Plays of the most promising slots, and more of those that end the round."""
        now, held = plan.now, len(plan.now.hand)
        findings = now.finder.find(now.table.board, tiles, plan.terms)
        chooser = Chooser(now.table.board, now.hand, now.finder.index, self.chance)
        orders = chooser.orders(plan.heaviness, self._habits.orders)
        ranked = sorted(
            outlines(now.table.board, findings),
            key=lambda outline: plan.promise(outline, held, plan.terms),
            reverse=True,
        )
        for outline in ranked[:slots]:
            if outline.goes_out(held, plan.terms):
                yield from chooser.every(outline)
            else:
                yield from chooser.narrowed(outline, orders)

    def _otherwise(self, plan: Plan) -> tuple[float, Exchange | Pass]:
        """What to do without laying, and what that is worth."""
        now = plan.now
        passing = plan.worth_of_exchanging(now.hand, 0)
        ends_well = now.passing_ends and plan.margin > 0
        if not now.may_exchange or ends_well:
            return passing, Pass()
        most = min(len(now.hand), now.table.reserve)
        worst = plan.lighten(now.hand, most)
        sizes = range(1, most + 1)
        worths = [plan.worth_of_exchanging(without(now.hand, worst[:n]), n) for n in sizes]
        best = max(worths)
        return best, Exchange(sorted_hand(worst[: sizes[worths.index(best)]]))


def _should_wait(plan: Plan, worth: float, idle: float) -> bool:
    """Not by a pass that would end the round."""
    return worth < idle and not plan.now.passing_ends


def _evaluated(plan: Plan, worth: float, choice: Candidate, ahead: Prospect) -> Evaluation[Move]:
    reasons = plan.reasons(choice, ahead)
    return Evaluation(Lay(choice.play), worth - _of_passing(plan), plan.unit, reasons)


def _of_passing(plan: Plan) -> float:
    return plan.worth_of_exchanging(plan.now.hand, 0)


def _passing(unit: Unit, *why: DiaminoReason) -> Evaluation[Move]:
    return Evaluation(Pass(), 0.0, unit, tuple(map(Reason, why)))


def _giving_up(tiles: str) -> Reason:
    return Reason(DiaminoReason.GIVES_UP, {"tiles": sorted_hand(tiles)})
