"""Why a move in Diadingo may not be made, besides what any game says."""

from diadem_shared.refusals import INTEGER, STRING, STRINGS, RefusalCode


class DiadingoCode(RefusalCode):
    NOTHING_TO_STEAL = (
        "nothing_to_steal",
        "That player has no diamond in a ring of this value (D-5).",
        {"value": INTEGER, "seat": INTEGER},
    )
    NO_EMPTY_RING = (
        "no_empty_ring",
        "The player has no empty ring of this value (D-5).",
        {"value": INTEGER},
    )
    NO_SUCH_SPOT = "no_such_spot", "The board has no such spot.", {"spot": STRING}
    NO_SUCH_VALUE = (
        "no_such_value",
        "No ring has this value; they have `values`.",
        {"value": INTEGER, "values": STRINGS},
    )
    NO_THEFT = "no_theft", "No theft was turned over: a diamond is taken now."
    SPOT_EMPTY = "spot_empty", "No diamond is left on this spot.", {"spot": STRING}
    THEFT_WAITS = "theft_waits", "A theft was turned over: steal or decline."
