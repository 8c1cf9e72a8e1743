"""Diamino, under both of its rule sets."""

from diadem_client.games.client_game import ClientGame
from diadem_client.games.diamino.telling import tell
from diadem_client.games.diamino.wording import WORDING

DIAMINO_RUMMY = ClientGame("Diamino Rummy", __name__, tell, WORDING, pane="DiaminoPane")
DIAMINO_BONUS = ClientGame("Diamino Bonus", __name__, tell, WORDING, pane="DiaminoPane")
