"""Moves of castles and reasons for them, in words. Each edition has its own."""

from collections.abc import Mapping, Sequence

from diadem_client.games.castles.event_text import COLOURS, Words, diamoniak, piratatak
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.wording.advice import MoveWords, Seen
from diadem_client.wording.reader import Reader
from diadem_shared.advice import Reason
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.table import Buy, Draw, Move, Pay, Shield, Stop

BOTH: Mapping[str, str] = {
    CastlesReason.MISSING_AFTER: N_("Parts missing then: {missing}."),
    CastlesReason.NONE_IN_DECK: N_("No part of this colour is left in the deck."),
    CastlesReason.NOTHING_TO_LOSE: N_("There is nothing to lose."),
    CastlesReason.GOOD_CARDS: N_("Wanted parts in the deck: {good}."),
    CastlesReason.MAY_START: N_("Parts in the deck to begin with: {good}."),
    CastlesReason.RIVAL_NEAR: N_("{seat} needs only {missing} more."),
    CastlesReason.KEPT_FROM: N_("It keeps {colour} from {seat}."),
    CastlesReason.HOLDS_THEN: N_("Cards kept: {cards}."),
    CastlesReason.COSTS_NO_CARDS: N_("Nothing else is lost."),
    CastlesReason.DRAWS_ONCE: N_("Always draws one card, and stops."),
    CastlesReason.DRAWS_BY_LOT: N_("Lets chance decide: draws on in {percent} of 100 cases."),
    CastlesReason.BUYS_AT_ONCE: N_("Buys whenever that is possible."),
    CastlesReason.GIVES_CHEAPEST: N_("Gives up what seems worth least."),
}
OF_CASTLES: Mapping[str, str] = {
    **BOTH,
    CastlesReason.COMPLETES: N_("It completes the castle."),
    CastlesReason.DANGER_AHEAD: N_("A witch is next in {percent} of 100 cases."),
    CastlesReason.NO_DANGER_AHEAD: N_("No witch is in the deck."),
    CastlesReason.DANGER_WOULD_COST: N_("She would take: {cards}."),
    CastlesReason.SHIELD_READY: N_("A fairy would save the rest."),
    CastlesReason.GIVES_PARTS: N_("Parts of the castle are lost: {count}."),
    CastlesReason.SPARES_CASTLE: N_("The castle stays as it is."),
    CastlesReason.MAY_BUY_NEXT: N_("Diamonds left to buy with: {have}."),
    CastlesReason.DRAWS_ON: N_("Draws until a witch comes."),
    CastlesReason.SHIELD_AT_ONCE: N_("Plays a fairy whenever there is one."),
}
OF_SHIPS: Mapping[str, str] = {
    **BOTH,
    CastlesReason.COMPLETES: N_("It completes the ship."),
    CastlesReason.DANGER_AHEAD: N_("A pirate is next in {percent} of 100 cases."),
    CastlesReason.NO_DANGER_AHEAD: N_("No pirate is in the deck."),
    CastlesReason.DANGER_WOULD_COST: N_("He would take: {cards}."),
    CastlesReason.SHIELD_READY: N_("A cannon would save the rest."),
    CastlesReason.GIVES_PARTS: N_("Parts of the ship are lost: {count}."),
    CastlesReason.SPARES_CASTLE: N_("The ship stays as it is."),
    CastlesReason.MAY_BUY_NEXT: N_("Gold coins left to buy with: {have}."),
    CastlesReason.DRAWS_ON: N_("Draws until a pirate comes."),
    CastlesReason.SHIELD_AT_ONCE: N_("Fires a cannon whenever there is one."),
}


class CastleWords(MoveWords):
    def __init__(self, reasons: Mapping[str, str], words: Words) -> None:
        self.reasons = reasons
        self._words = words

    def detail(self, key: str, value: object) -> str | None:
        known = key == "colour" and isinstance(value, str) and value in COLOURS
        return _(COLOURS[str(value)]) if known else None

    def named(self, seen: Seen, move: Move, why: Sequence[Reason]) -> str:
        match move:
            case Draw():
                return _("draw")
            case Stop():
                return _("stop")
            case Buy(seller):
                return _("buy from {name}").format(name=Reader(seen.names).name(seller))
            case Pay(cards):
                return _("give up {cards}").format(cards=self._words.listed(cards))
            case Shield():
                return self._words.call("shield")


CASTLE, SHIP = CastleWords(OF_CASTLES, diamoniak()), CastleWords(OF_SHIPS, piratatak())
