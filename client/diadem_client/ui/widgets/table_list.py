"""The tables of a server, a row each, and a panel that explains the one that is marked."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.events import Click
from textual.message import Message

from diadem.match import Phase
from diadem.protocol import TableLine
from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, wrapped
from diadem_client.board.emblem import (
    CROWN_HEIGHT,
    CROWN_WIDTH,
    SMALL_WIDTH,
    draw_crown,
    draw_small,
)
from diadem_client.i18n import N_, listed, ngettext
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.wording.options import game_name
from diadem_client.wording.rules import goal_of
from diadem_client.wording.state import marked_names, table_state

CODE, GAME, SEATS, STATE = 3, 12, 28, 36
GAP = 3
"""Columns between the rounds and the players."""
HEAD = 2
"""Rows above the tables."""
PAGE = 8
WIDE = 76
"""From this width on the number of rounds has a column."""


class TableList(Drawing, can_focus=True):
    ACTIONS = (
        Action("down", ("down",), N_("next"), N_("To the next line."), in_footer=False),
        Action("up", ("up",), N_("previous"), N_("To the line before."), in_footer=False),
        Action("page_down", ("pagedown",), N_("further"), N_("Some tables on."), in_footer=False),
        Action("page_up", ("pageup",), N_("back up"), N_("Some tables back."), in_footer=False),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = "TableList { height: 1fr; width: 100%; margin: 1 0 0 0; }"

    class Marked(Message):
        """Another table is marked now."""

    class Clicked(Message):
        """The marked table was clicked once more."""

    def __init__(self) -> None:
        super().__init__(id="tables")
        self._tables: tuple[TableLine, ...] = ()
        self._at = 0

    @property
    def marked(self) -> TableLine | None:
        return self._tables[self._at] if self._tables else None

    def show(self, tables: Sequence[TableLine]) -> None:
        """The same table stays marked, whatever comes and goes around it."""
        before = self.marked
        self._tables = tuple(tables)
        codes = [each.table for each in self._tables]
        self._at = codes.index(before.table) if before and before.table in codes else 0
        self.redraw()
        self.post_message(self.Marked())

    def draw(self, canvas: Canvas) -> None:
        if not self._tables:
            _draw_none(canvas)
            return
        players = 55 if canvas.width >= WIDE else 49
        heads = ((CODE, _("table")), (GAME, _("game")), (SEATS, _("seats")), (STATE, _("state")))
        for x, head in (*heads, (players, _("players"))):
            canvas.put(x, 0, head, Ink.FAINT)
        if canvas.width >= WIDE:
            canvas.right(players - GAP, 0, _("rounds"), Ink.FAINT)
        canvas.rule(2, 1, canvas.width - 4)
        room = max(1, canvas.height - HEAD)
        first = max(0, min(self._at - room // 2, len(self._tables) - room))
        for y, table in enumerate(self._tables[first : first + room], start=HEAD):
            canvas.place(Rect(0, y, canvas.width, 1), first + y - HEAD)
            self._draw_row(canvas, table, y, players, marked=first + y - HEAD == self._at)

    def _draw_row(
        self, canvas: Canvas, table: TableLine, y: int, players: int, *, marked: bool
    ) -> None:
        pale = Ink.FAINT if table.phase is Phase.OVER else Ink.PLAIN
        if marked:
            canvas.fill(Rect(1, y, canvas.width - 2, 1), "row")
            canvas.put(1, y, canvas.sign(signs.MARKED), Paint("accent"))
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

    def _go(self, steps: int) -> None:
        if self._tables:
            self._at = max(0, min(self._at + steps, len(self._tables) - 1))
            self.redraw()
            self.post_message(self.Marked())

    def action_down(self) -> None:
        self._go(1)

    def action_up(self) -> None:
        self._go(-1)

    def action_page_down(self) -> None:
        self._go(PAGE)

    def action_page_up(self) -> None:
        self._go(-PAGE)

    def on_click(self, event: Click) -> None:
        at = self.placed_at(event.x, event.y)
        if at == self._at:
            self.post_message(self.Clicked())
        elif at is not None:
            self._go(at - self._at)


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
        rounds = ngettext("{count} round", "{count} rounds", table.rounds)
        free = max(0, table.seats - len(table.names))
        seats = ngettext("{count} free seat", "{count} free seats", free).format(count=free)
        who = listed([*marked_names(table), *([seats] if free else [])])
        facts = ((_("Seats"), who), (_("Terms"), rounds.format(count=table.rounds)))
        column = left + 2 + max(cells_of(word) for word, _fact in facts)
        for word, fact in facts:
            canvas.put(left, y, word, Ink.FAINT)
            canvas.put(column, y, fitted(fact, canvas.width - column - 1))
            y += 1
        canvas.put(left, y + 1, fitted(_what_to_do(table), width), Ink.STRONG)


def _what_to_do(table: TableLine) -> str:
    if table.phase is Phase.GATHERING and len(table.names) < table.seats:
        return _("Enter sits you down there.")
    if table.phase is Phase.OVER:
        return _("It is over. Enter shows how it ended.")
    return _("Enter looks on.") if table.spectators else _("Nobody may look on there.")
