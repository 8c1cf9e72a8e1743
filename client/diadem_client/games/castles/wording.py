"""What the castles games call their options and refusals; each edition has words of its own."""

from diadem_client.games.castles.event_text import diamoniak, piratatak
from diadem_client.games.client_game import Wording
from diadem_client.i18n import N_
from diadem_shared.games.castles.refusals import CastlesCode

OPTIONS = {"youngest": N_("The youngest begins: seat")}
VALUES = {("youngest", None): N_("by chance")}
HELPS = {"youngest": N_("By the rules the youngest begins; say who that is, or draw lots.")}
REFUSALS: dict[str, str] = {
    CastlesCode.ALREADY_DREW: N_("Buying has to come before any drawing. Draw on, or stop."),
    CastlesCode.MUST_DRAW_FIRST: N_("You cannot stop yet: draw a card first."),
    CastlesCode.NOT_HELD: N_("You do not hold {cards}. Choose from what lies before you."),
    CastlesCode.PAY_EXACTLY: N_("Give up exactly {need}. You chose {offered}."),
    CastlesCode.SELLER_HAS_NONE: N_(
        "{seat} has no part of yours in reserve. Buy from somebody who has one, or draw."
    ),
}
"""What both editions say alike."""
TEMPERS = {
    "easy": N_("cautious"),
    "brisk": N_("curious"),
    "lively": N_("lively"),
    "keen": N_("enterprising"),
    "daring": N_("daring"),
    "bold": N_("bold"),
    "strong": N_("shrewd"),
}
HABITS = {
    "zombie": N_("draws one card, never buys"),
    "easy": N_("draws one card, buys when it can"),
    "brisk": N_("draws a second card now and then"),
    "lively": N_("mostly draws a second card"),
    "keen": N_("draws three or four cards"),
    "daring": N_("seldom stops by itself"),
    "bold": N_("draws until it is stopped, buys when it can"),
    "strong": N_("counts cards, weighs every move"),
}


CASTLE, SHIP = N_("fewest turns to a castle"), N_("fewest turns to a ship")
DRAWN = (N_("most cards in a turn"), "{value}")


def of_diamoniak() -> Wording:
    return Wording(
        OPTIONS,
        HELPS,
        VALUES,
        refusals=REFUSALS
        | {
            CastlesCode.DANGER_WAITS: N_(
                "The witch waits: give up cards, or play a fairy if you have one."
            ),
            CastlesCode.NO_SHIELD: N_("You have no fairy. Give up cards instead."),
            CastlesCode.NO_DANGER: N_("There is no witch now. Draw, or stop."),
            CastlesCode.TOO_POOR: N_(
                "A part costs {need} diamonds, and you have {have}. Draw instead."
            ),
            CastlesCode.NO_CASTLE: N_("You build no castle yet. Draw until you begin one."),
        },
        tempers=TEMPERS,
        habits=HABITS,
        highlights={"castle": (CASTLE, "{value}"), "drawn": DRAWN},
        listings={"cards": diamoniak().listed},
    )


def of_piratatak() -> Wording:
    return Wording(
        OPTIONS,
        HELPS,
        VALUES,
        refusals=REFUSALS
        | {
            CastlesCode.DANGER_WAITS: N_(
                "The pirate waits: give up cards, or fire a cannon if you have one."
            ),
            CastlesCode.NO_SHIELD: N_("You have no cannon. Give up cards instead."),
            CastlesCode.NO_DANGER: N_("There is no pirate now. Draw, or stop."),
            CastlesCode.TOO_POOR: N_(
                "A part costs {need} gold coins, and you have {have}. Draw instead."
            ),
            CastlesCode.NO_CASTLE: N_("You build no ship yet. Draw until you begin one."),
        },
        tempers=TEMPERS,
        habits=HABITS,
        highlights={"castle": (SHIP, "{value}"), "drawn": DRAWN},
        listings={"cards": piratatak().listed},
    )
