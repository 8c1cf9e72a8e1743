"""Playing an ending out: where every hand is known, moves and the answers to them are searched through."""

from collections.abc import Sequence

from diadem_shared.chance import Chance
from diadem_shared.games.diamino.bots.rollout_policy import Quick
from diadem_shared.games.diamino.bots.simulation import Simulation
from diadem_shared.games.diamino.table import Lay, Move, Pass, State, TurnPhase

ANSWERS = 4
"""How many places are looked at in each position, besides those of the first move."""
DEEPEST = 8
TO_THE_END = 1000
HARDLY = 1e-9
"""By so much a move is worse than the best if all that is known of it is that it is no better."""


class Ending:
    """Everything lies open, so that nothing in it is left to chance but an order of equals."""

    def __init__(self, simulation: Simulation, most_moves: int) -> None:
        self._simulation = simulation
        self._most_moves = most_moves

    def worths(self, state: State, moves: Sequence[Move], seed: bytes) -> list[float]:
        """What each of these moves is worth, looking one turn deeper again and again while there is time."""
        afters = [self._simulation.after(state, move, Chance(seed)) for move in moves]
        worths = [0.0] * len(moves)
        for depth in range(DEEPEST):
            chance, best, deeper = Chance(seed, f"{depth}"), 0.0, list(worths)
            for nth in sorted(range(len(moves)), key=worths.__getitem__, reverse=True):
                deeper[nth] = self._searched(afters[nth], depth, best - HARDLY, 1.0, chance)
                best = max(best, deeper[nth])
                if depth and self._is_over:
                    # What was looked at deeper compares with nothing that was not.
                    return worths
            worths = deeper
        return worths

    @property
    def _is_over(self) -> bool:
        return self._simulation.moves >= self._most_moves

    def _searched(self, state: State, depth: int, low: float, high: float, chance: Chance) -> float:
        """Alpha-beta: whoever is not this seat is taken to play against it."""
        simulation = self._simulation
        if state.phase is TurnPhase.OVER:
            return simulation.worth(state)
        if not depth:
            return simulation.worth(simulation.played_on(state, chance, TO_THE_END))
        if self._is_over:
            return low
        mine = state.turn == simulation.seat
        worths = []
        for move in self._moves(state, chance):
            worth = self._searched(
                simulation.after(state, move, chance), depth - 1, low, high, chance
            )
            worths.append(worth)
            if mine:
                low = max(low, worth)
            else:
                high = min(high, worth)
            if low >= high:
                break
        return max(worths) if mine else min(worths)

    def _moves(self, state: State, chance: Chance) -> list[Move]:
        player = Quick(self._simulation.rules, chance)
        if state.phase is TurnPhase.GIVE:
            return [player.move(state)]
        plays: list[Move] = [Lay(each.play) for _, each in player.plays(state, ANSWERS)]
        if not plays or state.idle:
            plays.append(Pass())
        return plays
