"""Why a move in Diadingo is made, as bots say it."""

from diadem_shared.advice import ReasonCode
from diadem_shared.refusals import INTEGER, STRINGS


class DiadingoReason(ReasonCode):
    UNTRIED = (
        "untried",
        "`loose` loose diamonds lie under `spots` spots that are not known to be fixed: `percent` of 100.",
        {"loose": INTEGER, "spots": INTEGER, "percent": INTEGER},
    )
    KNOWN_FIXED = "known_fixed", "This spot was tried, and is fixed."
    AVOIDED = (
        "avoided",
        "These spots were tried, and are fixed.",
        {"spots": STRINGS},
    )
    RING_AT_STAKE = (
        "ring_at_stake",
        "A fixed diamond would cost the ring's `value` (D-10, professional).",
        {"value": INTEGER},
    )
    THEFT_BRINGS = (
        "theft_brings",
        "`gain` dollars are gained, and the player at `seat` loses as much.",
        {"gain": INTEGER, "seat": INTEGER},
    )
    ROBS_LEADER = (
        "robs_leader",
        "The player at `seat` has the most dollars of the others.",
        {"seat": INTEGER},
    )
    ROBBED_IS_NEXT = (
        "robbed_is_next",
        "The player at `seat` plays next (D-7).",
        {"seat": INTEGER},
    )
    THEFTS_TO_COME = (
        "thefts_to_come",
        "`thefts` theft cards are still in the deck, with which it may be stolen back.",
        {"thefts": INTEGER},
    )
    PLAYS_ON = "plays_on", "Who declines turns up another card at once (D-6)."

    # habits of the simpler levels
    REMEMBERS_NOTHING = "remembers_nothing", "The bot takes any spot, and remembers none."
    DEAREST_RING = "dearest_ring", "The bot steals the dearest ring there is."
    CAUGHT_ITS_EYE = (
        "caught_its_eye",
        "The bot steals the smallest of `rings` rings that it happened to look at.",
        {"rings": INTEGER},
    )
