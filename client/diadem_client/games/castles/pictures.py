"""The pictures of the castles games: what is built, six parts to one drawing, and the cards.

The parts lie in three storeys of two: 1 and 2 on top, 3 and 4 below them, 5 and 6 at the foot.
"""

from collections.abc import Collection

from msgspec import Struct

from diadem.games.castles.editions import CURRENCY, DANGER, SHIELD, Card

PART_WIDTH = 12
PART_HEIGHT = 3
WIDTH = 2 * PART_WIDTH
HEIGHT = 3 * PART_HEIGHT


class Picture(Struct, frozen=True):
    fancy: tuple[str, ...]
    plain: tuple[str, ...]

    def lines(self, *, ascii_only: bool) -> tuple[str, ...]:
        return self.plain if ascii_only else self.fancy


def picture(fancy: str, plain: str) -> Picture:
    return Picture(_lines(fancy), _lines(plain))


def _lines(text: str) -> tuple[str, ...]:
    lines = text.strip("\n").split("\n")
    return tuple(line.removeprefix(":").removesuffix(":") for line in lines)


CASTLE = picture(
    """
:     |▸          |▸     :
:    /▴\\  ▟▙▟▙▟▙  /▴\\    :
:   /___\\_|    |_/___\\   :
:   | ▫ |  _  _  | ▫ |   :
:   |   | |▫||▫| |   |   :
:   |_ _|________|_ _|   :
: ▟▙|   |  ____  |   |▟▙ :
:|  | ▫ | / || \\ | ▫ |  |:
:|__|___|_|_||_|_|___|__|:
""",
    """
:     |>          |>     :
:    /^\\  _ __ _  /^\\    :
:   /___\\[_]__[_]/___\\   :
:   | o |  _  _  | o |   :
:   |   | |_||_| |   |   :
:   |_ _|________|_ _|   :
: __|   |  ____  |   |__ :
:|_ | o | / || \\ | o | _|:
:|__|___|_|_||_|_|___|__|:
""",
)

SHIP = picture(
    """
:       |▸       |▸      :
:      _|_      _|_      :
:     /   \\    /   \\     :
:    /_____\\  /_____\\    :
:   (_______)(_______)   :
:       |        |   __  :
: \\_____|________|__|▫▫| :
:  \\  ▫   ▫   ▫   ▫   /  :
:~~~\\________________/~~~:
""",
    """
:       |>       |>      :
:      _|_      _|_      :
:     /   \\    /   \\     :
:    /_____\\  /_____\\    :
:   (_______)(_______)   :
:       |        |   __  :
: \\_____|________|__|oo| :
:  \\  o   o   o   o   /  :
:~~~\\________________/~~~:
""",
)

BUILT = {"castle": CASTLE, "ship": SHIP}

CARDS: dict[str, dict[Card, tuple[str, str]]] = {
    "diamoniak": {
        CURRENCY: (" /\\ ", " \\/ "),
        SHIELD: (" o * ", "/|\\|  "),
        DANGER: ("_/\\_", "(oo)"),
    },
    "piratatak": {
        CURRENCY: (" .-. ", "( $ )"),
        SHIELD: ("___o", "O==='"),
        DANGER: ("_/~\\_", "(x_o)"),
    },
}
"""Two lines for each kind of card; a part shows its own piece of the drawing instead."""


def part_of(drawing: Picture, number: int, *, ascii_only: bool) -> tuple[str, ...]:
    row, column = divmod(number - 1, 2)
    lines = drawing.lines(ascii_only=ascii_only)[row * PART_HEIGHT :][:PART_HEIGHT]
    return tuple(line[column * PART_WIDTH :][:PART_WIDTH] for line in lines)


def missing_part(number: int) -> tuple[str, ...]:
    """A place still to be built on shows which part belongs there."""
    dots = ". " * (PART_WIDTH // 2)
    return (dots, f".    {number}     ", dots)


def built_so_far(
    drawing: Picture, parts: Collection[int], *, ascii_only: bool
) -> list[tuple[int, int, str, bool]]:
    """Every line of every part: column, row, text, and whether the part is there."""
    found = []
    for number in range(1, 7):
        there = number in parts
        piece = part_of(drawing, number, ascii_only=ascii_only) if there else missing_part(number)
        row, column = divmod(number - 1, 2)
        for offset, line in enumerate(piece):
            found.append((column * PART_WIDTH, row * PART_HEIGHT + offset, line, there))
    return found
