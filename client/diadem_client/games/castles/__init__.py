"""Diamoniak and Piratatak: one set of rules, two editions."""

from diadem_client.games.castles.telling import diamoniak, piratatak, teller
from diadem_client.games.castles.wording import of_diamoniak, of_piratatak
from diadem_client.games.client_game import ClientGame

DIAMONIAK = ClientGame(
    "Diamoniak", __name__, teller(diamoniak()), of_diamoniak(), pane="CastlesPane"
)
PIRATATAK = ClientGame("Piratatak", __name__, teller(piratatak()), of_piratatak(), pane="ShipsPane")
