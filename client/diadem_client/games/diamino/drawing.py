"""A table of Diamino in characters: the board, and around it players, hand and verdict."""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from diadem.game import Seat, Viewer
from diadem.games.diamino.board import Board
from diadem.games.diamino.play import Direction
from diadem.games.diamino.table import PublicState, TurnPhase
from diadem.games.diamino.terms import RuleSet
from diadem.games.diamino.tiles import TILE_SETS, from_hand
from diadem_client.board.canvas import Canvas, Ink, Rect, fitted, wrapped
from diadem_client.games.diamino import board_drawing
from diadem_client.games.diamino.board_drawing import LARGE, SMALL, TALL, WIDE, Scale
from diadem_client.games.diamino.draft import Draft, Parcel
from diadem_client.games.diamino.opinion import Opinion, Standing
from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext

SIDE = 22
"""Columns that players and news need at the least."""
GAP = 2
HAND, HAND_BESIDE = 2, 5
"""Rows of the hand, below the board or beside it."""
VERDICT_BESIDE, VERDICT_AT_LEAST = 4, 3
LEGEND = 2
NEWS_AT_LEAST = 3
NAME_AT_LEAST = 8
TILE = 3


class Sight(Struct, frozen=True):
    """Everything there is to draw."""

    table: PublicState
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
    board_drawing.draw(canvas, _board(sight), area, scale)
    side = Rect(width + GAP, 0, canvas.width - width - GAP, canvas.height - foot)
    y = _draw_players(canvas, sight, side) + 1
    if foot >= HAND:
        _draw_hand(canvas, sight, Rect(0, canvas.height - foot, canvas.width, HAND))
    else:
        y += 1 + _draw_hand(canvas, sight, Rect(side.x, y, side.width, HAND_BESIDE))
    if foot > HAND:
        _draw_verdict(canvas, sight, Rect(0, canvas.height - 1, canvas.width, 1))
    elif sight.draft is not None and sight.table.phase is not TurnPhase.OVER:
        room = side.height - y - NEWS_AT_LEAST
        height = max(VERDICT_AT_LEAST, min(VERDICT_BESIDE, room - 1))
        _draw_verdict(canvas, sight, Rect(side.x, y, side.width, height))
        y += height + (room > height)
    below = side.height
    if foot == HAND and _fits_one_row(canvas, sight):
        _draw_legend_below(canvas, canvas.height - 1)
    elif side.height - y >= LEGEND + NEWS_AT_LEAST:
        below = _draw_legend(canvas, side)
    _draw_news(canvas, sight, Rect(side.x, y, side.width, below - y))


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


def _board(sight: Sight) -> board_drawing.Sight:
    table, draft = sight.table, sight.draft
    laid = table.pending.laid if table.pending else {}
    squares = {table.board.layout.square(field): tile for field, tile in laid.items()}
    return board_drawing.Sight(
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
    table, seats = sight.table, range(len(sight.names))
    narrow = area.width - NAME_AT_LEAST - 3 < max(len(_counted(table, seat)) for seat in seats)
    two_lines = 2 * len(seats) + 2 + VERDICT_BESIDE <= area.height and (table.hands or narrow)
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
        elif two_lines:
            canvas.put(area.x + area.width - len(right), y + 1, right, ink)
            right = ""
        elif table.hands:
            right = fitted(table.hands[seat], area.width - 10)
        canvas.put(area.x + 2, y, fitted(shown, area.width - 3 - len(right)), ink)
        canvas.put(area.x + area.width - len(right), y, right, ink)
    y = area.y + len(sight.names) * lines
    canvas.put(area.x + 2, y, _("Reserve {count}").format(count=table.reserve))
    return y + 1


def _counted(table: PublicState, seat: Seat) -> str:
    """The points, where a play can bring some, and the number of tiles."""
    tiles = ngettext("{count} tile", "{count} tiles", table.sizes[seat])
    counted = tiles.format(count=table.sizes[seat])
    return f"{table.points[seat]:>4}  {counted}" if table.rules is RuleSet.BONUS else counted


def _vote(table: PublicState, seat: Seat) -> str:
    """How a player has judged the play that lies there."""
    if table.phase is not TurnPhase.JUDGE or table.votes[seat] is None:
        return ""
    return "+" if table.votes[seat] else "-"


def _draw_hand(canvas: Canvas, sight: Sight, area: Rect) -> int:
    """Every tile with its value; gives the number of rows it took."""
    if sight.draft is None:
        return 0
    values = TILE_SETS[sight.table.options.language].values
    start = canvas.put(area.x, area.y, _label(), Ink.FAINT)
    room = _in_a_row(area.width)
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


def _label() -> str:
    return _("Hand") + " "


def _in_a_row(width: int) -> int:
    """Tiles of the hand."""
    return (width - len(_label())) // TILE


def _fits_one_row(canvas: Canvas, sight: Sight) -> bool:
    """The whole hand, be some of it laid for a try or not."""
    return sight.draft is None or len(sight.draft.order) <= _in_a_row(canvas.width)


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
    for offset, line in enumerate(_cut(lines, area)):
        canvas.put(x, area.y + offset, line, ink)


def _signs() -> list[tuple[str, Ink, str]]:
    """What the fields mean."""
    return [
        ("(o)", Ink.GREEN, _("green")),
        ("<x>", Ink.RED, _("red")),
        ("###", Ink.FAINT, _("black")),
        (" + ", Ink.STRONG, _("start")),
    ]


def _draw_legend(canvas: Canvas, area: Rect) -> int:
    """In two rows; gives the first."""
    top = area.y + area.height - LEGEND
    for number, (sign, ink, word) in enumerate(_signs()):
        row, column = divmod(number, 2)
        x = canvas.put(area.x + 12 * column, top + row, sign, ink) + 1
        canvas.put(x, top + row, fitted(word, 12 - 4), Ink.FAINT)
    return top


def _draw_legend_below(canvas: Canvas, y: int) -> None:
    """In one row, at the right."""
    signs = _signs()
    x = canvas.width - sum(len(f"{sign} {word}  ") for sign, _ink, word in signs)
    for sign, ink, word in signs:
        x = canvas.put(x, y, sign, ink) + 1
        x = canvas.put(x, y, word, Ink.FAINT) + 2


def _draw_news(canvas: Canvas, sight: Sight, area: Rect) -> None:
    """The latest, told from their beginnings, as many as there is room for."""
    lines: list[str] = []
    for told in reversed(sight.news):
        more = wrapped(told, area.width)
        if lines and len(more) + len(lines) > area.height:
            break
        lines = more + lines
    for offset, line in enumerate(_cut(lines, area)):
        canvas.put(area.x, area.y + offset, line)


def _cut(lines: list[str], area: Rect) -> list[str]:
    """As many as there is room for; the last one says if there were more."""
    if len(lines) <= area.height or area.height <= 0:
        return lines[: max(0, area.height)]
    return [*lines[: area.height - 1], fitted(" ".join(lines[area.height - 1 :]), area.width)]
