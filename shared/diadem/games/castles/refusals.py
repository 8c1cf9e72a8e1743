"""Why a castle move may not be made, besides what any game says."""

from diadem.refusals import RefusalCode


class CastlesCode(RefusalCode):
    ALREADY_DREW = "already_drew"
    DANGER_WAITS = "danger_waits"
    MUST_DRAW_FIRST = "must_draw_first"
    NOT_HELD = "not_held"
    NO_CASTLE = "no_castle"
    NO_DANGER = "no_danger"
    NO_SHIELD = "no_shield"
    PAY_EXACTLY = "pay_exactly"
    SELLER_HAS_NONE = "seller_has_none"
    TOO_POOR = "too_poor"
