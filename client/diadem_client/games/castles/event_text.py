"""What happens at a table of castles, in words. Each edition has its own."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from diadem_client.i18n import N_, listed
from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from diadem_shared.games.castles.editions import CURRENCY, DANGER, SHIELD, Card, Colour, colour_of
from diadem_shared.games.castles.table import (
    Began,
    Bought,
    CastleEvent,
    Completed,
    Drew,
    Founded,
    Paid,
    Razed,
    Shielded,
    Shuffled,
    Stopped,
)

COLOURS: dict[Colour, str] = {
    "blue": N_("blue"),
    "yellow": N_("yellow"),
    "pink": N_("pink"),
    "green": N_("green"),
    "red": N_("red"),
}


Pair: TypeAlias = tuple[str, str]
"""A sentence of somebody else, and to oneself."""


class Words(Struct, frozen=True):
    """What each edition calls things, as gettext message ids."""

    cards: dict[Card, str]
    begins: Pair
    loses: Pair
    completes: Pair
    saved: Pair
    begun: str
    """The same as a part of what is told of a whole turn, which names nobody."""
    lost: str
    completed: str
    shielded: str

    def call(self, card: Card) -> str:
        if card in self.cards:
            return _(self.cards[card])
        return f"{_(COLOURS[colour_of(card) or ''])} {card[-1]}"

    def listed(self, cards: Iterable[Card]) -> str:
        """Equal ones are counted."""
        counted = Counter(map(self.call, cards)).items()
        return listed(f"{card} x{count}" if count > 1 else card for card, count in counted)


def diamoniak() -> Words:
    return Words(
        cards={CURRENCY: N_("diamond"), SHIELD: N_("fairy"), DANGER: N_("WITCH")},
        begins=(N_("{name} begins the {colour} castle."), N_("You begin the {colour} castle.")),
        loses=(
            N_("{name} has no castle any more; {colour} is free again."),
            N_("You have no castle any more; {colour} is free again."),
        ),
        completes=(
            N_("{name} completes the {colour} castle!"),
            N_("You complete the {colour} castle!"),
        ),
        saved=(N_("{name} is saved by a fairy."), N_("You are saved by a fairy.")),
        begun=N_("began the {colour} castle with {cards}"),
        lost=N_("lost the castle"),
        completed=N_("completed the {colour} castle!"),
        shielded=N_("saved by a fairy"),
    )


def piratatak() -> Words:
    return Words(
        cards={CURRENCY: N_("gold coin"), SHIELD: N_("cannon"), DANGER: N_("PIRATE")},
        begins=(N_("{name} begins the {colour} ship."), N_("You begin the {colour} ship.")),
        loses=(
            N_("{name} has no ship any more; {colour} is free again."),
            N_("You have no ship any more; {colour} is free again."),
        ),
        completes=(
            N_("{name} completes the {colour} ship!"),
            N_("You complete the {colour} ship!"),
        ),
        saved=(N_("{name} is saved by a cannon."), N_("You are saved by a cannon.")),
        begun=N_("began the {colour} ship with {cards}"),
        lost=N_("lost the ship"),
        completed=N_("completed the {colour} ship!"),
        shielded=N_("saved by a cannon"),
    )


def teller(words: Words) -> Callable[[CastleEvent, Reader], str | None]:
    def tell(event: CastleEvent, reader: Reader) -> str | None:
        match event:
            case Began():
                return None
            case Drew(seat, card):
                return reader.told(
                    seat, _("{name} draws: {card}."), _("You draw: {card}."), card=words.call(card)
                )
            case Shuffled(cards):
                return _("The {count} cards put aside make a new deck.").format(count=cards)
            case Founded(seat, colour, joined):
                begun = reader.told(seat, *map(_, words.begins), colour=_(COLOURS[colour]))
                if not joined:
                    return begun
                return (
                    begun + " " + _("From the reserve: {cards}.").format(cards=words.listed(joined))
                )
            case Stopped(seat):
                return reader.told(seat, _("{name} stops."), _("You stop."))
            case Bought():
                return _bought(event, reader, words)
            case Paid(seat, ()):
                return reader.told(
                    seat, _("{name} has nothing to give up."), _("You have nothing to give up.")
                )
            case Paid(seat, cards):
                return reader.told(
                    seat,
                    _("{name} gives up: {cards}."),
                    _("You give up: {cards}."),
                    cards=words.listed(cards),
                )
            case Shielded(seat):
                return reader.told(seat, *map(_, words.saved))
            case Razed(seat, colour):
                return reader.told(seat, *map(_, words.loses), colour=_(COLOURS[colour]))
            case Completed(seat, colour):
                return reader.told(seat, *map(_, words.completes), colour=_(COLOURS[colour]))

    return tell


def _bought(event: Bought, reader: Reader, words: Words) -> str:
    card = words.call(event.card)
    if event.seller == reader.seat:
        return _("{name} buys {card} from you.").format(name=reader.name(event.seat), card=card)
    return reader.told(
        event.seat,
        _("{name} buys {card} from {seller}."),
        _("You buy {card} from {seller}."),
        card=card,
        seller=reader.name(event.seller),
    )
