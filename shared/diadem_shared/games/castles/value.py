"""The value of a position for a player: the chance to win the round, estimated by a small neural network.

The network is shown some plain figures of every player and of the deck. Each of them has its share
in what the hidden units feel, and most shares stay the same from one position to the next, so they
are remembered. The weights were fitted by play against itself; docs/bots.md tells how.
"""

from functools import lru_cache
from math import comb, exp
from operator import add, mul
from typing import NamedTuple, TypeAlias

from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import PARTS, PRICE, TOLL
from diadem_shared.games.castles.position import (
    COLOURS,
    CURRENCIES,
    DANGERS,
    NONE,
    SHIELDS,
    Position,
    Stock,
)
from diadem_shared.games.castles.weights import NETWORKS, Columns

Figures: TypeAlias = tuple[float, ...]
Share: TypeAlias = tuple[float, ...]
"""What is added to the answer itself, then what is added to each hidden unit."""

REMEMBERED = 1 << 12


class DeckSeen(NamedTuple):
    """What matters of the deck, and of the free colours, which concern all players alike."""

    my_turn: bool  # so that I may draw on
    cards: int
    dangers: int
    currencies: int
    aside: int
    dangers_aside: int
    colours_free: int
    parts_free: int  # parts of those colours in the deck


class PlayerSeen(NamedTuple):
    """What matters of one player; where the missing parts are, if they build."""

    currencies: int
    shields: int
    parts: int  # in the reserve
    castle: int = 0
    in_deck: int = 0
    aside: int = 0
    mine: int = 0  # in the reserve of the one who asks
    sellers: int = 0
    start: int = 0  # how many parts would join if they began the best free colour
    dangers: int = 0  # in the deck
    dangers_aside: int = 0


def worth(position: Position, me: Seat, *, my_turn: bool) -> float:
    """My chance to win, either while I may still draw on or when my turn has just ended."""
    deck, players = look(position, me, my_turn=my_turn)
    count = len(players)
    felt = deck_share(count, deck)
    for place, player in enumerate(players):
        felt = tuple(map(add, felt, player_share(count, place, player)))
    answer, *units = felt
    answer += sum(map(mul, NETWORKS[count].answer, [unit if unit > 0 else 0.0 for unit in units]))
    return 1 / (1 + exp(-answer))


def look(position: Position, me: Seat, *, my_turn: bool) -> tuple[DeckSeen, list[PlayerSeen]]:
    """All the network is shown: the deck, and the players round the table, from me on."""
    stocks = position.stocks
    taken = [stock.colour for stock in stocks]
    free = [colour for colour in range(COLOURS) if colour not in taken]
    players = [
        _wanderer_seen(stocks[seat], free)
        if stocks[seat].colour == NONE
        else _builder_seen(position, me, seat)
        for seat in (*range(me, len(stocks)), *range(me))
    ]
    return _deck_seen(position, free, my_turn=my_turn), players


def _deck_seen(position: Position, free: list[int], *, my_turn: bool) -> DeckSeen:
    deck, aside = position.deck, position.aside
    return DeckSeen(
        my_turn,
        sum(deck),
        deck[DANGERS],
        deck[CURRENCIES],
        sum(aside),
        aside[DANGERS],
        len(free),
        sum([deck[colour] for colour in free]),
    )


def _wanderer_seen(stock: Stock, free: list[int]) -> PlayerSeen:
    reserve = stock.reserve
    return PlayerSeen(
        reserve[CURRENCIES],
        reserve[SHIELDS],
        sum(reserve[:COLOURS]),
        start=max([reserve[colour] for colour in free], default=0),
    )


def _builder_seen(position: Position, me: Seat, seat: Seat) -> PlayerSeen:
    stocks, deck, aside = position.stocks, position.deck, position.aside
    stock = stocks[seat]
    reserve, colour = stock.reserve, stock.colour
    return PlayerSeen(
        reserve[CURRENCIES],
        reserve[SHIELDS],
        sum(reserve[:COLOURS]),
        stock.castle,
        deck[colour],
        aside[colour],
        stocks[me].reserve[colour],
        sum([other.reserve[colour] > 0 for other in stocks]),
        dangers=deck[DANGERS],
        dangers_aside=0 if deck[DANGERS] else aside[DANGERS],
    )


@lru_cache(REMEMBERED)
def deck_share(players: int, seen: DeckSeen) -> Share:
    network = NETWORKS[players]
    return tuple(map(add, network.bias, _share(deck_figures(seen), network.deck)))


@lru_cache(REMEMBERED)
def player_share(players: int, place: int, seen: PlayerSeen) -> Share:
    """`place` counts round the table from the one who asks."""
    return _share(player_figures(place, seen), NETWORKS[players].places[place])


def _share(figures: Figures, columns: Columns) -> Share:
    return tuple([sum(map(mul, figures, column)) for column in columns])


def deck_figures(seen: DeckSeen) -> Figures:
    """In the order of the weights. The divisors only bring each near to one."""
    cards, dangers = seen.cards, seen.dangers
    risk = dangers / cards if cards else seen.dangers_aside / max(1, seen.aside)
    return (
        seen.my_turn,
        cards / 54,
        risk * 4,
        dangers / 8,
        not dangers,
        seen.dangers_aside / 8,
        seen.parts_free / (seen.parts_free + dangers) if seen.parts_free else 0,
        min(2, (cards - dangers) / (dangers + 1) / 10),
        seen.currencies / 20,
        seen.colours_free / 4,
    )


def player_figures(place: int, seen: PlayerSeen) -> Figures:
    """In the order of the weights. The divisors only bring each near to one."""
    builds = seen.castle > 0
    missing = PARTS - seen.castle if builds else 0
    for_sale = missing - seen.in_deck - seen.aside
    may_buy = for_sale > 0 and seen.currencies >= PRICE
    reserve = seen.currencies + seen.shields + seen.parts
    return (
        builds,
        seen.castle / 6,
        missing == 1,
        missing == 2,
        seen.in_deck / 4,
        seen.aside / 4,
        for_sale / 4,
        seen.mine / 4 if place else 0,
        may_buy,
        may_buy and missing == 1,
        chance_of_a_run(seen) if builds and not for_sale else 0,
        0 if place else seen.sellers / 3,
        seen.start / 4,
        min(10, seen.currencies) / 6,
        seen.currencies >= PRICE,
        seen.currencies >= 2 * PRICE,
        seen.shields > 0,
        min(10, seen.parts) / 6,
        reserve >= TOLL,
        may_buy and missing == 2,
        seen.in_deck / (seen.in_deck + seen.dangers) if seen.in_deck else 0,
        reserve >= 2 * TOLL,
        missing == 1 and seen.aside > 0,
        seen.currencies == PRICE - 1,
    )


def chance_of_a_run(seen: PlayerSeen) -> float:
    """How likely all that is missing comes before the next danger, when nobody else holds any.

    Of the missing parts and the dangers in a shuffled deck, the parts must be the first; that is
    one order of so many. Without a danger in the deck the rest of it is the player's, and the next deck
    decides.
    """
    if seen.dangers:
        return 0 if seen.aside else 1 / comb(seen.in_deck + seen.dangers, seen.in_deck)
    return 1 / comb(seen.aside + seen.dangers_aside, seen.aside)
