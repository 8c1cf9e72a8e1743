"""A position of castles as counts of cards, for bots that search ahead.

For the chances of the game, the six parts of a colour are as good as each other: how many lie where
is all that matters. A kind of card is a small number: the colours first, then the rest.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement
from typing import TypeAlias

from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import (
    CURRENCY,
    DANGER,
    PARTS,
    PRICE,
    SHIELD,
    TOLL,
    Card,
    Edition,
    colour_of,
)
from diadem_shared.games.castles.table import Holding, PublicState

Kind: TypeAlias = int

COLOURS = 4
CURRENCIES, SHIELDS, DANGERS = range(COLOURS, COLOURS + 3)
KINDS = COLOURS + 3
CASTLE = KINDS - 1
"""The kind that stands for a part of a player's own castle, when paying. No player ever holds a danger, so its place is free."""
NONE = -1


class Kinds:
    """What an edition's cards are in numbers."""

    def __init__(self, edition: Edition) -> None:
        numbers = {CURRENCY: CURRENCIES, SHIELD: SHIELDS, DANGER: DANGERS}
        colours = {colour: number for number, colour in enumerate(edition.colours)}
        deck = edition.deck()
        self.of = {
            card: numbers[card] if (colour := colour_of(card)) is None else colours[colour]
            for card in deck
        }
        self.all = self.count(deck)

    def count(self, cards: tuple[Card, ...]) -> list[int]:
        counts = [0] * KINDS
        for card in cards:
            counts[self.of[card]] += 1
        return counts

    def position(self, table: PublicState) -> "Position":
        """Cards that do not lie open must be in the deck."""
        aside = self.count(table.aside)
        deck = [every - away for every, away in zip(self.all, aside, strict=True)]
        stocks = []
        for holding in table.holdings:
            stock = self._stock(holding)
            stocks.append(stock)
            for kind in range(DANGERS):
                deck[kind] -= stock.reserve[kind]
            if stock.castle:
                deck[stock.colour] -= stock.castle
        return Position(stocks, deck, aside)

    def cards(self, holding: Holding, payment: tuple[Kind, ...]) -> tuple[Card, ...]:
        """Cards of these kinds that they hold."""
        castle, reserve = list(holding.castle), list(holding.reserve)
        paid = []
        for kind in payment:
            pile = castle if kind == CASTLE else reserve
            card = next(card for card in pile if kind in (CASTLE, self.of[card]))
            pile.remove(card)
            paid.append(card)
        return tuple(paid)

    def payment(self, holding: Holding, cards: Iterable[Card]) -> list[Kind]:
        """The kinds of cards that they give up."""
        return sorted(CASTLE if card in holding.castle else self.of[card] for card in cards)

    def _stock(self, holding: Holding) -> "Stock":
        colour = self.of[holding.castle[0]] if holding.castle else NONE
        return Stock(colour, len(holding.castle), self.count(holding.reserve))


class Stock:
    """What one player holds."""

    __slots__ = ("castle", "colour", "reserve")

    def __init__(self, colour: Kind, castle: int, reserve: list[int]) -> None:
        self.colour = colour
        self.castle = castle
        self.reserve = reserve

    def changed(self, *taken: Kind) -> "Stock":
        """Without cards of these kinds; CASTLE is one of the own castle's parts."""
        reserve = self.reserve[:]
        castle = self.castle
        for kind in taken:
            if kind == CASTLE:
                castle -= 1
            else:
                reserve[kind] -= 1
        return Stock(self.colour if castle else NONE, castle, reserve)


class Position:
    __slots__ = ("aside", "deck", "stocks")

    def __init__(self, stocks: list[Stock], deck: list[int], aside: list[int]) -> None:
        self.stocks = stocks
        self.deck = deck
        self.aside = aside

    def refilled(self) -> "Position":
        """K-15."""
        if any(self.deck):
            return self
        return Position(self.stocks, self.aside, self.deck)

    def without_top(self, kind: Kind) -> "Position":
        deck = self.deck[:]
        deck[kind] -= 1
        return Position(self.stocks, deck, self.aside)

    def after_drawing(self, seat: Seat, kind: Kind) -> "Position":
        """K-4 to K-6, K-14: a card that is no danger finds its place."""
        after = self.without_top(kind)
        mine = self.stocks[seat]
        if kind == mine.colour:
            return after.holding(seat, Stock(kind, mine.castle + 1, mine.reserve))
        reserve = mine.reserve[:]
        reserve[kind] += 1
        stock = Stock(mine.colour, mine.castle, reserve)
        if kind < COLOURS and mine.colour == NONE and self.is_free(kind):
            stock = Stock(kind, reserve[kind], reserve)
            reserve[kind] = 0
        return after.holding(seat, stock)

    def after_danger(self) -> "Position":
        """K-9: a danger lies next to the deck, and is not settled yet."""
        after = self.without_top(DANGERS)
        after.aside = self.aside[:]
        after.aside[DANGERS] += 1
        return after

    def after_paying(self, seat: Seat, payment: tuple[Kind, ...]) -> "Position":
        """K-9 to K-11; a shield alone is a payment, too."""
        mine = self.stocks[seat]
        aside = self.aside[:]
        for kind in payment:
            aside[mine.colour if kind == CASTLE else kind] += 1
        return Position(self._with(seat, mine.changed(*payment)), self.deck, aside)

    def after_buying(self, seat: Seat, seller: Seat) -> "Position":
        """K-7, K-8."""
        mine, shop = self.stocks[seat], self.stocks[seller]
        spent = mine.reserve[:]
        spent[CURRENCIES] -= PRICE
        earned = shop.reserve[:]
        earned[mine.colour] -= 1
        earned[CURRENCIES] += PRICE
        after = self.holding(seat, Stock(mine.colour, mine.castle + 1, spent))
        return after.holding(seller, Stock(shop.colour, shop.castle, earned))

    def holding(self, seat: Seat, stock: Stock) -> "Position":
        return Position(self._with(seat, stock), self.deck, self.aside)

    def is_free(self, colour: Kind) -> bool:
        return colour not in [stock.colour for stock in self.stocks]

    def won(self, seat: Seat) -> bool:
        return self.stocks[seat].castle == PARTS

    def sellers(self, seat: Seat) -> list[Seat]:
        """The players they may buy from."""
        mine = self.stocks[seat]
        if mine.colour == NONE or mine.reserve[CURRENCIES] < PRICE:
            return []
        return [
            seller
            for seller, stock in enumerate(self.stocks)
            if seller != seat and stock.reserve[mine.colour]
        ]

    def payments(self, seat: Seat) -> Iterator[tuple[Kind, ...]]:
        """Every choice of kinds that settles a danger; the own castle comes last."""
        mine = self.stocks[seat]
        have = [*mine.reserve[:CASTLE], mine.castle]
        held = [kind for kind, count in enumerate(have) if count]
        owed = min(TOLL, sum(have))
        for payment in combinations_with_replacement(held, owed):
            if all(payment.count(kind) <= have[kind] for kind in set(payment)):
                yield payment

    def _with(self, seat: Seat, stock: Stock) -> list[Stock]:
        stocks = self.stocks[:]
        stocks[seat] = stock
        return stocks
