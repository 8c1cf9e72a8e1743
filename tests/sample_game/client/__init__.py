"""What the client knows of the sample game."""

from diadem_client.games.client_game import ClientGame
from tests.sample_game.client.event_text import tell
from tests.sample_game.client.wording import WORDING

NUMBERS = ClientGame("Numbers", __name__, tell, WORDING, pane="NumbersPane")
GAMES = {"numbers": NUMBERS}
