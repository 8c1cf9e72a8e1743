"""python -m tools.fitting.castles PLAYERS GAMES: fit the weights of the castles network anew.

It plays against itself and prints the text that weights.py holds. A position's worth is drawn toward
what the next decision found by looking one card ahead, mixed with how the game ended; docs/bots.md
has the story. Slow, as it is plain Python: some 20 games a second.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from math import exp, log, sqrt
from operator import mul
from typing import TypeAlias

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.castles import DIAMONIAK, PIRATATAK, Castles
from diadem_shared.games.castles.position import Kinds, Position
from diadem_shared.games.castles.strong import Strong
from diadem_shared.games.castles.table import Move, Options, TurnPhase
from diadem_shared.games.castles.value import (
    Figures,
    deck_figures,
    deck_share,
    look,
    player_figures,
    player_share,
)
from diadem_shared.games.castles.weights import (
    DECK_FIGURES,
    NETWORKS,
    PLAYER_FIGURES,
    assembled,
)

HIDDEN = 24
TRACE = 0.7
"""How much the end of the game counts against what the next decision found."""
RATE = 0.003
STEADY = 0.4
"""After this share of the games the rate falls, to a fiftieth at the end."""
STRAYING = 0.05
MIXED = 0.4
"""In how many games some seats are played by plain bots, which strong must beat as well."""
BATCH = 4
GAMES = (Castles(DIAMONIAK), Castles(PIRATATAK))


class Learner:
    """The network in the making: the answer's weights, then the bias and a row for each figure."""

    def __init__(self, players: int) -> None:
        self.players = players
        dice = random.Random(players)
        self.answer = [dice.uniform(-0.1, 0.1) for _ in range(HIDDEN)]
        self.rows = [[-log(players - 1), *(dice.uniform(0, 0.1) for _ in range(HIDDEN))]]
        self.rows += [
            [0.0, *(dice.uniform(-0.2, 0.2) for _ in range(HIDDEN))]
            for _ in range(DECK_FIGURES + players * PLAYER_FIGURES)
        ]
        self.momenta = [[(0.0, 0.0)] * len(row) for row in (self.answer, *self.rows)]
        self.updates = 0
        self.forget()

    def forget(self) -> None:
        self.gradients = [[0.0] * len(row) for row in (self.answer, *self.rows)]
        self.samples = 0

    def deploy(self) -> None:
        """Let Strong play by these weights."""
        bias, *rows = map(tuple, self.rows)
        NETWORKS[self.players] = assembled(tuple(self.answer), bias, rows)
        deck_share.cache_clear()
        player_share.cache_clear()

    def learn(self, figures: Figures, target: float) -> None:
        """One step down the cross entropy between the guess and the target."""
        shown = [(0, 1.0), *((at, figure) for at, figure in enumerate(figures, 1) if figure)]
        felt = [0.0] * (HIDDEN + 1)
        for at, figure in shown:
            felt = [so_far + figure * w for so_far, w in zip(felt, self.rows[at], strict=True)]
        units = [max(0.0, unit) for unit in felt[1:]]
        guess = felt[0] + sum(map(mul, self.answer, units))
        error = 1 / (1 + exp(-guess)) - target
        blame = [error * a if unit else 0.0 for a, unit in zip(self.answer, units, strict=True)]
        of_answer, *of_rows = self.gradients
        of_answer[:] = [g + error * unit for g, unit in zip(of_answer, units, strict=True)]
        for at, figure in shown:
            row = of_rows[at]
            row[:] = [g + figure * b for g, b in zip(row, [error, *blame], strict=True)]
        self.samples += 1

    def update(self, rate: float) -> None:
        """Adam."""
        self.updates += 1
        first, second = 1 - 0.9**self.updates, 1 - 0.999**self.updates
        table = zip((self.answer, *self.rows), self.gradients, self.momenta, strict=True)
        for row, gradients, momenta in table:
            for at, total in enumerate(gradients):
                gradient = total / self.samples
                m = 0.9 * momenta[at][0] + 0.1 * gradient
                v = 0.999 * momenta[at][1] + 0.001 * gradient * gradient
                momenta[at] = m, v
                row[at] -= rate * (m / first) / (sqrt(v / second) + 1e-8)
        self.forget()

    def text(self) -> str:
        return "\n".join(
            " ".join(str(round(weight * 1000)) for weight in row)
            for row in (self.answer, *self.rows)
        )


Lesson: TypeAlias = tuple[Figures, float]
"""A position as the network sees it, and what it should have been thought worth."""


class Step:
    """A position some player left behind, and what they hoped for when they had to decide again."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.hope = 0.0
        self.strayed = False


def play(game: Castles, levels: Sequence[str], dice: random.Random) -> list[Lesson]:
    """What a game teaches its strong players."""
    kinds = Kinds(game.edition)
    chance = Chance(dice.randbytes(16))
    minds = [game.bots[level](chance) for level in levels]
    steps: list[list[Step]] = [[] for _ in levels]
    state, _ = game.start(Options(), len(levels), None, chance)
    while state.phase is not TurnPhase.OVER:
        seat, mind = state.turn, minds[state.turn]
        view = game.view(state, seat)
        if isinstance(mind, Strong):
            before = (
                steps[seat][-1] if steps[seat] and state.phase is not TurnPhase.DANGER else None
            )
            move = decide(list(mind.weigh(view)), before, dice)
        else:
            move = mind.choose(view)
        state, _ = game.carry_out(state, seat, move, chance)
        if isinstance(mind, Strong) and state.phase not in {TurnPhase.DANGER, TurnPhase.OVER}:
            position = kinds.position(game.public(state))
            steps[seat].append(Step(figures(position, seat, my_turn=state.turn == seat)))
    winner = state.turn
    return [
        lesson for seat, taken in enumerate(steps) for lesson in lessons(taken, won=seat == winner)
    ]


def decide(offers: list[tuple[float, Move]], before: Step | None, dice: random.Random) -> Move:
    """The best move, or now and then another, to learn what that leads to."""
    hope, move = max(offers, key=lambda offer: offer[0])
    if before:
        before.hope = hope
        if dice.random() < STRAYING:
            _, other = dice.choice(offers)
            before.strayed = other != move
            return other
    return move


def figures(position: Position, seat: Seat, *, my_turn: bool) -> Figures:
    deck, players = look(position, seat, my_turn=my_turn)
    shown = [player_figures(place, player) for place, player in enumerate(players)]
    return sum(shown, deck_figures(deck))


def lessons(steps: list[Step], *, won: bool) -> Iterator[Lesson]:
    """From the end on, as the end counts less the longer ago a position was."""
    target = float(won)
    for step in reversed(steps):
        if step.strayed:
            target = step.hope
        elif step is not steps[-1]:
            target = (1 - TRACE) * step.hope + TRACE * target
        yield step.figures, target


def fit(players: int, games: int) -> Learner:
    learner = Learner(players)
    dice = random.Random(games)
    for number in range(games):
        if number % BATCH == 0:
            if learner.samples:
                late = max(0.0, (number / games - STEADY) / (1 - STEADY))
                learner.update(RATE * exp(-4 * late))
            learner.deploy()
        levels = ["strong"] * players
        if dice.random() < MIXED:
            levels[1:] = [dice.choice(("zombie", "easy", "strong")) for _ in levels[1:]]
        for shown, target in play(GAMES[number % len(GAMES)], levels, dice):
            learner.learn(shown, target)
    return learner


if __name__ == "__main__":
    sys.stdout.write(f"{fit(int(sys.argv[1]), int(sys.argv[2])).text()}\n")
