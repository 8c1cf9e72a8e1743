"""The tiles that a player has not seen: in the reserve or in the hands of the others."""

from collections import Counter
from collections.abc import Mapping

from diadem_client.board.canvas import Canvas, Ink, Rect
from diadem_client.i18n import gettext as _
from diadem_shared.game import Viewer
from diadem_shared.games.diamino.board import EMPTY
from diadem_shared.games.diamino.table import PublicState
from diadem_shared.games.diamino.tiles import TILE_SETS, from_hand

CELL = 4


def unseen(table: PublicState, hand: str, seat: Viewer) -> Mapping[str, int]:
    """How many of each tile there still are, by what the view shows; 0 for those that are all seen."""
    tiles = TILE_SETS[table.options.language].tiles
    seen = Counter(from_hand(table.board.letters.replace(EMPTY, "")))
    seen.update("".join(table.hands) if table.hands is not None else hand)
    if table.pending is not None and table.hands is None and seat != table.turn:
        seen.update(from_hand("".join(table.pending.laid.values())))
    return {tile: max(0, count - seen[tile]) for tile, count in Counter(tiles).items()}


def draw(canvas: Canvas, left: Mapping[str, int], area: Rect) -> int:
    """The tiles and how many, a head above them; gives the first row below."""
    canvas.put(area.x, area.y, _("Unseen"), Ink.FAINT)
    canvas.right(area.x + area.width, area.y, str(sum(left.values())), Ink.STRONG)
    abreast = max(1, area.width // CELL)
    kinds = sorted(left.items(), key=lambda each: (not each[0].isalpha(), each[0]))
    for number, (tile, count) in enumerate(kinds):
        x, y = area.x + CELL * (number % abreast), area.y + 1 + number // abreast
        if y < area.y + area.height:
            x = canvas.put(x, y, tile, Ink.STRONG if count else Ink.FAINT)
            canvas.put(x, y, str(count) if count else "-", Ink.FAINT)
    return area.y + 1 + -(-len(kinds) // abreast)
