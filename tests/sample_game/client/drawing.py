"""The sample game in characters."""

from diadem_client.board.canvas import Canvas, Ink
from diadem_client.i18n import gettext as _
from tests.sample_game import PublicState
from tests.sample_game.client.draft import Draft


def draw(canvas: Canvas, table: PublicState, draft: Draft | None = None) -> None:
    canvas.put(0, 0, _("{low} to {high}").format(low=table.low, high=table.high))
    if draft is not None:
        canvas.put(0, 2, f"> {draft.number}", Ink.CURSOR)
