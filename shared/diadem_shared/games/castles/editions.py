"""The two editions as data, and the cards both are played with.

A card is a short text: "currency", "shield", "danger", or a part such as "blue3". Those words are
the same in both editions; what an edition calls them shows in typed moves and in the client.
"""

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct

Card: TypeAlias = str
Colour: TypeAlias = str

CURRENCY = "currency"
SHIELD = "shield"
DANGER = "danger"

PARTS = 6
PRICE = 3
TOLL = 3
"""How many cards a danger takes (K-9)."""


class Edition(Struct, frozen=True):
    name: str
    colours: tuple[Colour, ...]
    dangers: int
    ages: tuple[int, int]
    built: str
    words: dict[Card, str]
    """What this edition calls currency, shield and danger."""
    currencies: int = 20
    shields: int = 3

    def deck(self) -> tuple[Card, ...]:
        return (
            *(part(colour, number) for colour in self.colours for number in range(1, PARTS + 1)),
            *([CURRENCY] * self.currencies),
            *([SHIELD] * self.shields),
            *([DANGER] * self.dangers),
        )


DIAMONIAK = Edition(
    name="diamoniak",
    colours=("blue", "yellow", "pink", "green"),
    dangers=7,
    ages=(5, 9),
    built="castle",
    words={CURRENCY: "diamond", SHIELD: "fairy", DANGER: "witch"},
)
PIRATATAK = Edition(
    name="piratatak",
    colours=("blue", "yellow", "red", "green"),
    dangers=8,
    ages=(5, 99),
    built="ship",
    words={CURRENCY: "coin", SHIELD: "cannon", DANGER: "pirate"},
)


def part(colour: Colour, number: int) -> Card:
    return f"{colour}{number}"


def colour_of(card: Card) -> Colour | None:
    """The colour of a part; None for any other card."""
    return card[:-1] if card[-1].isdigit() else None


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Parts by colour and number, then currency, then shields: the order of every hand."""
    return tuple(sorted(cards, key=lambda card: (_ORDER.get(card, 0), card)))


_ORDER = {CURRENCY: 1, SHIELD: 2, DANGER: 3}
