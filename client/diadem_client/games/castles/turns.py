"""A whole turn of castles in one line: what was built, drawn, bought and given up in it."""

from collections.abc import Iterable, Sequence

from diadem_client.games.castles.event_text import COLOURS, Words
from diadem_client.i18n import gettext as _
from diadem_client.wording.reader import Reader
from diadem_client.wording.turns import Turns
from diadem_shared.game import Event, Seat, Viewer
from diadem_shared.games.castles.editions import CURRENCY, Card, Colour, colour_of
from diadem_shared.games.castles.table import (
    Bought,
    CastleEvent,
    Completed,
    Drew,
    Founded,
    Paid,
    Razed,
    Shielded,
    Stopped,
)


def turns(words: Words) -> Turns:
    def tell(events: Sequence[CastleEvent], before: Sequence[CastleEvent], reader: Reader) -> str:
        deeds = _Deeds(words, reader, builds_after(before, _mover(events)))
        for event in events:
            deeds.add(event)
        return deeds.told

    return Turns(whose, tell)


def whose(event: CastleEvent) -> Viewer:
    """Whose turn begins is told with what is done in it, and a deck is shuffled by nobody."""
    match event:
        case Drew(seat) | Founded(seat) | Stopped(seat) | Bought(seat) | Paid(seat):
            return seat
        case Shielded(seat) | Razed(seat) | Completed(seat):
            return seat
        case _:
            return None


def builds_after(before: Iterable[CastleEvent], seat: Viewer) -> Colour | None:
    """What a player builds after these events of a round; None also where its first events are not known."""
    colour: Colour | None = None
    for event in before:
        match event:
            case Founded(by, begun) if by == seat:
                colour = begun
            case Razed(by) if by == seat:
                colour = None
            case _:
                pass
    return colour


def gained(events: Iterable[Event]) -> frozenset[tuple[Seat, Card]]:
    """The cards that came to somebody in these events, or into a castle."""
    found: set[tuple[Seat, Card]] = set()
    for event in events:
        match event:
            case Drew(seat, card):
                found.add((seat, card))
            case Founded(seat, _colour, joined):
                found.update((seat, card) for card in joined)
            case Bought(seat, seller, card):
                found |= {(seat, card), (seller, CURRENCY)}
            case _:
                pass
    return frozenset(found)


def _mover(events: Sequence[CastleEvent]) -> Viewer:
    return next(filter(lambda seat: seat is not None, map(whose, events)), None)


class _Deeds:
    """What was done, one thing after the other; cards that were drawn in a row are told together."""

    def __init__(self, words: Words, reader: Reader, builds: Colour | None) -> None:
        self._words = words
        self._reader = reader
        self._builds = builds
        self._drawn: list[Card] = []
        self._built: list[Card] = []
        self._said: list[str] = []

    @property
    def told(self) -> str:
        self._say_cards()
        first, *others = self._said or [""]
        for deed in others:
            first = _("{deeds}; {deed}").format(deeds=first, deed=deed)
        return first

    def add(self, event: CastleEvent) -> None:
        words = self._words
        match event:
            case Drew(_seat, card):
                own = self._builds is not None and colour_of(card) == self._builds
                (self._built if own else self._drawn).append(card)
            case Founded(_seat, colour, joined):
                founding = self._drawn[-1:]
                del self._drawn[-1:]
                self._builds = colour
                cards = words.listed((*founding, *joined))
                self._say(_(words.begun).format(colour=_(COLOURS[colour]), cards=cards))
            case Bought():
                self._say(self._sale(event))
            case Paid(_seat, ()):
                self._say(_("had nothing to give up"))
            case Paid(_seat, cards):
                self._say(_("gave up {cards}").format(cards=words.listed(cards)))
            case Shielded():
                self._say(_(words.shielded))
            case Razed():
                self._builds = None
                self._say(_(words.lost))
            case Completed(_seat, colour):
                self._say(_(words.completed).format(colour=_(COLOURS[colour])))
            case Stopped():
                self._say(_("stopped"))
            case _:
                pass

    def _sale(self, event: Bought) -> str:
        card = self._words.call(event.card)
        if event.seller == self._reader.seat:
            return _("bought {card} from you").format(card=card)
        seller = self._reader.name(event.seller)
        return _("bought {card} from {seller}").format(card=card, seller=seller)

    def _say(self, deed: str) -> None:
        self._say_cards()
        self._said.append(deed)

    def _say_cards(self) -> None:
        for cards, sentence in (
            (self._built, _("built {cards}")),
            (self._drawn, _("drew {cards}")),
        ):
            if cards:
                self._said.append(sentence.format(cards=self._words.listed(cards)))
                cards.clear()
