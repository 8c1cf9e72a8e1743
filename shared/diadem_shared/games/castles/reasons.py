"""Why a castle move is made, as bots say it."""

from diadem_shared.advice import ReasonCode
from diadem_shared.refusals import INTEGER, STRING, STRINGS


class CastlesReason(ReasonCode):
    """What is about the next card counts a deck that is empty as the one that would be shuffled (K-15)."""

    COMPLETES = "completes", "The last part of the castle arrives: the round is won (K-16)."
    MISSING_AFTER = (
        "missing_after",
        "After this the own castle lacks `missing` parts.",
        {"missing": INTEGER},
    )
    NONE_IN_DECK = "none_in_deck", "No part of the own colour is in the deck."
    DANGER_AHEAD = (
        "danger_ahead",
        "The next card is a danger in `percent` of 100 cases: `dangers` of `cards`.",
        {"percent": INTEGER, "dangers": INTEGER, "cards": INTEGER},
    )
    NO_DANGER_AHEAD = "no_danger_ahead", "No danger is in the deck."
    DANGER_WOULD_COST = (
        "danger_would_cost",
        "A danger would take these cards, chosen as well as can be.",
        {"cards": STRINGS},
    )
    SHIELD_READY = "shield_ready", "A danger would only cost the shield."
    NOTHING_TO_LOSE = "nothing_to_lose", "A danger would take nothing: nothing is held."
    GOOD_CARDS = (
        "good_cards",
        "`good` of the `cards` in the deck are parts of the own colour.",
        {"good": INTEGER, "cards": INTEGER},
    )
    MAY_START = (
        "may_start",
        "`good` of the `cards` in the deck are parts with which a castle may be begun (K-4).",
        {"good": INTEGER, "cards": INTEGER},
    )
    RIVAL_NEAR = (
        "rival_near",
        "The player at `seat` lacks only `missing` parts.",
        {"seat": INTEGER, "missing": INTEGER},
    )
    KEPT_FROM = (
        "kept_from",
        "A part of this colour, which the player at `seat` builds, is out of their reach next to the deck.",
        {"seat": INTEGER, "colour": STRING},
    )
    GIVES_PARTS = (
        "gives_parts",
        "`count` parts of the own castle are given up.",
        {"count": INTEGER},
    )
    HOLDS_THEN = (
        "holds_then",
        "After this `cards` cards are held, `currency` of them currency.",
        {"cards": INTEGER, "currency": INTEGER},
    )
    SPARES_CASTLE = "spares_castle", "The own castle loses nothing."
    COSTS_NO_CARDS = "costs_no_cards", "Besides the shield nothing is given up (K-11)."
    MAY_BUY_NEXT = (
        "may_buy_next",
        "`have` of the currency are left, enough to buy a part.",
        {"have": INTEGER},
    )

    # habits of the simpler levels
    DRAWS_ONCE = "draws_once", "The bot draws one card a turn and stops, whatever came."
    DRAWS_ON = "draws_on", "The bot draws until a danger stops it."
    DRAWS_BY_LOT = (
        "draws_by_lot",
        "The bot lets chance decide after each card, and draws on in `percent` of 100 cases.",
        {"percent": INTEGER},
    )
    BUYS_AT_ONCE = "buys_at_once", "The bot buys whenever it can."
    SHIELD_AT_ONCE = "shield_at_once", "The bot uses its shield on the first danger."
    GIVES_CHEAPEST = (
        "gives_cheapest",
        "The bot gives up foreign parts first, then currency, and its castle last.",
    )
