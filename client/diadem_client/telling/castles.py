"""What happens at a table of castles, in words. Each edition has its own."""

from collections.abc import Callable, Iterable, Sequence
from gettext import gettext as _

from msgspec import Struct

from diadem.games.castles.editions import CURRENCY, DANGER, SHIELD, Card
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


class Words(Struct, frozen=True):
    cards: dict[Card, str]
    begins: str
    loses: str
    completes: str


def diamoniak() -> Words:
    return Words(
        cards={CURRENCY: _("diamond"), SHIELD: _("fairy"), DANGER: _("WITCH")},
        begins=_("{name} begins the {colour} castle."),
        loses=_("{name} has no castle any more; {colour} is free again."),
        completes=_("{name} completes the {colour} castle!"),
    )


def piratatak() -> Words:
    return Words(
        cards={CURRENCY: _("gold coin"), SHIELD: _("cannon"), DANGER: _("PIRATE")},
        begins=_("{name} begins the {colour} ship."),
        loses=_("{name} has no ship any more; {colour} is free again."),
        completes=_("{name} completes the {colour} ship!"),
    )


def teller(words: Words) -> Callable[[CastleEvent, Sequence[str]], str | None]:
    def call(card: Card) -> str:
        return words.cards.get(card) or f"{card[:-1]} {card[-1]}"

    def listed(cards: Iterable[Card]) -> str:
        return ", ".join(map(call, cards))

    def tell(event: CastleEvent, names: Sequence[str]) -> str | None:
        match event:
            case Began():
                return None
            case Drew(seat, card):
                return _("{name} draws: {card}.").format(name=names[seat], card=call(card))
            case Shuffled(cards):
                return _("The {count} cards put aside make a new deck.").format(count=cards)
            case Founded(seat, colour, joined):
                begun = words.begins.format(name=names[seat], colour=colour)
                if not joined:
                    return begun
                return begun + " " + _("From the reserve: {cards}.").format(cards=listed(joined))
            case Stopped(seat):
                return _("{name} stops.").format(name=names[seat])
            case Bought(seat, seller, card):
                return _("{name} buys {card} from {seller}.").format(
                    name=names[seat], card=call(card), seller=names[seller]
                )
            case Paid(seat, ()):
                return _("{name} has nothing to give up.").format(name=names[seat])
            case Paid(seat, cards):
                return _("{name} gives up: {cards}.").format(name=names[seat], cards=listed(cards))
            case Shielded(seat):
                return _("{name} is saved by a {card}.").format(name=names[seat], card=call(SHIELD))
            case Razed(seat, colour):
                return words.loses.format(name=names[seat], colour=colour)
            case Completed(seat, colour):
                return words.completes.format(name=names[seat], colour=colour)

    return tell
