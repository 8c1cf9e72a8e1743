"""What the client knows of Rows. It has no pane: moves are typed."""

from diadem_client.games.client_game import ClientGame
from tests.sample_hands.client.event_text import tell
from tests.sample_hands.client.wording import WORDING

ROWS = ClientGame("Rows", __name__, tell, WORDING)
GAMES = {"rows": ROWS}
