"""The pictures of the castles games in lines, for terminals without colours or with ASCII only.

The parts lie in three storeys of two: 1 and 2 on top, 3 and 4 below them, 5 and 6 at the foot.
"""

from diadem_shared.games.castles.editions import CURRENCY, DANGER, SHIELD, Card

PART_WIDTH, PART_HEIGHT = 12, 3
WIDTH, HEIGHT = 2 * PART_WIDTH, 3 * PART_HEIGHT


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.removeprefix(":").removesuffix(":") for line in text.strip("\n").split("\n"))


CASTLE = _lines("""
:     |>          |>     :
:    /^\\  _ __ _  /^\\    :
:   /___\\[_]__[_]/___\\   :
:   | o |  _  _  | o |   :
:   |   | |_||_| |   |   :
:   |_ _|________|_ _|   :
: __|   |  ____  |   |__ :
:|_ | o | / || \\ | o | _|:
:|__|___|_|_||_|_|___|__|:
""")

SHIP = _lines("""
:       |>       |>      :
:      _|_      _|_      :
:     /   \\    /   \\     :
:    /_____\\  /_____\\    :
:   (_______)(_______)   :
:       |        |   __  :
: \\_____|________|__|oo| :
:  \\  o   o   o   o   /  :
:~~~\\________________/~~~:
""")

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


def place_of(number: int) -> tuple[int, int]:
    """The column and the row in which a part of a building begins."""
    row, column = divmod(number - 1, 2)
    return column * PART_WIDTH, row * PART_HEIGHT


def part_of(drawing: tuple[str, ...], number: int) -> tuple[str, ...]:
    x, y = place_of(number)
    return tuple(line[x : x + PART_WIDTH] for line in drawing[y : y + PART_HEIGHT])
