"""Estimates how likely a seat is to win, to decide about thefts. docs/games/diadingo.md explains it.

Every seat's final worth is taken to be spread around what it has and what its tries should bring.
Only what lies open goes in, and how many diamonds the thief remembers to be fixed.
"""

from math import fsum, log, sqrt, tanh

from diadem_shared.game import Seat
from diadem_shared.games.diadingo.board import RINGS_OF_A_VALUE, VALUES
from diadem_shared.games.diadingo.table import Hand, PublicState

SPREAD = 3.0
"""Measured: a seat's worth varies by thrice what its own tries account for, as thefts do the rest."""
SMALLEST_SPREAD = 1.0
"""In dollars: less than the least that can part two players, and never zero."""
LOGISTIC = 0.55
"""The scale of a logistic curve, as a share of the deviation it stands for."""
QUANTILES = tuple(log(share / (1 - share)) for share in (n / 10 for n in range(1, 10)))


class Outlook:
    """What is to come, as one player reckons it while no ring lies open."""

    def __init__(self, table: PublicState, remembered: int) -> None:
        held = [value for hand in table.hands for value in (*hand.filled, *hand.empty)]
        to_come = [value for value in VALUES for _ in range(RINGS_OF_A_VALUE - held.count(value))]
        candidates = len(table.board) - remembered
        catch = table.loose / candidates
        mean = fsum(to_come) / max(1, len(to_come))
        square = fsum(value * value for value in to_come) / max(1, len(to_come))
        professional = table.options.scoring == "professional"
        self.options = table.options
        self.thefts = table.thefts_to_come
        self.tries = min(len(to_come), table.loose * (candidates + 1) / (table.loose + 1))
        """Until the cards end or, if nobody tries a spot twice, the diamonds."""
        self.gain = mean * (2 * catch - 1 if professional else catch)
        self.variance = square * (1 if professional else catch) - self.gain**2

    def of_winning(self, seat: Seat, hands: tuple[Hand, ...], following: Seat) -> float:
        """The chance that this seat ends first, if these are the hands and that seat plays next."""
        seats = len(hands)
        worth, scale = [], []
        for each, hand in enumerate(hands):
            tries = self._tries((each - following) % seats, seats)
            ties_broken = hand.score(self.options) + len(hand.filled)
            worth.append(ties_broken + tries * self.gain)
            scale.append(LOGISTIC * sqrt(SPREAD * tries * self.variance + SMALLEST_SPREAD))
        others = [(worth[each], scale[each]) for each in range(seats) if each != seat]
        chance = 0.0
        for quantile in QUANTILES:
            mine = worth[seat] + scale[seat] * quantile
            best = 1.0
            for theirs, spread in others:
                best *= (1 + tanh((mine - theirs) / spread / 2)) / 2
            chance += best
        return chance / len(QUANTILES)

    def _tries(self, wait: int, seats: int) -> float:
        """How many tries a seat that is `wait` turns away still has. With thefts to come nobody can
        count turns: then a turn's head start is worth a share of a try."""
        if self.thefts:
            return max(0.0, (self.tries - wait) / seats + (seats - 1) / seats / 2)
        return max(0.0, (self.tries - wait + seats - 1) // seats)
