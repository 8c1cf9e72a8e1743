"""Diamino, under both of its rule sets."""

from diadem_client.games.client_game import ClientGame
from diadem_client.games.diamino.ending import ENDING
from diadem_client.games.diamino.event_text import tell, whose
from diadem_client.games.diamino.typed_moves import forms, meant
from diadem_client.games.diamino.wording import WORDING
from diadem_client.i18n import N_
from diadem_client.wording.turns import Turns

DIAMINO_RUMMY = ClientGame(
    "Diamino Rummy",
    __name__,
    tell,
    WORDING,
    Turns(whose),
    ending=ENDING,
    goal=N_("Lay words across each other, and be the first without tiles."),
    emblem="emblem",
    lesson="lesson",
    forms=forms,
    meant=meant,
    moves="WORDS",
    pane="DiaminoPane",
)
DIAMINO_BONUS = ClientGame(
    "Diamino Bonus",
    __name__,
    tell,
    WORDING,
    Turns(whose),
    ending=ENDING,
    goal=N_("Lay words across each other: the devils under them bring the points."),
    emblem="emblem",
    lesson="lesson",
    forms=forms,
    meant=meant,
    moves="WORDS",
    pane="DiaminoPane",
)
GAMES = {"diamino-rummy": DIAMINO_RUMMY, "diamino-bonus": DIAMINO_BONUS}
