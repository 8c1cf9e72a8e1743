"""Diamoniak and Piratatak: one set of rules, two editions."""

from diadem_client.games.castles.ending import CASTLE, SHIP
from diadem_client.games.castles.event_text import diamoniak, piratatak, teller
from diadem_client.games.castles.turns import turns
from diadem_client.games.castles.wording import of_diamoniak, of_piratatak
from diadem_client.games.client_game import ClientGame
from diadem_client.i18n import N_

DIAMONIAK = ClientGame(
    "Diamoniak",
    __name__,
    teller(diamoniak()),
    of_diamoniak(),
    turns(diamoniak()),
    ending=CASTLE,
    goal=N_("Be the first with all six parts of one castle, and beware of the witch."),
    emblem="emblem",
    lesson="lesson",
    moves="CASTLE",
    pane="CastlesPane",
)
PIRATATAK = ClientGame(
    "Piratatak",
    __name__,
    teller(piratatak()),
    of_piratatak(),
    turns(piratatak()),
    ending=SHIP,
    goal=N_("Be the first with all six parts of one ship, and beware of the pirate."),
    emblem="emblem",
    lesson="lesson",
    moves="SHIP",
    pane="ShipsPane",
)
GAMES = {"diamoniak": DIAMONIAK, "piratatak": PIRATATAK}
