"""Moves of Diamino as they are typed: what can be typed now, and what is meant by what was typed."""

import re

from diadem_client.i18n import gettext as _
from diadem_shared.game import View
from diadem_shared.games.diamino.table import Hand, PublicState, TurnPhase
from diadem_shared.games.diamino.tiles import JOKER
from diadem_shared.lexicon import fold_letters

LAY = re.compile(r"(lay\s+\S+\s+\S+\s+)(\S+)", re.IGNORECASE)
OTHER = re.compile(r"((?:exchange|give)\s+)(.+)", re.IGNORECASE)
MOST = 100


def forms(table: PublicState) -> str:
    """What can be typed, without what one holds: a list of plays would be a hint."""
    match table.phase:
        case TurnPhase.PLAY:
            return _(
                "You may: lay FIELD across LETTERS (or down), exchange LETTERS, pass."
                " Such as: lay C8 across EIL. A small letter among capitals is a joker."
            )
        case TurnPhase.GIVE:
            return _("You may: give LETTERS, keep. Such as: give EN.")
        case TurnPhase.JUDGE:
            return _("You may: accept, object.")
        case TurnPhase.OVER:
            return ""


def meant(view: View[PublicState, Hand], text: str) -> str:
    """The notation of a move that was typed with accents, or all in small letters: those are tiles
    where the hand has them, and jokers where it has not."""
    if len(text) > MOST:
        return text
    if match := LAY.fullmatch(text.strip()):
        letters = _folded(match[2])
        if letters.islower():
            letters = _from_hand(letters, view.private.tiles if view.private else "")
        return match[1] + letters
    if match := OTHER.fullmatch(text.strip()):
        return match[1] + _folded(match[2])
    return text


def _folded(letters: str) -> str:
    """With their case; a sharp s has only one. What is no letter stays, and is refused with the rest."""
    small = letters.islower()
    return "".join(
        tiles.lower() if letter.islower() and (small or letter != "\u00df") else tiles
        for letter in letters
        for tiles in [fold_letters(letter) or letter]
    )


def _from_hand(letters: str, hand: str) -> str:
    laid, jokers, missing = "", hand.count(JOKER), ""
    for letter in letters:
        tile = letter.upper()
        if tile in hand:
            hand = hand.replace(tile, "", 1)
            laid += tile
        else:
            missing += tile
            laid += letter
    return laid if len(missing) <= jokers else letters.upper()
