"""A word half laid, and tiles chosen to be exchanged or given back.

Whatever keys are pressed, every tile is either in the hand or on the board, once.
"""

from collections import Counter
from collections.abc import Iterator
from enum import Enum, auto
from itertools import starmap

from msgspec import Struct
from msgspec.structs import replace

from diadem_shared.games.diamino.board import EMPTY, Board
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.tiles import JOKER, from_hand, sorted_hand, without


class Hitch(Enum):
    """Why a key has set down or taken up nothing."""

    NOT_HELD = auto()
    JOKER_OFFERED = auto()
    """Only a joker can be that letter: the same key once more lays it."""
    NO_JOKER = auto()
    NO_ROOM = auto()
    NOTHING_HERE = auto()
    NOTHING_LAID = auto()


class Placed(Struct, frozen=True):
    square: int
    tile: str
    """Lower case for a joker that stands for the letter."""


class Draft(Struct, frozen=True):
    board: Board
    hand: str
    order: str
    """The hand as the player has arranged it, tiles on the board included."""
    cursor: int
    direction: Direction = Direction.ACROSS
    placed: tuple[Placed, ...] = ()
    """In the order in which they were set down."""
    joker: bool = False
    """The next letter is laid with a joker."""
    offered: str = ""

    # What there is

    @property
    def tiles(self) -> dict[int, str]:
        return {each.square: each.tile for each in self.placed}

    @property
    def by_field(self) -> dict[str, str]:
        return {self.board.layout.name(each.square): each.tile for each in self.placed}

    @property
    def on_board(self) -> str:
        """The tiles of the hand that lie on the board."""
        return from_hand("".join(each.tile for each in self.placed))

    @property
    def remaining(self) -> str:
        """What is left in the hand, as it is arranged."""
        return without(self.order, self.on_board)

    # Moving about

    def moved(self, across: int, down: int) -> "Draft":
        """The cursor stays on the board."""
        width, height = self.board.layout.width, self.board.layout.height
        row, column = divmod(self.cursor, width)
        row = min(max(row + down, 0), height - 1)
        column = min(max(column + across, 0), width - 1)
        return self.at(row * width + column)

    def at(self, square: int) -> "Draft":
        return replace(self, cursor=square, offered="")

    def turned(self) -> "Draft":
        across = self.direction is Direction.ACROSS
        return replace(self, direction=Direction.DOWN if across else Direction.ACROSS)

    # Setting down

    def with_joker(self) -> "tuple[Draft, Hitch | None]":
        """The next letter is a joker's, or not after all."""
        if not self.joker and JOKER not in self.remaining:
            return self, Hitch.NO_JOKER
        return replace(self, joker=not self.joker, offered=""), None

    def with_letter(self, letter: str) -> "tuple[Draft, Hitch | None]":
        """Set a letter down on the first free field from the cursor on."""
        letter, remaining = letter.upper(), self.remaining
        as_joker = self.joker or self.offered == letter
        if not as_joker and letter not in remaining:
            if JOKER not in remaining:
                return replace(self, offered=""), Hitch.NOT_HELD
            return replace(self, offered=letter), Hitch.JOKER_OFFERED
        square = next(self.free_from(self.cursor), None)
        if square is None:
            return self, Hitch.NO_ROOM
        placed = Placed(square, letter.lower() if as_joker else letter)
        after = replace(self, placed=(*self.placed, placed), joker=False, offered="")
        return after.at(next(after.free_from(square), square)), None

    def laying(self, play: Play) -> "Draft":
        """These tiles in place of whatever was set down."""
        square = self.board.layout.square(play.start)
        if square is None:
            return self
        draft = replace(self.emptied(), direction=play.direction)
        fields = zip(draft.free_from(square), play.tiles, strict=False)
        return replace(draft, placed=tuple(starmap(Placed, fields))).at(square)

    # Taking back

    def without_last(self) -> "tuple[Draft, Hitch | None]":
        if not self.placed:
            return replace(self, joker=False, offered=""), Hitch.NOTHING_LAID
        *before, last = self.placed
        return replace(self, placed=tuple(before), cursor=last.square, joker=False), None

    def without_here(self) -> "tuple[Draft, Hitch | None]":
        kept = tuple(each for each in self.placed if each.square != self.cursor)
        if len(kept) == len(self.placed):
            return self, Hitch.NOTHING_HERE
        return replace(self, placed=kept, offered=""), None

    def emptied(self) -> "Draft":
        """All back, and the cursor to where they began."""
        cursor = self.placed[0].square if self.placed else self.cursor
        return replace(self, placed=(), cursor=cursor, joker=False, offered="")

    # The hand, and the table around

    def arranged(self, order: str) -> "Draft":
        """The same tiles in another order."""
        return replace(self, order=order) if sorted(order) == sorted(self.order) else self

    def seen(self, board: Board, hand: str) -> "Draft":
        """On another view: tiles go back to the hand where a field was taken, or a tile is gone."""
        if board.layout != self.board.layout:
            return new_draft(board, hand)
        lost = "".join((Counter(self.order) - Counter(hand)).elements())
        gained = "".join((Counter(hand) - Counter(self.order)).elements())
        order = _keeping(self.order, lost) + gained
        if self.order == sorted_hand(self.order):
            order = sorted_hand(order)
        left, placed = hand, []
        for each in self.placed:
            tile = from_hand(each.tile)
            if board.letters[each.square] == EMPTY and tile in left:
                left = left.replace(tile, "", 1)
                placed.append(each)
        joker = self.joker and JOKER in left
        return replace(
            self, board=board, hand=hand, order=order, placed=tuple(placed), joker=joker, offered=""
        )

    def free_from(self, square: int) -> Iterator[int]:
        """The fields without a letter, from this one to the edge."""
        width, taken = self.board.layout.width, self.tiles
        if self.direction is Direction.DOWN:
            path = range(square, len(self.board.letters), width)
        else:
            path = range(square, square - square % width + width)
        return (at for at in path if self.board.letters[at] == EMPTY and at not in taken)


def new_draft(board: Board, hand: str) -> Draft:
    return Draft(board=board, hand=hand, order=hand, cursor=board.layout.start)


def _keeping(order: str, lost: str) -> str:
    """Without the lost tiles; of equal ones the last go."""
    return without(order[::-1], lost)[::-1]


class Parcel(Struct, frozen=True):
    """Tiles marked to be exchanged, or to be given back."""

    hand: str
    most: int
    marked: str = ""

    def toggled(self, tile: str) -> "Parcel | None":
        """One more of a tile, and none of it after the last; None where that cannot be."""
        held, already = self.hand.count(tile), self.marked.count(tile)
        if already < held and len(self.marked) < self.most:
            return replace(self, marked=self.marked + tile)
        if already:
            return replace(self, marked=self.marked.replace(tile, ""))
        return None

    def without_last(self) -> "Parcel":
        return replace(self, marked=self.marked[:-1])

    def seen(self, hand: str, most: int) -> "Parcel":
        """What is still there stays marked."""
        kept, left = "", hand
        for tile in self.marked:
            if tile in left and len(kept) < most:
                left = left.replace(tile, "", 1)
                kept += tile
        return Parcel(hand, most, kept)
