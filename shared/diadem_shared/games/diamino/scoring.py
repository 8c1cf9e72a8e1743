"""What a finished round is worth: M-23 and M-24 in Rummy, M-29 to M-33 in Bonus."""

from diadem_shared.game import Outcome
from diadem_shared.games.diamino.table import PublicState, TurnPhase
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.games.diamino.tiles import TILE_SETS

FINISH = 25
FINISH_ON_BLACK = 50


def outcome(table: PublicState) -> Outcome | None:
    """None while the round runs: the hands lie open only once it is over."""
    return SCORING[table.rules](table) if table.phase is TurnPhase.OVER else None


def hand_values(table: PublicState) -> tuple[int, ...]:
    tiles = TILE_SETS[table.options.language]
    return tuple(tiles.value(hand) for hand in table.hands or ())


def rummy(table: PublicState) -> Outcome:
    """Who went out takes what the others still hold, and wins alone even where that is nothing (M-23);
    in a blocked round nobody scores, and smaller hands are better (M-24)."""
    values = hand_values(table)
    scores = [0] * len(values)
    if table.out is None:
        return Outcome(tuple(scores), tiebreaks=tuple(-value for value in values))
    scores[table.out] = sum(values) * (2 if table.doubled else 1)
    tiebreaks = [0] * len(values)
    if not scores[table.out]:
        tiebreaks[table.out] = 1
    return Outcome(tuple(scores), tuple(tiebreaks))


def bonus(table: PublicState) -> Outcome:
    """Each sets the own tiles against the points; who went out has none, and takes the others'."""
    values = hand_values(table)
    scores = [points - value for points, value in zip(table.points, values, strict=True)]
    if table.out is not None:
        finish = FINISH_ON_BLACK if table.doubled else FINISH
        scores[table.out] += finish + sum(values)
    return Outcome(tuple(scores), tiebreaks=(0,) * len(values))


SCORING = {RuleSet.RUMMY: rummy, RuleSet.BONUS: bonus}
