"""A table of Diamino: the board, beside it players, reserve and verdict, below it the rack."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.board.canvas import Canvas, Ink, Rect, fitted, wrapped
from diadem_client.board.names import label
from diadem_client.games.diamino import board_drawing, history_drawing, rack_drawing, unseen
from diadem_client.games.diamino.board_drawing import LARGE, SMALL, Scale, ground_of
from diadem_client.games.diamino.draft import Draft, Parcel
from diadem_client.games.diamino.history import Item
from diadem_client.games.diamino.opinion import Opinion, Standing
from diadem_client.games.diamino.rack_drawing import Rack
from diadem_client.games.diamino.sheet import totals
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_shared.game import Seat, Viewer
from diadem_shared.games.diamino.board import FieldKind
from diadem_shared.games.diamino.play import Direction
from diadem_shared.games.diamino.table import PublicState, TurnPhase
from diadem_shared.games.diamino.terms import RuleSet
from diadem_shared.games.diamino.tiles import TILE_SETS

SIDE, WIDEST_SIDE = 28, 44
GAP = 3
RACK, LOWEST_RACK = 5, 2
"""Rows of the rack with what parts it from its neighbours, and those it can do with."""
LEAST = 16
"""Rows that players and verdict need, however small a board is."""
COLUMN = 8
LEGEND = 2
NEWS_AT_LEAST = 3
GAUGE = 15
CROWDED = 5
"""Rows beside the board for draft and history, below which neither gets a row of air."""
KEPT = 2
"""Of them that are kept for the last play."""


class Line(Struct, frozen=True):
    """A row of the verdict: a word, what it is worth, or a sentence."""

    text: str
    value: str = ""
    standing: Standing = Standing.NONE
    is_upward: bool = False
    """Whether a word is read from below, which is not seen where it lies."""


class RenderModel(Struct, frozen=True):
    """Everything there is to draw."""

    table: PublicState
    seat: Viewer
    names: tuple[str, ...]
    actors: tuple[int, ...]
    draft: Draft | None
    notes: tuple[str, ...] = ()
    bots: Collection[Seat] = ()
    scores: tuple[int, ...] = ()
    opinion: Opinion = Opinion()
    total: str = ""
    """What the draft comes to, in a word."""
    verdict: Sequence[Line] = ()
    parcel: Parcel | None = None
    fresh: frozenset[int] = frozenset()
    glowing: frozenset[int] = frozenset()
    glow: str = "fresh"
    history: Sequence[Item] = ()
    """What happened, the newest last."""
    unseen: Mapping[str, int] | None = None
    """How many there are left of each tile, where that is wanted."""


def draw(canvas: Canvas, model: RenderModel) -> None:
    if canvas.compact:
        _draw_compact(canvas, model)
        return
    board = model.table.board
    scale = LARGE if _fits(canvas, model, LARGE) else SMALL
    side = min(WIDEST_SIDE, canvas.width - 1 - GAP - scale.board_width(board))
    side = max(SIDE, side)
    width = min(scale.board_width(board), canvas.width - 1 - GAP - side)
    racked = LOWEST_RACK if model.draft is not None else 0
    height = min(scale.board_height(board), canvas.height - racked)
    foot = min(RACK, canvas.height - height)
    block = max(height, min(LEAST, canvas.height - foot))
    left = (canvas.width - 1 - width - GAP - side) // 2
    top = (canvas.height - block - foot) // 2
    board_drawing.draw(canvas, _board(model), Rect(left, top, width, height), scale)
    free = 1 if foot >= RACK - 1 else 0
    talks = canvas.roomy
    if model.draft is not None:
        rack = _rack(model, model.draft)
        x, across = (0, canvas.width) if left < GAP else (left, width + GAP + side)
        if talks and rack_drawing.rows_needed(rack, width) <= foot - free:
            x, across = left, width
        elif talks:
            talks = False  # down there, so that no tile is hidden
        rows = Rect(x, top + block + free, across, foot - free)
        canvas.keep("rack", rack, rows, lambda: rack_drawing.draw(canvas, rack, rows))
    beside = Rect(left + width + GAP, top, side, block + (foot if talks else 0))
    _keep_side(canvas, model, beside, block)


def _draw_compact(canvas: Canvas, model: RenderModel) -> None:
    """All of the rack, as much of the board as there is room for then, and beside or below it the rest."""
    board = model.table.board
    rack = _rack(model, model.draft) if model.draft is not None else None
    foot = rack_drawing.rows_needed(rack, canvas.width) if rack else 0
    width = min(SMALL.board_width(board), canvas.width)
    height = min(SMALL.board_height(board), canvas.height - foot)
    low = canvas.height - height - foot
    beside = canvas.width - width - 1
    below = low >= LEAST and beside < SIDE
    side = 0 if below else min(WIDEST_SIDE, beside)
    left = (canvas.width - width - side - (side > 0)) // 2
    top = 0 if below else low // 2
    board_drawing.draw(canvas, _board(model), Rect(left, top, width, height), SMALL)
    if rack is not None:
        rack_drawing.draw(canvas, rack, Rect(0, top + height, canvas.width, foot))
    if below:
        y = top + height + foot + 1
        _draw_side(canvas, model, Rect(2, y, canvas.width - 4, canvas.height - y))
    elif side >= SIDE:
        _draw_side(canvas, model, Rect(left + width + 2, top, side - 2, height))
    elif side:
        _draw_narrow_side(canvas, model, Rect(left + width + 1, top, side - 1, height))


def _fits(canvas: Canvas, model: RenderModel, scale: Scale) -> bool:
    board = model.table.board
    rack = 0 if model.draft is None else LOWEST_RACK
    return (
        canvas.width >= scale.board_width(board) + GAP + SIDE
        and canvas.height >= scale.board_height(board) + rack
    )


def _board(model: RenderModel) -> board_drawing.RenderModel:
    table, draft = model.table, model.draft
    laid = table.pending.laid if table.pending else {}
    squares = {table.board.layout.square(field): tile for field, tile in laid.items()}
    return board_drawing.RenderModel(
        board=table.board,
        values=TILE_SETS[table.options.language].values,
        tried=draft.tiles if draft else {},
        pending={square: tile for square, tile in squares.items() if square is not None},
        fresh=model.fresh,
        glowing=model.glowing,
        glow=model.glow,
        cursor=draft.cursor if draft else None,
        direction=draft.direction if draft else Direction.ACROSS,
    )


def _rack(model: RenderModel, draft: Draft) -> Rack:
    values = TILE_SETS[model.table.options.language].values
    if model.parcel is not None:
        return Rack(draft.order, values, marked=model.parcel.marked)
    return Rack(draft.order, values, laid=draft.on_board, joker=draft.joker)


# Beside the board


def _keep_side(canvas: Canvas, model: RenderModel, area: Rect, rows: int) -> None:
    """It shows nothing of where the cursor is, and so it stays the same for many keys.

    Below these rows it only leaves room, and the rack may reach there.
    """
    lying = frozenset[int]()
    shown = replace(model, draft=None, parcel=None, fresh=lying, glowing=lying, glow="")
    tinted = Rect(area.x - 1, area.y, area.width + 2, rows)
    key = (shown, _is_trying(model))
    canvas.keep("side", key, tinted, lambda: _draw_side(canvas, model, area))


def _draw_side(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    bottom = area.y + area.height
    y = area.y + _rows_of_players(model, area)
    rows = Rect(area.x - 1, area.y, area.width + 2, y - area.y)
    shown = (
        model.table,
        model.seat,
        model.names,
        model.actors,
        model.notes,
        model.bots,
        model.scores,
    )
    canvas.keep("players", shown, rows, lambda: _draw_players(canvas, model, area))
    crowded = bottom - y < LEGEND + NEWS_AT_LEAST + 5
    y = _draw_reserve(canvas, model, Rect(area.x, y + (not crowded), area.width, 1))
    y += not crowded
    legend = bottom - y >= LEGEND + NEWS_AT_LEAST
    if canvas.roomy:
        _draw_talk(canvas, model, Rect(area.x, y, area.width, bottom - y))
        return
    below = bottom - (LEGEND if legend else 0)
    _draw_middle(
        canvas, model, Rect(area.x, y, area.width, below - y - (below - y > NEWS_AT_LEAST))
    )
    if legend:
        _draw_legend(canvas, area.x, below)


def _draw_talk(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    """Where there is room: verdict, legend, and then log and chat."""
    trying = _is_trying(model)
    height = max(6, len(model.verdict) + 2) if trying else 6
    _draw_middle(canvas, model, Rect(area.x, area.y, area.width, height))
    y = area.y + height + 1
    _draw_legend(canvas, area.x, y)
    canvas.talk = Rect(area.x, y + 3, area.width, area.y + area.height - y - 3)


def _draw_narrow_side(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    """A few columns: one number a player, the reserve, and the draft or the last play; or the unseen tiles."""
    if model.unseen is not None:
        unseen.draw(canvas, model.unseen, area)
        return
    table, end = model.table, area.x + area.width
    bonus = table.rules is RuleSet.BONUS
    canvas.right(end, area.y, _("points") if bonus else _("tiles"), Ink.FAINT)
    y = area.y + 1
    for seat, value in enumerate(totals(table) if bonus else table.sizes):
        if seat in model.actors:
            canvas.fill(Rect(area.x, y, area.width, 1), "row")
        _draw_mark(canvas, model, seat, area.x, y)
        paint = Ink.STRONG if seat in model.actors or seat == model.seat else Ink.PLAIN
        name = _name(canvas, model, seat, area.width - 2 - len(str(value)))
        canvas.put(area.x + 1, y, name, paint)
        canvas.right(end, y, str(value), paint)
        y += 1
    words = _("Reserve {count}").format(count=table.reserve)
    canvas.put(area.x, y, fitted(words, area.width), Ink.FAINT)
    rest = Rect(area.x, y + 1, area.width, area.y + area.height - y - 1)
    if not _is_trying(model):
        history_drawing.draw_narrow(canvas, model.history, rest)
        return
    canvas.put(rest.x, rest.y, fitted(model.total, rest.width), Ink.STRONG)
    y, bottom = rest.y + 1, rest.y + rest.height
    for verdict in model.verdict:
        sign, paint = _sign_of(canvas, verdict.standing)
        lines = history_drawing.cut(wrapped(verdict.text, rest.width - 2), bottom - y)
        canvas.put(rest.x, y, sign if lines else "", paint)
        for offset, text in enumerate(lines):
            canvas.put(rest.x + 2, y + offset, fitted(text, rest.width - 2))
        y += len(lines)


def _is_trying(model: RenderModel) -> bool:
    over = model.table.phase is TurnPhase.OVER
    return model.draft is not None and bool(model.draft.placed) and not over


def _draw_middle(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    """Unseen tiles or the draft where there are any, and what happened: of that at least the last play."""
    y, bottom = area.y, area.y + area.height
    if model.unseen is not None:
        y = unseen.draw(canvas, model.unseen, area) + (area.height > CROWDED)
    elif _is_trying(model):
        kept = KEPT if area.height > CROWDED else 0
        y = _draw_verdict(canvas, model, Rect(area.x, y, area.width, area.height - kept))
        y += area.height > CROWDED
    if y < bottom:
        history_drawing.draw(canvas, model.history, Rect(area.x, y, area.width, bottom - y))


def _rows_of_players(model: RenderModel, area: Rect) -> int:
    """A row a player, and one with their tiles once these are open and there is room for that."""
    seats = len(model.names)
    return 1 + (2 if _shows_hands(model, area) else 1) * seats


def _shows_hands(model: RenderModel, area: Rect) -> bool:
    return model.table.hands is not None and 2 * len(model.names) + 3 <= area.height


def _draw_players(canvas: Canvas, model: RenderModel, area: Rect) -> None:
    """Tinted for whoever is on."""
    table, end = model.table, area.x + area.width
    columns = [(_("tiles"), table.sizes)]
    if table.rules is RuleSet.BONUS:
        columns.append((_("points"), totals(table)))
    elif any(model.scores):
        columns.append((_("points"), model.scores))
    canvas.put(area.x, area.y, _("Players"), Ink.FAINT)
    for number, (head, _values) in enumerate(columns):
        canvas.right(end - COLUMN * number, area.y, head, Ink.FAINT)
    y, seats = area.y + 1, range(len(model.names))
    open_hands = _shows_hands(model, area)
    room = area.width - 3 - COLUMN * len(columns) + 2
    for seat in seats:
        now = seat in model.actors
        if now:
            canvas.fill(Rect(area.x - 1, y, area.width + 2, 1), "row")
        _draw_mark(canvas, model, seat, area.x, y)
        paint = Ink.STRONG if now or seat == model.seat else Ink.PLAIN
        x = canvas.put(area.x + 2, y, _name(canvas, model, seat, room), paint)
        note = model.notes[seat] if model.notes else ""
        first = end - COLUMN * (len(columns) - 1) - len(str(columns[-1][1][seat]))
        if note:
            canvas.put(x + 1, y, fitted(note, first - x - 2), Ink.FAINT)
        for number, (_head, values) in enumerate(columns):
            canvas.right(end - COLUMN * number, y, str(values[seat]), paint)
        if open_hands and table.hands is not None:
            y += 1
            canvas.put(area.x + 2, y, fitted(table.hands[seat], area.width - 2), Ink.FAINT)
        y += 1


def _name(canvas: Canvas, model: RenderModel, seat: Seat, room: int) -> str:
    name = _("You") if seat == model.seat else model.names[seat]
    return label(canvas, name, room, is_bot=seat in model.bots)


def _draw_mark(canvas: Canvas, model: RenderModel, seat: Seat, x: int, y: int) -> None:
    """How a player has judged the play that lies there, or that it is their turn."""
    table = model.table
    if table.phase is TurnPhase.JUDGE and table.votes[seat] is not None:
        yes = table.votes[seat]
        canvas.put(x, y, canvas.sign(signs.YES if yes else signs.NO), Ink.GOOD if yes else Ink.BAD)
    elif seat in model.actors:
        canvas.put(x, y, canvas.sign(signs.TURN), Ink.KEY)


def _draw_reserve(canvas: Canvas, model: RenderModel, area: Rect) -> int:
    table = model.table
    x = canvas.put(area.x, area.y, _("Reserve {count}").format(count=table.reserve), Ink.FAINT)
    dealt = len(TILE_SETS[table.options.language].tiles)
    width = min(GAUGE, area.x + area.width - x - 1)
    at = area.x + area.width - width
    canvas.gauge(Rect(at, area.y, width, 1), table.reserve, dealt)
    return area.y + 1


def _draw_verdict(canvas: Canvas, model: RenderModel, area: Rect) -> int:
    standing = model.opinion.standing
    paint = {Standing.OK: Ink.GOOD, Standing.NO: Ink.BAD}.get(standing, Ink.STRONG)
    canvas.put(area.x, area.y, _("Draft"), Ink.FAINT)
    canvas.right(area.x + area.width, area.y, model.total, paint)
    y, bottom = area.y + 1, area.y + area.height
    for line in model.verdict:
        if y >= bottom:
            break
        if line.standing is Standing.NONE:
            for text in history_drawing.cut(wrapped(line.text, area.width - 2), bottom - y):
                canvas.put(area.x + 2, y, text, Ink.FAINT)
                y += 1
            continue
        sign, ink = _sign_of(canvas, line.standing)
        canvas.put(area.x, y, sign, ink)
        room = area.width - 3 - len(line.value)
        text = f"{line.text} {canvas.sign(signs.UP)}" if line.is_upward else line.text
        texts = history_drawing.cut(wrapped(text, room), bottom - y)
        for text in texts:
            canvas.put(area.x + 2, y, text, Ink.STRONG if line.standing is not Standing.NO else ink)
            if text is texts[0]:
                canvas.right(area.x + area.width, y, line.value)
            y += 1
    return y


def _sign_of(canvas: Canvas, standing: Standing) -> tuple[str, Paint]:
    if standing is Standing.OK:
        return canvas.sign(signs.YES), Ink.GOOD
    if standing is Standing.NO:
        return canvas.sign(signs.NO), Ink.BAD
    return canvas.sign(signs.DOT), Ink.DOT


def _draw_legend(canvas: Canvas, x: int, y: int) -> None:
    """What the fields mean, in two columns."""
    words = {
        FieldKind.GREEN: _("green"),
        FieldKind.RED: _("red"),
        FieldKind.BLACK: _("black"),
        FieldKind.START: _("start"),
    }
    for number, (kind, word) in enumerate(words.items()):
        sign, paint = ground_of(canvas, kind)
        at = x + 15 * (number % 2), y + number // 2
        canvas.put(*at, canvas.sign(sign), paint)
        canvas.put(at[0] + 4, at[1], word, Ink.FAINT)
