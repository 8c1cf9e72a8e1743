"""A table of Diamino in characters: the board, and around it players, hand and verdict."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem.games.diamino.board import Board
from diadem.games.diamino.play import Direction
from diadem.games.diamino.table import Phase, Table
from diadem.games.diamino.terms import RuleSet
from diadem.games.diamino.tiles import TILE_SETS, from_hand
from diadem_client.drafts.diamino import Draft, Parcel
from diadem_client.drafts.opinion import Opinion, Standing
from diadem_client.drawing import diamino_board
from diadem_client.drawing.canvas import Canvas, Ink, Rect, fitted, wrapped
from diadem_client.drawing.diamino_board import LARGE, SMALL, TALL, WIDE, Scale
from diadem_client.text import gettext as _
from diadem_client.text import ngettext

SIDE = 22
"""Columns that players and news need at the least."""
GAP = 2
HAND, HAND_BESIDE = 2, 5
"""Rows of the hand, below the board or beside it."""
VERDICT_BESIDE = 4
LEGEND = 2
TILE = 3


class Sight(Struct, frozen=True):
    """Everything there is to draw."""

    table: Table
    seat: Viewer
    names: tuple[str, ...]
    actors: tuple[int, ...]
    draft: Draft | None
    opinion: Opinion = Opinion()
    verdict: str = ""
    """The opinion in words."""
    parcel: Parcel | None = None
    fresh: frozenset[int] = frozenset()
    news: Sequence[str] = ()
    """What happened, the newest last."""


def draw(canvas: Canvas, sight: Sight) -> None:
    board = sight.table.board
    scale, foot = _scaled(canvas, board)
    width = min(scale.board_width(board), canvas.width - GAP - SIDE)
    area = Rect(0, 0, width, min(scale.board_height(board), canvas.height - foot))
    diamino_board.draw(canvas, _board(sight), area, scale)
    side = Rect(width + GAP, 0, canvas.width - width - GAP, canvas.height - foot)
    y = _draw_players(canvas, sight, side) + 1
    if foot >= HAND:
        _draw_hand(canvas, sight, Rect(0, canvas.height - foot, canvas.width, HAND))
    else:
        y += 1 + _draw_hand(canvas, sight, Rect(side.x, y, side.width, HAND_BESIDE))
    if foot > HAND:
        _draw_verdict(canvas, sight, Rect(0, canvas.height - 1, canvas.width, 1))
    else:
        _draw_verdict(canvas, sight, Rect(side.x, y, side.width, VERDICT_BESIDE))
        y += VERDICT_BESIDE + 1
    legend = _draw_legend(canvas, side) if side.height - y >= LEGEND + 2 else side.height
    _draw_news(canvas, sight, Rect(side.x, y, side.width, legend - y))


def _scaled(canvas: Canvas, board: Board) -> tuple[Scale, int]:
    """The largest fields that fit, and how many rows are kept below the board."""
    for scale in (LARGE, TALL, WIDE, SMALL):
        if canvas.width >= scale.board_width(board) + GAP + SIDE:
            rest = canvas.height - scale.board_height(board)
            if rest >= HAND:
                return scale, min(rest, HAND + 1)
            if scale is LARGE and rest >= 0:
                return scale, 0
    return SMALL, HAND


def _board(sight: Sight) -> diamino_board.Sight:
    table, draft = sight.table, sight.draft
    laid = table.pending.laid if table.pending else {}
    squares = {table.board.layout.square(field): tile for field, tile in laid.items()}
    return diamino_board.Sight(
        board=table.board,
        values=TILE_SETS[table.options.language].values,
        tried=draft.tiles if draft else {},
        pending={square: tile for square, tile in squares.items() if square is not None},
        fresh=sight.fresh,
        cursor=draft.cursor if draft else None,
        direction=draft.direction if draft else Direction.ACROSS,
    )


def _draw_players(canvas: Canvas, sight: Sight, area: Rect) -> int:
    """Who has what; gives the first row below."""
    table = sight.table
    two_lines = table.hands and 2 * len(sight.names) + 2 + VERDICT_BESIDE <= area.height
    lines = 2 if two_lines else 1
    for seat, name in enumerate(sight.names):
        y = area.y + seat * lines
        now = seat in sight.actors
        ink = Ink.STRONG if now or seat == sight.seat else Ink.PLAIN
        canvas.put(area.x, y, ">" if now else _vote(table, seat), Ink.STRONG)
        shown = _("You") if seat == sight.seat else name
        right = _counted(table, seat)
        if table.hands and two_lines:
            canvas.put(area.x + 2, y + 1, fitted(table.hands[seat], area.width - 2), Ink.FAINT)
        elif table.hands:
            right = fitted(table.hands[seat], area.width - 10)
        canvas.put(area.x + 2, y, fitted(shown, area.width - 3 - len(right)), ink)
        canvas.put(area.x + area.width - len(right), y, right, ink)
    y = area.y + len(sight.names) * lines
    canvas.put(area.x + 2, y, _("Reserve {count}").format(count=table.reserve))
    return y + 1


def _counted(table: Table, seat: Seat) -> str:
    """The points, where a play can bring some, and the number of tiles."""
    tiles = ngettext("{count} tile", "{count} tiles", table.sizes[seat])
    counted = tiles.format(count=table.sizes[seat])
    return f"{table.points[seat]:>4}  {counted}" if table.rules is RuleSet.BONUS else counted


def _vote(table: Table, seat: Seat) -> str:
    """How a player has judged the play that lies there."""
    if table.phase is not Phase.JUDGE or table.votes[seat] is None:
        return ""
    return "+" if table.votes[seat] else "-"


def _draw_hand(canvas: Canvas, sight: Sight, area: Rect) -> int:
    """Every tile with its value; gives the number of rows it took."""
    if sight.draft is None:
        return 0
    values = TILE_SETS[sight.table.options.language].values
    label = _("Hand") + " "
    canvas.put(area.x, area.y, label, Ink.FAINT)
    start = area.x + len(label)
    room = (area.x + area.width - start) // TILE
    marked = Counter(sight.parcel.marked if sight.parcel else "")
    hand = sight.draft.order if sight.parcel else sight.draft.remaining
    for number, tile in enumerate(hand):
        row, column = divmod(number, room)
        text, ink = f"{tile}{values.get(tile, ' ')} ", Ink.STRONG
        if marked[tile]:
            marked[tile] -= 1
            text, ink = f"[{tile}]", Ink.CURSOR
        if row < area.height:
            canvas.put(start + column * TILE, area.y + row, text, ink)
    if sight.draft.joker:
        canvas.put(area.x, area.y + 1, "* =", Ink.CURSOR)
    return (len(hand) - 1) // room + 1


def _draw_verdict(canvas: Canvas, sight: Sight, area: Rect) -> None:
    draft = sight.draft
    if draft is None:
        return
    x = area.x
    if draft.placed and area.height == 1:
        tiles = from_hand("".join(tile for _at, tile in sorted(draft.tiles.items())))
        tried = _("Draft {tiles}").format(tiles=tiles)
        x = canvas.put(x, area.y, f"{tried}   ", Ink.DRAFT)
    ink = {Standing.OK: Ink.GOOD, Standing.NO: Ink.BAD}.get(sight.opinion.standing, Ink.PLAIN)
    lines = wrapped(sight.verdict, area.x + area.width - x)
    if len(lines) > area.height:
        lines = [*lines[: area.height - 1], fitted(" ".join(lines[area.height - 1 :]), area.width)]
    for offset, line in enumerate(lines):
        canvas.put(x, area.y + offset, line, ink)


def _draw_legend(canvas: Canvas, area: Rect) -> int:
    """What the fields mean; gives the row where it begins."""
    top = area.y + area.height - LEGEND
    signs = [("(o)", Ink.GREEN, _("green")), ("<x>", Ink.RED, _("red"))]
    signs += [("###", Ink.FAINT, _("black")), (" + ", Ink.STRONG, _("start"))]
    for number, (sign, ink, word) in enumerate(signs):
        row, column = divmod(number, 2)
        x = canvas.put(area.x + 12 * column, top + row, sign, ink) + 1
        canvas.put(x, top + row, fitted(word, 12 - 4), Ink.FAINT)
    return top


def _draw_news(canvas: Canvas, sight: Sight, area: Rect) -> None:
    lines = [line for sentence in sight.news for line in wrapped(sentence, area.width)]
    for offset, line in enumerate(lines[-area.height :] if area.height > 0 else []):
        canvas.put(area.x, area.y + offset, line)
