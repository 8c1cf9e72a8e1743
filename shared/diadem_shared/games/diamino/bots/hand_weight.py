"""How heavy a hand is: what it will take to lay all of it."""

from collections.abc import Callable
from functools import cache

from diadem_shared.games.diamino.tiles import JOKER, TILE_SETS

VOWELS = frozenset("AEIOU")
VOWELS_WANTED = 0.42
UNBALANCED = 0.35
REPEATED = 0.2
JOKER_BURDEN = 0.2


@cache
def weights(language: str) -> dict[str, float]:
    """By tile: about the turns' work it makes; rare letters are dear because they are hard to lay."""
    values = TILE_SETS[language].values
    return {JOKER: JOKER_BURDEN} | {tile: 0.85 + 0.11 * value for tile, value in values.items()}


def burden(hand: str, language: str) -> float:
    if not hand:
        return 0
    weight, natural = weights(language), TILE_SETS[language].tiles
    heavy = 0.0
    vowels = 0
    for tile in set(hand):
        count = hand.count(tile)
        heavy += count * weight[tile]
        if tile in VOWELS:
            vowels += count
        if count > 2:
            # More of a letter than a hand of this size has on average.
            usual = natural.count(tile) * len(hand) / len(natural)
            heavy += REPEATED * max(0, count - max(2, 1.5 * usual))
    letters = len(hand) - hand.count(JOKER)
    return heavy + UNBALANCED * max(0, abs(vowels - VOWELS_WANTED * letters) - 1)


def lighten(hand: str, count: int, heaviness: Callable[[str], float]) -> str:
    """So many tiles whose going makes a hand lightest, the worst first."""
    gone = ""
    for _ in range(min(count, len(hand))):
        kinds = sorted(set(hand))
        worst = min(kinds, key=lambda tile: heaviness(hand.replace(tile, "", 1)))
        hand = hand.replace(worst, "", 1)
        gone += worst
    return gone


def burden_in(language: str) -> Callable[[str], float]:
    return lambda hand: burden(hand, language)


def size_in(language: str) -> Callable[[str], float]:
    """What a hand is to somebody who only counts: its tiles, and a little what they are worth."""
    tiles = TILE_SETS[language]
    return lambda hand: len(hand) + 0.02 * tiles.value(hand) - 0.3 * hand.count(JOKER)
