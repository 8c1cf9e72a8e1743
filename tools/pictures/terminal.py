"""A terminal that keeps what is written on it: letters, and the colours a person would see."""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from rich.cells import get_character_cell_size

Rgb: TypeAlias = tuple[int, int, int]
READ = re.compile(
    r"\x1b\[(?P<private>[<=>?]?)(?P<numbers>[\d;]*)[ -/]*(?P<kind>[@-~])"
    r"|\x1b\]2;(?P<title>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b[\]P_^X].*?(?:\x07|\x1b\\)"
    r"|(?P<line>\r?\n)|(?P<letter>[^\x00-\x1f\x7f-\x9f])|(?P<back>[\r\x08])|[\x07\x0e\x0f]",
    re.DOTALL,
)
STEPS = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}
LONGEST = 300
"""Of a sequence."""
HARMLESS = "hlnptcu"
"""Kinds of sequences that put nothing on the screen: modes, questions, the window."""
LOW: tuple[Rgb, ...] = (
    (0, 0, 0), (192, 48, 48), (47, 158, 68), (176, 128, 32),
    (52, 101, 196), (154, 79, 168), (32, 144, 160), (200, 200, 200),
    (108, 108, 108), (255, 107, 94), (95, 215, 95), (255, 215, 95),
    (111, 168, 255), (240, 138, 224), (95, 224, 232), (255, 255, 255),
)  # fmt: skip
"""The sixteen, which every terminal has in shades of its own."""
CUBE = (0, 95, 135, 175, 215, 255)
ON_DARK: tuple[Rgb, Rgb] = ((216, 212, 204), (20, 20, 22))
ON_LIGHT: tuple[Rgb, Rgb] = ((42, 38, 34), (247, 243, 234))
"""Ink and ground of the terminal's own."""


class Cell(NamedTuple):
    letter: str
    """Empty for the second cell of a wide character."""
    ink: Rgb
    ground: Rgb
    bold: bool = False
    underlined: bool = False


class UnknownSequence(Exception):
    """What this terminal would not know what to do with."""


class Terminal:
    def __init__(self, size: tuple[int, int], own: tuple[Rgb, Rgb] = ON_DARK) -> None:
        self.size = size
        self._own = own
        self._style: dict[str, Rgb | bool] = {}
        self._at = (0, 0)
        self._begun = ""
        self._clear()

    @property
    def rows(self) -> list[list[Cell]]:
        return [list(row) for row in self._cells]

    def _clear(self) -> None:
        width, height = self.size
        self._cells = [[Cell(" ", *self._own)] * width for _ in range(height)]

    def read(self, data: str) -> Iterator[str]:
        """Write it, and yield each title of the window as it comes. A sequence may come in pieces."""
        data, at = self._begun + data, 0
        self._begun = ""
        while at < len(data):
            found = READ.match(data, at)
            if found is None and data[at] == "\x1b" and len(data) - at < LONGEST:
                self._begun = data[at:]
                return
            if found is None:
                raise UnknownSequence(repr(data[at : at + 30]))
            at = found.end()
            if found["letter"]:
                self._put(found["letter"])
            elif found["line"]:
                self._at = self._at[0] + 1, 0
            elif found["back"]:
                self._at = self._at[0], 0 if found["back"] == "\r" else self._at[1] - 1
            elif found["title"] is not None:
                yield found["title"]
            elif found["kind"]:
                self._obey(found["private"], found["numbers"], found["kind"])

    def _obey(self, private: str, numbers: str, kind: str) -> None:
        given = [int(each or 0) for each in numbers.split(";")]
        row, column = self._at
        if private or kind in HARMLESS:
            if kind == "h" and 1049 in given:
                self._clear()
        elif kind == "m":
            self._dress(iter(given))
        elif kind == "H":
            first, second, *_ = [*given, 1]
            self._at = max(first, 1) - 1, max(second, 1) - 1
        elif kind in STEPS:
            down, across = STEPS[kind]
            steps = max(given[0], 1)
            self._at = row + down * steps, column + across * steps
        elif kind == "J":
            self._clear()
        else:
            raise UnknownSequence(f"{numbers}{kind}")

    def _put(self, letter: str) -> None:
        row, column = self._at
        width = get_character_cell_size(letter)
        if not width:
            return
        ink, ground = (self._style.get(each) for each in ("ink", "ground"))
        ink, ground = ink or self._own[0], ground or self._own[1]
        assert not isinstance(ink, bool)  # noqa: S101, for the type checker
        assert not isinstance(ground, bool)  # noqa: S101
        if "dim" in self._style:
            ink = mixed(ink, ground, 0.6)
        if "reverse" in self._style:
            ink, ground = ground, ink
        cell = Cell(letter, ink, ground, "bold" in self._style, "underline" in self._style)
        self._cells[row][column] = cell
        if width == 2:
            self._cells[row][column + 1] = cell._replace(letter="")
        self._at = row, column + width

    def _dress(self, codes: Iterator[int]) -> None:
        marks = {1: "bold", 2: "dim", 4: "underline", 7: "reverse"}
        for code in codes:
            if code == 0:
                self._style = {}
            elif code in marks:
                self._style[marks[code]] = True
            elif code in {22, 24, 27, 39, 49}:
                gone = {22: ("bold", "dim"), 24: ("underline",), 27: ("reverse",), 39: ("ink",)}
                for part in gone.get(code, ("ground",)):
                    self._style.pop(part, None)
            elif code in {38, 48}:
                colour = indexed(next(codes)) if next(codes) == 5 else _three(codes)
                self._style["ink" if code == 38 else "ground"] = colour
            elif code // 10 in {3, 4, 9, 10}:
                part = "ink" if code // 10 in {3, 9} else "ground"
                self._style[part] = LOW[code % 10 + (8 if code >= 90 else 0)]


def _three(codes: Iterator[int]) -> Rgb:
    return next(codes), next(codes), next(codes)


def indexed(number: int) -> Rgb:
    """One of the 256."""
    if number < 16:
        return LOW[number]
    if number >= 232:
        level = 8 + 10 * (number - 232)
        return level, level, level
    number -= 16
    return CUBE[number // 36], CUBE[number // 6 % 6], CUBE[number % 6]


def mixed(one: Rgb, other: Rgb, part: float) -> Rgb:
    red, green, blue = (round(part * a + (1 - part) * b) for a, b in zip(one, other, strict=True))
    return red, green, blue
