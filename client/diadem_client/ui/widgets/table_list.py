"""The tables of a server, a row each, and a panel that explains the one that is marked."""

from collections.abc import Sequence

from textual.content import Content

from diadem_client.board.canvas import Canvas, Ink, cells_of, fitted, wrapped
from diadem_client.board.emblem import (
    CROWN_HEIGHT,
    CROWN_WIDTH,
    SMALL_WIDTH,
    draw_crown,
    draw_small,
)
from diadem_client.i18n import gettext as _
from diadem_client.i18n import listed, ngettext
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.ui.widgets.rows import Rows
from diadem_client.wording.options import agreed, game_name
from diadem_client.wording.rules import goal_of
from diadem_client.wording.state import marked_names, table_state
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import TableLine

CODE, GAME, SEATS, STATE = 3, 12, 28, 36
GAP = 3
"""Columns between the rounds and the players."""
WIDE = 76
"""From this width on the number of rounds has a column."""


class TableList(Rows):
    DEFAULT_CSS = "TableList { height: 1fr; width: 100%; margin: 1 0 0 0; }"

    def __init__(self) -> None:
        super().__init__(id="tables")
        self._tables: tuple[TableLine, ...] = ()

    @property
    def count(self) -> int:
        return len(self._tables)

    @property
    def marked(self) -> TableLine | None:
        return self._tables[self.at] if self._tables else None

    def show(self, tables: Sequence[TableLine]) -> None:
        """The same table stays marked, whatever comes and goes around it."""
        before = self.marked
        self._tables = tuple(tables)
        codes = [each.table for each in self._tables]
        self.mark(codes.index(before.table) if before and before.table in codes else 0)

    def draw(self, canvas: Canvas) -> None:
        if not self._tables:
            _draw_none(canvas)
            return
        players = _players(canvas)
        heads = ((CODE, _("table")), (GAME, _("game")), (SEATS, _("seats")), (STATE, _("state")))
        for x, head in (*heads, (players, _("players"))):
            canvas.put(x, 0, head, Ink.FAINT)
        if canvas.width >= WIDE:
            canvas.right(players - GAP, 0, _("rounds"), Ink.FAINT)
        canvas.rule(2, 1, canvas.width - 4)
        self.draw_rows(canvas)

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        table, players = self._tables[number], _players(canvas)
        pale = Ink.FAINT if table.phase is Phase.OVER else Ink.PLAIN
        canvas.put(CODE, y, table.table, Ink.KEY if marked else pale)
        name = fitted(game_name(table.game), SEATS - GAME - 1)
        canvas.put(GAME, y, name, Ink.STRONG if marked else pale)
        canvas.put(SEATS, y, f"{len(table.names)}/{table.seats}", pale)
        sign, role = _sign_of(table)
        canvas.put(STATE, y, canvas.sign(sign), Paint(role))
        end = players - 2 if canvas.width < WIDE else players - GAP - 4
        state, room = table_state(table), end - STATE - 2
        if cells_of(state) > room:
            state = state.partition(",")[0]  # the panel below says more
        canvas.put(STATE + 2, y, fitted(state, room), Paint(role))
        if canvas.width >= WIDE:
            canvas.right(players - GAP, y, str(table.rounds), pale)
        canvas.put(
            players, y, fitted(listed(marked_names(table)), canvas.width - players - 2), pale
        )


def _players(canvas: Canvas) -> int:
    """The column of the players."""
    return 55 if canvas.width >= WIDE else 49


def _draw_none(canvas: Canvas) -> None:
    """Where no table is open: what to do, below the crown."""
    top = max(0, (canvas.height - CROWN_HEIGHT - 4) // 2)
    draw_crown(canvas, (canvas.width - CROWN_WIDTH) // 2, top)
    for offset, line in enumerate(wrapped(_("No table is open. Press m to make one."), 60)):
        at = (canvas.width - cells_of(line)) // 2, top + CROWN_HEIGHT + 2 + offset
        canvas.put(*at, line, Ink.STRONG)


def _sign_of(table: TableLine) -> tuple[signs.Sign, str]:
    if table.phase is Phase.OVER:
        return signs.NO, "faint"
    if table.phase is Phase.GATHERING:
        return signs.OFF, "good"
    return signs.ON, "accent"


class TablePanel(Drawing):
    """What the marked table is, and what can be done there."""

    DEFAULT_CSS = """
    TablePanel { height: 8; width: 100%; margin: 0 1; border: round $line; padding: 0 1;
                 border-title-color: $accent; border-title-style: bold; }
    """
    table: TableLine | None = None

    def show(self, table: TableLine | None) -> None:
        self.table = table
        self.display = table is not None
        if table is not None:
            # What a server says is no markup.
            self.border_title = Content(f"{table.table}  {game_name(table.game)}").markup
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        table = self.table
        if table is None:
            return
        draw_small(canvas, table.game, 1, 1)
        left = SMALL_WIDTH + 4
        width = canvas.width - left - 1
        for offset, line in enumerate(wrapped(goal_of(table.game), width)[:2]):
            canvas.put(left, offset, line, Ink.FAINT)
        y = 2
        setup = Setup(table.game, table.options, rounds=table.rounds, clock=table.clock)
        free = max(0, table.seats - len(table.names))
        seats = ngettext("{count} free seat", "{count} free seats", free).format(count=free)
        who = listed([*marked_names(table), *([seats] if free else [])])
        words = _("Seats"), _("Terms")
        column = left + 2 + max(map(cells_of, words))
        room = canvas.width - column - 1
        first, *rest = wrapped(", ".join(agreed(setup)), room)
        for offset, word in enumerate(words):
            canvas.put(left, y + offset, word, Ink.FAINT)
        for fact in (who, first, " ".join(rest)):
            canvas.put(column, y, fitted(fact, room))
            y += 1
        canvas.put(left, y, fitted(_what_to_do(table), width), Ink.STRONG)


def _what_to_do(table: TableLine) -> str:
    if table.phase is Phase.GATHERING and len(table.names) < table.seats:
        return _("Enter sits you down there.")
    if table.phase is Phase.OVER:
        return _("It is over. Enter shows how it ended.")
    return _("Enter looks on.") if table.spectators else _("Nobody may look on there.")
