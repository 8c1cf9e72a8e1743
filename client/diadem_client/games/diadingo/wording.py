"""What Diadingo calls its options, bots and refusals."""

from diadem_client.games.client_game import Wording
from diadem_client.i18n import N_
from diadem_shared.games.diadingo.refusals import DiadingoCode

WORDING = Wording(
    options={"scoring": N_("Scoring"), "play": N_("Spots that proved fixed")},
    helps={
        "scoring": N_("Professionals lose the value of each ring that stays empty."),
        "play": N_("Marked spots are easier: nobody has to remember what was fixed."),
    },
    values={
        ("scoring", "plain"): N_("plain: filled rings count"),
        ("scoring", "professional"): N_("professional: empty rings count against"),
        ("play", "memory"): N_("have to be remembered"),
        ("play", "marked"): N_("are marked"),
    },
    tempers={
        "naive": N_("trusting"),
        "forgetful": N_("forgetful"),
        "human": N_("attentive"),
        "perfect": N_("forgets nothing"),
    },
    habits={
        "zombie": N_("remembers nothing"),
        "naive": N_("remembers nothing, steals little"),
        "forgetful": N_("soon forgets what was tried, steals any ring"),
        "human": N_("forgets some of what was tried"),
        "perfect": N_("remembers whatever was tried"),
    },
    highlights={
        "round": (N_("most dollars in a round"), "{value}"),
        "run": (N_("most diamonds in a row"), "{value}"),
        "theft": (N_("dearest theft"), "{value}"),
    },
    refusals={
        DiadingoCode.NO_EMPTY_RING: N_(
            "You have no empty ring of {value} dollars. Choose another value."
        ),
        DiadingoCode.NO_SUCH_SPOT: N_("The board has no spot {spot}. Choose one from A1 to G4."),
        DiadingoCode.NO_SUCH_VALUE: N_(
            "There are no rings of {value} dollars. Choose one of: {values}."
        ),
        DiadingoCode.NO_THEFT: N_("There is no theft to use now. Take a diamond from the board."),
        DiadingoCode.NOTHING_TO_STEAL: N_(
            "{seat} has no filled ring of {value} dollars. Choose another player or value."
        ),
        DiadingoCode.SPOT_EMPTY: N_("{spot} is empty already. Choose a spot where a diamond lies."),
        DiadingoCode.THEFT_WAITS: N_(
            "First use the theft that lies open: choose a ring to rob, or decline."
        ),
    },
)
