"""Diadingo."""

from diadem_client.games.client_game import ClientGame
from diadem_client.games.diadingo.ending import ENDING
from diadem_client.games.diadingo.event_text import tell
from diadem_client.games.diadingo.turns import TURNS
from diadem_client.games.diadingo.wording import WORDING
from diadem_client.i18n import N_

DIADINGO = ClientGame(
    "Diadingo",
    __name__,
    tell,
    WORDING,
    TURNS,
    ending=ENDING,
    goal=N_("Find the loose diamonds for your rings: most dollars win."),
    emblem="emblem",
    lesson="lesson",
    moves="WORDS",
    pane="DiadingoPane",
)
GAMES = {"diadingo": DIADINGO}
