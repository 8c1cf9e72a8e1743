"""Ratings by Glicko-2, after Mark Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf)."""

from collections.abc import Callable, Sequence
from math import exp, log, pi, sqrt

from msgspec import Struct

MIDDLE = 1500.0
"""The mark of whoever is new."""
UNKNOWN = 350.0
"""The deviation of whoever is new; none is larger."""
SCALE = 173.7178
"""Points for one unit of Glicko-2."""
TAU = 0.5
"""How fast volatilities change; Glickman advises 0.3 to 1.2."""
PRECISION = 1e-6


class Rating(Struct, frozen=True):
    mark: float = MIDDLE
    deviation: float = UNKNOWN
    """The true strength is within two of these of the mark, in 19 of 20 cases."""
    volatility: float = 0.06


class Game(Struct, frozen=True):
    opponent: Rating
    score: float
    """1 for a win, 0 for a loss, 0.5 for a tie."""
    weight: float = 1.0
    """How many games this one counts for; Glickman knows none but whole ones."""


def rated(rating: Rating, games: Sequence[Game]) -> Rating:
    """The rating after a period with at least one game. Opponents count as they were before it."""
    mu, phi = (rating.mark - MIDDLE) / SCALE, rating.deviation / SCALE
    certainty = surprise = 0.0
    for game in games:
        weakened = _weakened(game.opponent.deviation / SCALE)
        expected = 1 / (1 + exp(weakened * ((game.opponent.mark - MIDDLE) / SCALE - mu)))
        certainty += game.weight * weakened**2 * expected * (1 - expected)
        surprise += game.weight * weakened * (game.score - expected)
    variance = 1 / certainty
    volatility = _volatility(rating.volatility, phi, variance, variance * surprise)
    phi = 1 / sqrt(1 / (phi**2 + volatility**2) + certainty)
    mark = MIDDLE + SCALE * (mu + phi**2 * surprise)
    return Rating(mark, min(UNKNOWN, SCALE * phi), volatility)


def rested(rating: Rating, periods: int) -> Rating:
    """The rating after periods without a game: the longer ago, the less it says."""
    phi = sqrt((rating.deviation / SCALE) ** 2 + periods * rating.volatility**2)
    return Rating(rating.mark, min(UNKNOWN, SCALE * phi), rating.volatility)


def _weakened(phi: float) -> float:
    """How much a result says about one against an opponent who is known no better than that."""
    return 1 / sqrt(1 + 3 * (phi / pi) ** 2)


def _volatility(before: float, phi: float, variance: float, delta: float) -> float:
    """Step 5 of the paper, with its letters."""
    a = log(before**2)

    def f(x: float) -> float:
        spread = phi**2 + variance + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    b = log(delta**2 - phi**2 - variance) if delta**2 > phi**2 + variance else _below(f, a)
    return exp(_zero(f, a, b) / 2)


def _below(f: Callable[[float], float], a: float) -> float:
    k = 1
    while f(a - k * TAU) < 0:
        k += 1
    return a - k * TAU


def _zero(f: Callable[[float], float], a: float, b: float) -> float:
    """Where `f` is 0 between two places of opposite signs, by the Illinois algorithm."""
    f_a, f_b = f(a), f(b)
    while abs(b - a) > PRECISION:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return a
