"""What the sample game calls its option, its bot and its refusal."""

from diadem_client.games.client_game import Wording
from diadem_client.i18n import N_
from tests.sample_game import NumbersCode

WORDING = Wording(
    options={"highest": N_("Highest number")},
    tempers={"zombie": N_("sleepy"), "halver": N_("thorough")},
    habits={"zombie": N_("says the lowest"), "halver": N_("halves what is left")},
    refusals={
        NumbersCode.OUT_OF_RANGE: N_("The number is from {low} to {high}. Say one of these.")
    },
)
