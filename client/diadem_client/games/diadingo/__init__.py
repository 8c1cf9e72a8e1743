"""Diadingo."""

from diadem_client.games.client_game import ClientGame
from diadem_client.games.diadingo.telling import tell
from diadem_client.games.diadingo.wording import WORDING

DIADINGO = ClientGame("Diadingo", __name__, tell, WORDING, pane="DiadingoPane")
