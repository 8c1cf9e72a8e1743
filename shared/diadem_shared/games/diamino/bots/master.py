"""The strongest bot of Diamino: it plays the best moves of the strong one on in thought, and endings out."""

from collections.abc import Iterator, Sequence
from math import fsum

from msgspec import Struct

from diadem_shared.advice import Decision, Evaluation, Reason
from diadem_shared.chance import SEED_BYTES, Chance
from diadem_shared.game import ReasonedBot
from diadem_shared.games.diamino.bots.blocking import hindering
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.choices import Candidate
from diadem_shared.games.diamino.bots.ending import Ending
from diadem_shared.games.diamino.bots.give_back import Gifts
from diadem_shared.games.diamino.bots.going_out import MOST_CHOICES, finishing, worth_of
from diadem_shared.games.diamino.bots.player import STRONG, WIDE, DiaminoBot
from diadem_shared.games.diamino.bots.race_player import Racer
from diadem_shared.games.diamino.bots.simulation import FEW_TO_KEEP, Simulation, imagined
from diadem_shared.games.diamino.reasons import DiaminoReason
from diadem_shared.games.diamino.table import (
    DiaminoEvent,
    Hand,
    Lay,
    Move,
    PublicState,
    TableView,
    TurnPhase,
)
from diadem_shared.games.diamino.terms import RuleSet

SURE = 500.0
"""What the strong bot gives for a move that wins, and for no other."""
MOST_BEHIND = 20.0
"""By more tiles or points the strong bot's word counts no further against a move."""


class Patience(Struct, frozen=True):
    """How far moves are played on, by rule set."""

    considered: int
    """Of how many moves."""
    deals: int
    """The most deals of the unseen tiles, the same for each move."""
    a_cut: int
    """After so many, and again and again, the worse half of the moves is given up, as long as there are more than two."""
    moves: int
    """The most moves made in thought for a decision, each about a millisecond; nothing else bounds the time that it takes."""
    turns: int
    """Turns of each player after which a round that goes on is judged as it stands."""
    trust: float
    """The chance to win that the strong bot's word for a tile or a point counts for, beside what came of playing on."""


PATIENCE = {
    RuleSet.RUMMY: Patience(9, deals=60, a_cut=6, moves=330, turns=3, trust=0.06),
    RuleSet.BONUS: Patience(8, deals=40, a_cut=4, moves=500, turns=2, trust=0.005),
}
CONSIDERED_IN_ENDINGS = 16
"""Of how many moves, where all hands are known."""
FEW_TILES = 16
"""Rummy: once somebody holds no more, rounds are played on to their end."""
SMALL_RESERVE = 20
"""Bonus: the same, once the reserve holds no more."""
TO_THE_END = 1000
FINISHING, HINDERING = 5, 7
"""Rummy: of how many such plays, besides those of the strong bot, once somebody else holds few tiles."""
HINDERED_HANDS = 12


class Master(ReasonedBot[Move, DiaminoEvent, PublicState, Hand]):
    heavy = True
    slow = True

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self._strong = DiaminoBot(chance, STRONG)
        self._wide = DiaminoBot(chance, WIDE)

    def see(self, event: DiaminoEvent) -> None:
        self._strong.see(event)
        self._wide.see(event)

    def decide(self, view: TableView) -> Decision[Move]:
        now = Situation(view)
        if now.table.phase is TurnPhase.GIVE:
            return self._giving(view, now)
        if now.table.phase is not TurnPhase.PLAY:
            return self._strong.decide(view)
        ending, patience = now.knows_all, PATIENCE[now.table.rules]
        if not ending and _is_race(now) and (decision := self._racing(view)):
            return decision
        considered = CONSIDERED_IN_ENDINGS if ending else patience.considered
        advice = [*self._strong.evaluate(view, considered)]
        if now.table.rules is RuleSet.BONUS and _is_late(now):
            known = [each.move for each in advice]
            advice += (each for each in self._strong.idle_moves(view) if each.move not in known)
        if advice[0].value > SURE or len(advice) == 1:
            return Decision(advice[0].move, advice[0].reasons)
        seed, simulation = self._seed(), Simulation(now.table.rules, now.seat)
        if ending:
            return _played_out(now, advice, simulation, seed)
        if now.table.rules is RuleSet.RUMMY and isinstance(advice[0].move, Lay):
            if now.table.board.is_empty:
                return Decision(advice[0].move, advice[0].reasons)
            known = [each.move for each in advice]
            plays = {Lay(each.play): each for each in self._late_plays(view, now, seed)}
            advice += (
                self._strong.looked_at(view, choice)
                for move, choice in plays.items()
                if move not in known
            )
        return _played_on(now, advice, simulation, seed)

    def _seed(self) -> bytes:
        return bytes(self.chance.below(256) for _ in range(SEED_BYTES))

    def _racing(self, view: TableView) -> Decision[Move] | None:
        """None where it is better to lay nothing."""
        choices = self._wide.choices(view, MOST_CHOICES)
        if not choices:
            return None
        worth, best = choices[0]
        if self._wide.should_wait(view, worth):
            return None
        if worth <= SURE:
            return Racer(view, self._strong, choices).decide(self._seed())
        told = self._strong.looked_at(view, best)
        return Decision(told.move, told.reasons)

    def _giving(self, view: TableView, now: Situation) -> Decision[Move]:
        table = now.table
        best = Gifts(now).best(table.board, now.hand, table.owed, table.reserve)
        if best is None:
            return self._strong.decide(view)
        told = next(each for each in self._strong.evaluate(view, 1, best) if each.move == best)
        return Decision(best, told.reasons)

    def _late_plays(self, view: TableView, now: Situation, seed: bytes) -> Iterator[Candidate]:
        """Rummy: plays after which the next may be the last, and plays where others could go out."""
        table, finder = now.table, now.finder
        choices = self._wide.choices(view, MOST_CHOICES)
        index = finder.index
        found = finishing(table.board, now.hand, table.terms, index, choices)
        for finish in sorted(found, key=worth_of, reverse=True)[:FINISHING]:
            yield finish.choice
        nearest = min(now.others, key=table.sizes.__getitem__)
        deals = (imagined(now, Chance(seed, f"hand {nth}")) for nth in range(HINDERED_HANDS))
        hands = [state.hands[nearest] for state in deals]
        for _, _, choice in hindering(table.board, hands, table.terms, finder, choices)[:HINDERING]:
            yield choice


def _played_out(
    now: Situation, advice: Sequence[Evaluation[Move]], simulation: Simulation, seed: bytes
) -> Decision[Move]:
    moves = [each.move for each in advice]
    state = imagined(now, Chance(seed))
    worths = Ending(simulation, PATIENCE[now.table.rules].moves).worths(state, moves, seed)
    best = advice[worths.index(max(worths))]
    return Decision(best.move, (*best.reasons, Reason(DiaminoReason.PLAYED_OUT)))


def _played_on(
    now: Situation, advice: Sequence[Evaluation[Move]], simulation: Simulation, seed: bytes
) -> Decision[Move]:
    """The same deals for each move, so that what is luck is luck for all of them."""
    patience = PATIENCE[now.table.rules]
    turns = TO_THE_END if _is_late(now) else patience.turns * len(now.table.sizes)
    found: list[list[float]] = [[] for _ in advice]

    def worth(nth: int) -> float:
        behind = min(MOST_BEHIND, advice[0].value - advice[nth].value)
        return fsum(found[nth]) / len(found[nth]) - patience.trust * behind

    left, gifts = [*range(len(advice))], Gifts(now)
    for deal in range(patience.deals):
        state = imagined(now, Chance(seed, f"deal {deal}"))
        for nth in left:
            chance = Chance(seed, f"play {deal}")
            after = simulation.after(state, advice[nth].move, chance)
            after = gifts.after(simulation, after, chance)
            found[nth].append(simulation.worth(simulation.played_on(after, chance, turns)))
        left.sort(key=worth, reverse=True)
        if simulation.moves >= patience.moves:
            break
        if (deal + 1) % patience.a_cut == 0:
            left = left[: max(2, (len(left) + 1) // 2)]
    best = advice[left[0]]
    chance_to_win = round(100 * fsum(found[left[0]]) / len(found[left[0]]))
    reason = Reason(DiaminoReason.PLAYED_ON, {"percent": chance_to_win})
    return Decision(best.move, (*best.reasons, reason))


def _is_race(now: Situation) -> bool:
    """Rummy: whether nobody else is near the end yet. How to begin, the strong bot knows."""
    table = now.table
    if table.rules is not RuleSet.RUMMY or table.board.is_empty:
        return False
    return min(table.sizes[seat] for seat in now.others) > FEW_TO_KEEP


def _is_late(now: Situation) -> bool:
    """Whether the round will soon be over, so that it can be played on to its end."""
    if now.table.rules is RuleSet.RUMMY:
        return min(now.table.sizes) <= FEW_TILES
    return now.table.reserve <= SMALL_RESERVE
