"""Why a move in Diadingo may not be made, besides what any game says."""

from diadem.refusals import RefusalCode


class DiadingoCode(RefusalCode):
    NOTHING_TO_STEAL = "nothing_to_steal"
    NO_EMPTY_RING = "no_empty_ring"
    NO_SUCH_SPOT = "no_such_spot"
    NO_SUCH_VALUE = "no_such_value"
    NO_THEFT = "no_theft"
    SPOT_EMPTY = "spot_empty"
    THEFT_WAITS = "theft_waits"
