"""The name and the mark of Diadem, and pictures of the games."""

from importlib import import_module
from typing import Any

from diadem_client.board.canvas import Canvas, Ink
from diadem_client.games import GAMES
from diadem_client.look import art

LOGO_WIDTH, LOGO_HEIGHT = 51, 5
CROWN_WIDTH, CROWN_HEIGHT = 20, 4
SMALL_WIDTH, SMALL_HEIGHT = 10, 4
LARGE_WIDTH, LARGE_HEIGHT = 24, 9

LOGO = (
    r"+----.    o                   |",
    r"|     \   .    .---.    .---. |   .---.   .-.--.",
    r"|      |  |     ___|    |     |   |___|   |  |  |",
    r"|     /   |    |   |    |     |   |       |  |  |",
    r"+----'    |    '---'-   '-----'   '---'   |  |  |",
)
CROWN = (
    r"   o     *     o    ",
    r" |\ /\  / \  /\ /|  ",
    r" | v  \/   \/  v |  ",
    r" |_o___o___o___o_|  ",
)


def draw_logo(canvas: Canvas, x: int, y: int) -> None:
    _draw(canvas, "logo", LOGO, x, y)


def draw_crown(canvas: Canvas, x: int, y: int) -> None:
    _draw(canvas, "crown", CROWN, x, y)


def _draw(canvas: Canvas, name: str, lines: tuple[str, ...], x: int, y: int) -> None:
    if not canvas.line_drawn:
        canvas.paste(x, y, art.cells(art.art(name), "bg"))
        return
    for offset, line in enumerate(lines):
        canvas.put(x, y + offset, line, Ink.KEY)


def draw_small(canvas: Canvas, game: str, x: int, y: int) -> None:
    """A picture of a game, ten cells wide and four high."""
    if module := _of(game):
        module.draw_small(canvas, game, x, y)


def draw_large(canvas: Canvas, game: str, x: int, y: int) -> None:
    """One of 24 by 9."""
    if module := _of(game):
        module.draw_large(canvas, game, x, y)


def draw_won(canvas: Canvas, game: str, table: Any, seat: int, x: int, y: int) -> bool:
    """What somebody has won with, 24 by 9 cells large; whether there is a picture of it. A server can say that it was won
    with what does not exist."""
    drawn = getattr(_of(game), "draw_won", None)
    if drawn is None:
        return False
    try:
        drawn(canvas, game, table, seat, x, y)
    except (LookupError, ValueError):
        return False
    return True


def _of(game: str) -> Any:  # a module with two functions, loaded once somebody looks
    entered = GAMES.get(game)
    if entered is None or entered.emblem is None:
        return None
    return import_module(f"{entered.package}.{entered.emblem}")
