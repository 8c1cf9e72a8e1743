"""What stands for Diamoniak and Piratatak before one plays them."""

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.games.castles.painting import building
from diadem_client.games.castles.pictures import CARDS
from diadem_client.look import art
from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import CURRENCY, DANGER, DIAMONIAK, PARTS, PIRATATAK
from diadem_shared.games.castles.table import PublicState

EDITIONS = {each.name: each for each in (DIAMONIAK, PIRATATAK)}
SHOWN = {"diamoniak": CURRENCY, "piratatak": DANGER}


def draw_small(canvas: Canvas, game: str, x: int, y: int) -> None:
    edition, card = EDITIONS[game], SHOWN[game]
    if canvas.line_drawn:
        for offset, line in enumerate(CARDS[game][card]):
            canvas.put(x, y + 1 + offset, line.center(10), Ink.STRONG)
        return
    canvas.fill(Rect(x, y, 10, 4), "card")
    canvas.paste(x, y, art.cells(art.art(edition.words[card]), "card"))


def draw_large(canvas: Canvas, game: str, x: int, y: int) -> None:
    edition = EDITIONS[game]
    building(canvas, edition, edition.colours[0], dict.fromkeys(range(1, PARTS + 1), False), (x, y))


def draw_won(canvas: Canvas, game: str, table: PublicState, seat: Seat, x: int, y: int) -> None:
    """What the winner has built."""
    held = table.holdings[seat]
    parts = {int(card[-1]): False for card in held.castle}
    building(canvas, EDITIONS[game], held.builds, parts, (x, y))
