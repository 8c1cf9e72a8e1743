"""What others type or open to come here, a row or two each, and a QR code of the page beside it."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

from msgspec import Struct
from textual.binding import BindingType
from textual.events import Click
from textual.geometry import Size
from textual.message import Message

from diadem_client.board.canvas import Canvas, Ink, Rect, flowed, wrapped
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.state.invitation import Way
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.drawing import Drawing
from diadem_shared import qr
from diadem_shared.invitation import page_as_code
from diadem_shared.protocol import CLIENT, SSH, WEB

if TYPE_CHECKING:
    from diadem_client.app import DiademApp

LABELS = {
    WEB: N_("Open in a browser:"),
    SSH: N_("Type in any terminal with ssh:"),
    CLIENT: N_("Type in the folder of Diadem:"),
}
OPTIONS = re.compile(r" (?=-)")
"""Before an option, which keeps what is said of it."""
INDENT, FURTHER = 2, 4
"""Columns before what is typed, and before where it goes on."""
GAP = 2
NARROWEST = 34
"""Columns of text beside a code."""
DARK, LIGHT = "code.dark", "code.light"
LIT = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""What is light of a cell on a dark terminal without colours."""
UNLIT = {(not upper, not lower): sign for (upper, lower), sign in LIT.items()}
HalfBlocks: TypeAlias = list[list[tuple[bool, bool]]]


Line: TypeAlias = tuple[str, int | None]
"""What is written, and the number of its way if it is to be typed."""


class Sheet(Struct, frozen=True):
    """What is shown."""

    ways: tuple[Way, ...] = ()
    heading: str = ""
    notes: tuple[str, ...] = ()
    """Sentences below them."""

    @property
    def page(self) -> str:
        return next((way.text for way in self.ways if way.kind == WEB), "")


class InvitationSheet(Drawing, can_focus=True):
    ACTIONS = (
        Action("down", ("down", "tab"), N_("next"), N_("To the next line."), in_footer=False),
        Action(
            "up", ("up", "shift+tab"), N_("previous"), N_("To the line before."), in_footer=False
        ),
        Action("copy", ("c", "enter"), N_("copy"), N_("Copy what is marked.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = "InvitationSheet { height: auto; width: 100%; }"

    class Copied(Message):
        """What was marked was given to the terminal."""

    def __init__(self, sheet: Sheet, *, copies: bool, on_dark: bool) -> None:
        """`on_dark`: whether a terminal without colours writes light on dark."""
        super().__init__()
        self._sheet = sheet
        self._copies = copies
        self._on_dark = on_dark
        self._at = 0

    def show(self, sheet: Sheet) -> None:
        if sheet != self._sheet:
            self._sheet = sheet
            self._at = 0
            self.refresh(layout=True)
            self.redraw()
            self.refresh_bindings()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        code, lines = self._laid_out(width, container.height or viewport.height)
        return max(len(code), len(lines))

    def draw(self, canvas: Canvas) -> None:
        code, lines = self._laid_out(canvas.width, canvas.height)
        columns = len(code[0]) if code else 0
        self._write(canvas, lines, canvas.width - columns - (GAP if code else 0))
        draw_code(canvas, canvas.width - columns, code, on_dark=self._on_dark)

    def _laid_out(self, width: int, height: int) -> tuple[HalfBlocks, list[Line]]:
        """The code, if there is room for it beside the lines."""
        code, ascii_only = _code(self._sheet.page), cast("DiademApp", self.app).ascii_only
        if code and not ascii_only and len(code) <= height:
            left = width - len(code[0]) - GAP
            if left >= NARROWEST and len(lines := self._lines(left)) <= height:
                return code, lines
        return [], self._lines(width, _why_no_code(ascii_only) if code else "")

    def _lines(self, width: int, more: str = "") -> list[Line]:
        found: list[Line] = [(line, None) for line in wrapped(self._sheet.heading, width)]
        if found:
            found.append(("", None))
        for number, way in enumerate(self._sheet.ways):
            found += [(line, None) for line in wrapped(_(LABELS[way.kind]), width)]
            found += [(line, number) for line in _typed(way.text, width)]
            found.append(("", None))
        if not (self._sheet.notes or more):
            found.pop()
        for sentence in filter(None, (*self._sheet.notes, more)):
            found += [(line, None) for line in wrapped(sentence, width)]
        return found

    def _write(self, canvas: Canvas, lines: Sequence[Line], width: int) -> None:
        before = None
        for y, (line, number) in enumerate(lines):
            if number is None:
                canvas.put(0, y, line, Ink.FAINT)
            else:
                area = Rect(0, y, width, 1)
                canvas.place(area, number)
                is_marked = self._copies and number == self._at
                if is_marked:
                    canvas.fill(area, "row")
                canvas.put(0, y, line, Ink.STRONG)
                if is_marked and number != before:
                    canvas.put(0, y, canvas.sign(signs.TURN), Ink.ACCENT)
            before = number

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in {"copy", "down", "up"}:
            return self._copies and bool(self._sheet.ways)
        return super().check_action(action, parameters)

    def _go(self, steps: int) -> None:
        self._at = (self._at + steps) % len(self._sheet.ways)
        self.redraw()

    def action_down(self) -> None:
        self._go(1)

    def action_up(self) -> None:
        self._go(-1)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._sheet.ways[self._at].text)
        self.post_message(self.Copied())

    def on_click(self, event: Click) -> None:
        at = self.placed_at(event.x, event.y)
        if at is not None and self._copies:
            self._at = at
            self.redraw()
            self.action_copy()


def _typed(text: str, width: int) -> list[str]:
    """Broken before options, or else between words where that can be; nothing of it is left out."""
    room = max(1, width - FURTHER)  # before the first layout there is none
    first, *rest = flowed(_pieces(text, room), room, " ")
    return [" " * INDENT + first, *(" " * FURTHER + line for line in rest)]


def _pieces(text: str, room: int) -> Iterator[str]:
    for option in OPTIONS.split(text):
        words = [option] if len(option) <= room else option.split(" ")
        for word in words:
            yield from (word[at : at + room] for at in range(0, len(word), room))


def _code(page: str) -> HalfBlocks:
    try:
        return qr.in_half_blocks(qr.encode(page_as_code(page))) if page else []
    except qr.TooLong:
        return []


def _why_no_code(ascii_only: bool) -> str:  # noqa: FBT001, the one thing it hangs on
    if ascii_only:
        return _("A code for a camera cannot be drawn in ASCII. The address is enough.")
    return _("A larger window shows a code for cameras, too.")


def draw_code(canvas: Canvas, x: int, code: HalfBlocks, *, on_dark: bool) -> None:
    """Dark on light in every theme, as readers of codes want it."""
    for y, cells in enumerate(code):
        for column, (upper, lower) in enumerate(cells):
            if canvas.without_colour:
                sign, paint = (LIT if on_dark else UNLIT)[upper, lower], Ink.PLAIN
            elif upper == lower:
                sign, paint = " ", Paint("text", DARK if upper else LIGHT)
            else:
                sign = "▀"
                paint = Paint(DARK, LIGHT) if upper else Paint(LIGHT, DARK)
            canvas.put(x + column, y, sign, paint)
