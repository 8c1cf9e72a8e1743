"""Playing a round on in thought: the unseen tiles lie somehow, and all play quickly from there."""

from collections import Counter
from math import exp

from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.diamino.bots.bot_context import Situation
from diadem_shared.games.diamino.bots.going_out import can_go_out
from diadem_shared.games.diamino.bots.hand_weight import burden
from diadem_shared.games.diamino.bots.rollout_policy import Quick
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.games.diamino.table import Move, State, TurnPhase
from diadem_shared.games.diamino.terms import BONUS_HAND, RuleSet
from diadem_shared.games.diamino.tiles import sorted_hand

EVEN_ODDS = {RuleSet.RUMMY: 4.0, RuleSet.BONUS: 25.0}
"""The lead in tiles or points at which the odds are e to one."""
FEW_TO_KEEP = 9
"""Rummy: whoever holds no more has mostly kept what they can lay at once."""
TRIES = 3
"""Hands that are dealt to them at the most, until one is such."""
HELD = 0.5
HELD_LATE = 2.0
"""Bonus: points that a unit of burden costs while there is a reserve to draw from, and late."""


def imagined(now: Situation, chance: Chance) -> State:
    """The state of the table, with the tiles that are not seen dealt somehow.

    Rummy: whoever holds few has kept what can be laid at once, if they could.
    """
    table, left = now.table, Counter(now.unseen)
    hands = [""] * len(table.sizes)
    if table.hands is not None:
        hands = [*table.hands]
        for seat in now.others:
            left -= Counter(hands[seat])
    mixed = "".join(chance.shuffled(sorted_hand("".join(left.elements()))))
    hands[now.seat] = now.hand
    for seat, hand in enumerate(hands):
        if not hand:
            size = table.sizes[seat]
            if table.rules is RuleSet.RUMMY and size <= FEW_TO_KEEP:
                mixed = _kept(now, mixed, size, chance)
            hands[seat], mixed = sorted_hand(mixed[:size]), mixed[size:]
    return State(
        options=replace(table.options, judging="dictionary"),
        board=table.board,
        hands=tuple(hands),
        reserve=sorted_hand(mixed[: table.reserve]),
        turn=table.turn,
        points=table.points,
        phase=table.phase,
        idle=table.idle,
        passes=table.passes,
        refused=table.refused,
        owed=table.owed,
        witnessed=("",) * (len(hands) + 1),
    )


def _kept(now: Situation, mixed: str, size: int, chance: Chance) -> str:
    for _ in range(TRIES):
        if can_go_out(now.table.board, mixed[:size], now.table.terms, now.finder):
            break
        mixed = "".join(chance.shuffled(mixed))
    return mixed


class Simulation:
    """Rounds that are played on in thought, for one seat."""

    def __init__(self, rules: RuleSet, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat
        self._game = Diamino(rules)
        self.moves = 0
        """How many were made so far, which is what it all costs."""

    def after(self, state: State, move: Move, chance: Chance) -> State:
        self.moves += 1
        return self._game.carry_out(state, state.turn, move, chance)[0]

    def played_on(self, state: State, chance: Chance, turns: int) -> State:
        """What becomes of it, within so many turns of all players together."""
        player, mover = Quick(self.rules, chance), state.turn
        while state.phase is not TurnPhase.OVER:
            if state.turn != mover:
                turns, mover = turns - 1, state.turn
                if turns < 0:
                    break
            state = self.after(state, player.move(state), chance)
        return state

    def worth(self, state: State) -> float:
        """About the chance to win, from 0 to 1: where a round is over, half for that and half for by how much."""
        outcome = self._game.outcome(self._game.public(state))
        if outcome and self.rules is RuleSet.BONUS:
            standings: list[float] = [*outcome.scores]
        else:
            standings = self._standings(state)
        mine = standings.pop(self.seat)
        odds = 1 / (1 + exp((max(standings) - mine) / EVEN_ODDS[self.rules]))
        if outcome is None:
            return odds
        return (odds + (self.seat in outcome.winners) / len(outcome.winners)) / 2

    def _standings(self, state: State) -> list[float]:
        weights = [burden(hand, state.options.language) for hand in state.hands]
        if self.rules is RuleSet.RUMMY:
            return [-weight for weight in weights]
        held = HELD_LATE if len(state.reserve) <= BONUS_HAND else HELD
        return [
            points - held * weight for points, weight in zip(state.points, weights, strict=True)
        ]
