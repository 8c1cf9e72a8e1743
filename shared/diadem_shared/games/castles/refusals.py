"""Why a castle move may not be made, besides what any game says."""

from diadem_shared.refusals import INTEGER, STRING, STRINGS, RefusalCode


class CastlesCode(RefusalCode):
    ALREADY_DREW = "already_drew", "Who has drawn buys nothing any more in this turn (K-7)."
    DANGER_WAITS = "danger_waits", "A danger was drawn: pay or use the shield first (K-9)."
    MUST_DRAW_FIRST = "must_draw_first", "A turn is stopped once a card was drawn (K-3)."
    NOT_HELD = "not_held", "The player does not hold these cards.", {"cards": STRINGS}
    NO_CASTLE = "no_castle", "Who builds no castle buys no part of one (K-8)."
    NO_DANGER = "no_danger", "There is no danger to be settled."
    NO_SHIELD = "no_shield", "The player holds no shield."
    PAY_EXACTLY = (
        "pay_exactly",
        "`need` cards are paid, no more and no less (K-10).",
        {"need": INTEGER, "offered": INTEGER},
    )
    SELLER_HAS_NONE = (
        "seller_has_none",
        "That player has no part of this colour to spare (K-8).",
        {"seat": INTEGER, "colour": STRING},
    )
    TOO_POOR = (
        "too_poor",
        "A part costs `need` of the currency, and the player has `have` (K-7).",
        {"have": INTEGER, "need": INTEGER},
    )
