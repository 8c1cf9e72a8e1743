"""What Rows calls its option, its bot and its refusal."""

from diadem_client.games.client_game import Wording
from diadem_client.i18n import N_
from tests.sample_hands import RowsCode

WORDING = Wording(
    options={"deck": N_("Cards")},
    tempers={"zombie": N_("sleepy"), "careful": N_("careful")},
    habits={"zombie": N_("lays the lowest"), "careful": N_("goes on with its row")},
    refusals={RowsCode.NOT_IN_HAND: N_("You do not hold {card}. Lay a card of your hand.")},
)
