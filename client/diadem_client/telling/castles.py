"""What happens at a table of castles, in words. Each edition has its own."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from diadem.games.castles.editions import CURRENCY, DANGER, SHIELD, Card, Colour, colour_of
from diadem.games.castles.table import (
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
from diadem_client.text import N_, listed
from diadem_client.text import gettext as _

COLOURS: dict[Colour, str] = {
    "blue": N_("blue"),
    "yellow": N_("yellow"),
    "pink": N_("pink"),
    "green": N_("green"),
    "red": N_("red"),
}


class Words(Struct, frozen=True):
    """What each edition calls things, as gettext message ids."""

    cards: dict[Card, str]
    begins: str
    loses: str
    completes: str
    saved: str

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
        begins=N_("{name} begins the {colour} castle."),
        loses=N_("{name} has no castle any more; {colour} is free again."),
        completes=N_("{name} completes the {colour} castle!"),
        saved=N_("{name} is saved by a fairy."),
    )


def piratatak() -> Words:
    return Words(
        cards={CURRENCY: N_("gold coin"), SHIELD: N_("cannon"), DANGER: N_("PIRATE")},
        begins=N_("{name} begins the {colour} ship."),
        loses=N_("{name} has no ship any more; {colour} is free again."),
        completes=N_("{name} completes the {colour} ship!"),
        saved=N_("{name} is saved by a cannon."),
    )


def teller(words: Words) -> Callable[[CastleEvent, Sequence[str]], str | None]:
    def tell(event: CastleEvent, names: Sequence[str]) -> str | None:
        match event:
            case Began():
                return None
            case Drew(seat, card):
                return _("{name} draws: {card}.").format(name=names[seat], card=words.call(card))
            case Shuffled(cards):
                return _("The {count} cards put aside make a new deck.").format(count=cards)
            case Founded(seat, colour, joined):
                begun = _(words.begins).format(name=names[seat], colour=_(COLOURS[colour]))
                if not joined:
                    return begun
                return (
                    begun + " " + _("From the reserve: {cards}.").format(cards=words.listed(joined))
                )
            case Stopped(seat):
                return _("{name} stops.").format(name=names[seat])
            case Bought(seat, seller, card):
                return _("{name} buys {card} from {seller}.").format(
                    name=names[seat], card=words.call(card), seller=names[seller]
                )
            case Paid(seat, ()):
                return _("{name} has nothing to give up.").format(name=names[seat])
            case Paid(seat, cards):
                return _("{name} gives up: {cards}.").format(
                    name=names[seat], cards=words.listed(cards)
                )
            case Shielded(seat):
                return _(words.saved).format(name=names[seat])
            case Razed(seat, colour):
                return _(words.loses).format(name=names[seat], colour=_(COLOURS[colour]))
            case Completed(seat, colour):
                return _(words.completes).format(name=names[seat], colour=_(COLOURS[colour]))

    return tell
