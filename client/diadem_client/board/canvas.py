"""A sheet of character cells, each with the paint it is written in."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias
from unicodedata import category, normalize

from msgspec import Struct
from rich.cells import get_character_cell_size

from diadem_client.i18n import unbreakable_parts
from diadem_client.look.art import Cells
from diadem_client.look.palette import Paint
from diadem_client.look.signs import FILLED, FRAME, REST, RULE, Sign, subscript


class Ink:
    """The paints that all games need."""

    PLAIN = Paint()
    STRONG = Paint(marks="b")
    FAINT = Paint("faint")
    DOT = Paint("dot")
    LINE = Paint("line")
    ACCENT = Paint("accent")
    KEY = Paint("accent", marks="b")
    CURSOR = Paint("on_cursor", "cursor", "b")
    DRAFT = Paint("ink", "draft", "b")
    FRESH = Paint("ink", "fresh", "b")
    GOOD = Paint("good", marks="b")
    BAD = Paint("bad", marks="b")


Row: TypeAlias = tuple[tuple[str, Paint], ...]
"""One cell after the other; the second cell of a wide character is empty."""

BLANK = (" ", Paint("text", "bg"))


class Rect(Struct, frozen=True):
    x: int
    y: int
    width: int
    height: int

    def holds(self, x: int, y: int) -> bool:
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height


class Kept(Struct, frozen=True):
    """A part of a drawing, to be used again as long as it would be drawn the same."""

    key: object
    cells: list[list[tuple[str, Paint]]]
    places: list[tuple[Rect, int]]
    talk: Rect | None


ROOMY = (110, 31)
"""From this size on there is room for log and chat in a drawing."""
USUAL = (78, 19)
"""What 80x24 leaves at least; in less room only what one needs to play is drawn."""


class Canvas:
    def __init__(
        self,
        width: int,
        height: int,
        *,
        ascii_only: bool = False,
        without_colour: bool = False,
        kept: "dict[str, Kept] | None" = None,
    ) -> None:
        """`kept`: parts of earlier drawings, by name."""
        self.width = width
        self.height = height
        self.ascii_only = ascii_only
        self.without_colour = without_colour
        self.talk: Rect | None = None
        """Where the drawing leaves room for log and chat."""
        self._places: list[tuple[Rect, int]] = []
        self._cells = [[BLANK] * width for _ in range(height)]
        self._kept = {} if kept is None else kept

    @property
    def line_drawn(self) -> bool:
        """Whether pixel art would tell nothing here."""
        return self.ascii_only or self.without_colour

    @property
    def roomy(self) -> bool:
        return self.width >= ROOMY[0] and self.height >= ROOMY[1]

    @property
    def compact(self) -> bool:
        return self.width < USUAL[0] or self.height < USUAL[1]

    def sign(self, sign: Sign) -> str:
        """A sign as this terminal can show it."""
        if self.ascii_only:
            return sign.ascii
        return (self.without_colour and sign.plain) or sign.own

    def put(self, x: int, y: int, text: str, paint: Paint = Ink.PLAIN) -> int:
        """Write, cut off at the edge; gives the column after the text."""
        if not 0 <= y < self.height:
            return x
        if self.ascii_only:
            text = in_ascii(text)
        row, end = self._cells[y], x + len(text)
        if text and x >= 0 and end <= self.width:
            ground = paint.ground or _common_ground(row[x:end])
            if ground and (cells := _cells(text, paint if paint.ground else _on(paint, ground))):
                row[x:end] = cells
                return end
        text = _printable(text)
        for character, size in zip(text, map(get_character_cell_size, text), strict=True):
            if size == 0:
                if 0 < x <= self.width:
                    before, its_paint = row[x - 1]
                    row[x - 1] = (before + character, its_paint)
                continue
            if x < 0 or x + size > self.width:
                return x
            row[x] = _cell(character, paint if paint.ground else _on(paint, row[x][1].ground))
            if size == 2:
                row[x + 1] = ("", row[x][1])
            x += size
        return x

    def right(self, x: int, y: int, text: str, paint: Paint = Ink.PLAIN) -> None:
        """Write so that it ends before a column."""
        self.put(x - cells_of(text), y, text, paint)

    def fill(self, area: Rect, ground: str) -> None:
        paint = Paint("text", ground)
        for y in range(area.y, area.y + area.height):
            self.put(area.x, y, " " * area.width, paint)

    def rule(self, x: int, y: int, width: int) -> None:
        self.put(x, y, self.sign(RULE) * width, Ink.LINE)

    def corners(self, area: Rect) -> None:
        """The outline of what is missing."""
        first, second, third, fourth, *_rest = list(self.sign(FRAME))
        right, low = area.x + area.width - 1, area.y + area.height - 1
        places = ((area.x, area.y), (right, area.y), (area.x, low), (right, low))
        for (x, y), corner in zip(places, (first, second, third, fourth), strict=True):
            self.put(x, y, corner, Ink.LINE)

    def gauge(self, area: Rect, part: int, whole: int, role: str = "accent") -> None:
        filled = round(area.width * part / whole) if whole else 0
        filled = max(0, min(area.width, filled))
        self.put(area.x, area.y, self.sign(FILLED) * filled, Paint(role))
        rest = self.sign(REST) * (area.width - filled)
        self.put(area.x + filled, area.y, rest, Ink.DOT)

    def paste(self, x: int, y: int, rows: Cells, marks: str = "") -> None:
        """Cells that are ready, such as those of a picture."""
        for offset, row in enumerate(rows):
            for column, (character, paint) in enumerate(row):
                if 0 <= x + column < self.width and 0 <= y + offset < self.height:
                    painted = Paint(paint.ink, paint.ground, marks) if marks else paint
                    self._cells[y + offset][x + column] = _cell(character, painted)

    def subscript(self, number: int) -> str:
        return subscript(number, ascii_only=self.ascii_only)

    def keep(self, name: str, key: object, area: Rect, draw: Callable[[], None]) -> None:
        """Draw a part, or take it from an earlier drawing if it was drawn there with an equal key.

        The key has to name everything that the part shows, and the part must not reach out of its area.
        """
        kept = self._kept.get(name)
        key = (key, area, self.width, self.height, self.ascii_only, self.without_colour)
        columns, rows = slice(area.x, area.x + area.width), slice(area.y, area.y + area.height)
        if kept is None or kept.key != key:
            first = len(self._places)
            draw()
            cells = [row[columns] for row in self._cells[rows]]
            self._kept[name] = Kept(key, cells, self._places[first:], self.talk)
            return
        for row, drawn in zip(self._cells[rows], kept.cells, strict=True):
            row[columns] = drawn
        self._places += kept.places
        self.talk = self.talk or kept.talk

    def place(self, area: Rect, what: int) -> None:
        """What a click in an area would mean, by a number of the drawing's own."""
        self._places.append((area, what))

    def placed_at(self, x: int, y: int) -> int | None:
        for area, what in self._places:
            if area.holds(x, y):
                return what
        return None

    def rows(self) -> tuple[Row, ...]:
        return tuple(map(tuple, self._cells))

    def text(self) -> str:
        """All that is written, for a test or a file."""
        lines = ("".join(cell for cell, _ in row).rstrip() for row in self._cells)
        return "".join(line + "\n" for line in lines)


@lru_cache(1024)
def _cell(character: str, paint: Paint) -> tuple[str, Paint]:
    """One and the same wherever it stands: a sheet has few that differ."""
    return character, paint


@lru_cache(128)
def _cells(text: str, paint: Paint) -> tuple[tuple[str, Paint], ...]:
    """Those of a text of which each character takes one, and none of any other."""
    if not text.isprintable() or any(map(_is_not_narrow, text)):
        return ()
    return tuple(_cell(character, paint) for character in text)


def _is_not_narrow(character: str) -> bool:
    return get_character_cell_size(character) != 1


def _common_ground(cells: list[tuple[str, Paint]]) -> str:
    """That of all of them; "" if they differ."""
    first = cells[0][1]
    same = all(paint is first or paint.ground == first.ground for _text, paint in cells)
    return first.ground if same else ""


@lru_cache(1024)
def _on(paint: Paint, ground: str) -> Paint:
    return paint._replace(ground=ground)


def runs(row: Row) -> Iterator[tuple[str, Paint]]:
    """A row as texts of one paint each, and as few as can be."""
    text, paint = "", BLANK[1]
    for cell, its_paint in row:
        if its_paint is paint or its_paint == paint:
            text += cell
            continue
        same_ground = its_paint.ground == paint.ground
        if same_ground and cell == " " and "u" not in its_paint.marks + paint.marks:
            text += cell  # the ink of a blank is not seen
            continue
        if same_ground and not text.strip(" ") and "u" not in paint.marks:
            text, paint = text + cell, its_paint
            continue
        if text:
            yield text, paint
        text, paint = cell, its_paint
    if text:
        yield text, paint


def differing(before: Row, after: Row) -> tuple[int, int] | None:
    """The first and one past the last cell in which two rows of a width differ."""
    if before == after:
        return None
    unlike = [at for at, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    return unlike[0], unlike[-1] + 1


def in_ascii(text: str) -> str:
    """Without accents, and with a question mark for what has no like in ASCII."""
    if text.isascii():
        return text
    bare = "".join(c for c in normalize("NFKD", text) if category(c) != "Mn")
    return bare.encode("ascii", "replace").decode()


def fitted(text: str, width: int) -> str:
    """Cut to a number of cells, with a mark where something is missing."""
    text = _printable(text)
    sizes = [get_character_cell_size(character) for character in text]
    if sum(sizes) <= width:
        return text
    kept, room = "", width - 1
    for character, size in zip(text, sizes, strict=True):
        room -= size
        if room < 0:
            break
        kept += character
    return kept + "~"


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many cells, broken between words."""
    return flowed(filter(None, unbreakable_parts(text)), width, " ")


def flowed(parts: Iterable[str], width: int, gap: str = "  ") -> list[str]:
    """Parts set in lines of at most so many cells; none is broken."""
    lines: list[str] = []
    for part in parts:
        longer = lines[-1] + gap + part if lines else part
        if lines and cells_of(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(part, width))
    return lines


def cut_behind(sentence: str, text: str, width: int) -> str:
    """What of a text stands behind a sentence and a gap in the rows that the longer of them takes alone."""
    rows = max(len(wrapped(each, width)) for each in (sentence, text))
    left, shown = text, text
    while left and len(wrapped(f"{sentence} {shown}", width - 1)) > rows:
        left = left.rpartition(" ")[0]
        shown = f"{left}…" if left else ""
    return shown


def cells_of(text: str) -> int:
    """How many cells it takes."""
    return len(text) if text.isascii() else sum(map(get_character_cell_size, text))


def _printable(text: str) -> str:
    """Names come from others: no control or direction characters reach a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "?" for c in text)
