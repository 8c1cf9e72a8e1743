"""What the emulator of a terminal holds, in the page's terms."""

from ast import literal_eval

from rich.color import Color
from rich.terminal_theme import TerminalTheme

from tests.client.emulator import Terminal
from tests.page.engine import Engine, Page

OWN = -1
BLOCK = "\u2588"
MARKS = {"1": 1, "2": 2, "3": 4, "4": 8, "5": 16, "7": 32, "9": 64}
SEEN_ON_BLANKS = 8 | 16 | 32 | 64
SIXTEEN: list[int] = Engine("cells.mjs").ask("SIXTEEN")
THEME = TerminalTheme(
    (0, 0, 0), (0, 0, 0), [((each >> 16) & 255, (each >> 8) & 255, each & 255) for each in SIXTEEN]
)

PageCell = tuple[str, int, int, int]


def emulated(terminal: Terminal) -> list[PageCell]:
    """Row by row."""
    return [_cell(*terminal.cells[place]) for place in sorted(terminal.cells)]


def shown(page: Page) -> list[PageCell]:
    """Only what an eye tells apart: a blank has no ink, and a full block hides its ground."""
    return [_seen(cell) for cell in page.cells]


def _cell(letter: str, style: str) -> PageCell:
    said = dict(literal_eval(style))
    marks = sum(MARKS[mark] for mark in said if mark in MARKS)
    return letter, _colour(said.get("38", "")), _colour(said.get("48", "")), marks


def _colour(said: str) -> int:
    if not said:
        return OWN
    kind, *more = map(int, said.split(";"))
    match kind:
        case 2:
            red, green, blue = more
        case 5:
            red, green, blue = Color.from_ansi(more[0]).get_truecolor(THEME)
        case _:
            number = kind % 10 + (8 if kind >= 90 else 0)
            red, green, blue = Color.from_ansi(number).get_truecolor(THEME)
    return red << 16 | green << 8 | blue


def _seen(cell: PageCell) -> PageCell:
    letter, ink, ground, marks = cell
    if letter == " " and not marks & SEEN_ON_BLANKS:
        return letter, OWN, ground, 0
    if letter == BLOCK and not marks & SEEN_ON_BLANKS:
        return letter, ink, OWN, marks
    return cell
