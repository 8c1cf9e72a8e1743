"""How players are called beside a board."""

from diadem_client.board.canvas import Canvas, cells_of, fitted
from diadem_client.look import signs


def label(canvas: Canvas, name: str, room: int, *, is_bot: bool) -> str:
    """A name in so many cells, and behind that of a bot a sign."""
    sign = f" {canvas.sign(signs.BOT)}" if is_bot else ""
    return fitted(name, room - cells_of(sign)) + sign
