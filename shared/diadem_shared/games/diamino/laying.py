"""Setting tiles down: which squares they come to lie on, and which runs they form."""

from collections.abc import Iterator

import msgspec

from diadem_shared.games.diamino.board import EMPTY, Board, FieldKind
from diadem_shared.games.diamino.play import Direction, LooseTiles, Play


class Span(msgspec.Struct, frozen=True):
    """The squares of a run of two or more letters."""

    squares: range
    direction: Direction


class Laying(msgspec.Struct, frozen=True):
    """The tiles of a play, as far as they could be set down."""

    board: Board
    tiles: dict[int, str]
    """New tile by square, in rising order of squares."""
    letters: str
    """The letters of the board with the new tiles; `*` where a joker is not named yet."""
    off: str
    """Tiles that fell beside the board."""
    taken: list[str]
    """Fields that carried a letter already."""

    @property
    def direction(self) -> Direction | None:
        """The line the new tiles lie in, if they do; a single tile counts as across."""
        width = self.board.layout.width
        if len({square // width for square in self.tiles}) == 1:
            return Direction.ACROSS
        if len({square % width for square in self.tiles}) == 1:
            return Direction.DOWN
        return None

    @property
    def line(self) -> range:
        """All squares from the first to the last new tile, when these lie in one line."""
        squares = tuple(self.tiles)
        return range(squares[0], squares[-1] + 1, step(self.board, self.direction))

    def fields(self, kind: FieldKind) -> list[str]:
        """The new tiles' fields of one kind."""
        fields = self.board.layout.fields
        return names(self.board, [at for at in self.tiles if fields[at] == kind])

    def text(self, span: Span) -> str:
        return "".join(self.letters[square] for square in span.squares)

    def spans(self) -> list[Span]:
        """Every run the new tiles form; those along the play come first."""
        along = self.direction or Direction.ACROSS
        found: dict[Span, None] = {}
        for direction in sorted(Direction, key=lambda direction: direction is not along):
            for square in self.tiles:
                span = Span(_run(self.board, self.letters, square, direction), direction)
                if len(span.squares) > 1:
                    found[span] = None
        return list(found)


def set_down(board: Board, play: Play | LooseTiles) -> Laying:
    tiles: dict[int, str] = {}
    off = ""
    taken: list[str] = []
    for square, tile in _targets(board, play):
        if square is None:
            off += tile
        elif board.letters[square] != EMPTY:
            taken.append(board.layout.name(square))
        else:
            tiles[square] = tile
    letters = list(board.letters)
    for square, tile in tiles.items():
        letters[square] = tile
    return Laying(board, dict(sorted(tiles.items())), "".join(letters), off, taken)


def names(board: Board, squares: list[int]) -> list[str]:
    return [board.layout.name(square) for square in squares]


def step(board: Board, direction: Direction | None) -> int:
    """From one square to the next along a direction."""
    return board.layout.width if direction is Direction.DOWN else 1


def _targets(board: Board, play: Play | LooseTiles) -> Iterator[tuple[int | None, str]]:
    """Where each tile is meant to go; None is off the board."""
    if isinstance(play, LooseTiles):
        for name, tile in play.tiles.items():
            yield board.layout.square(name), tile
        return
    path = _path(board, play)
    yield next(path, None), play.tiles[0]
    free = (square for square in path if board.letters[square] == EMPTY)
    for tile in play.tiles[1:]:
        yield next(free, None), tile


def _path(board: Board, play: Play) -> Iterator[int]:
    """The squares from a play's first field to the edge."""
    start = board.layout.square(play.start)
    if start is None:
        return
    if play.direction is Direction.DOWN:
        yield from range(start, len(board.letters), board.layout.width)
    else:
        yield from range(start, start - start % board.layout.width + board.layout.width)


def _run(board: Board, letters: str, square: int, direction: Direction) -> range:
    """The longest stretch of letters through a square."""
    width = board.layout.width
    by = step(board, direction)
    if direction is Direction.DOWN:
        low, high = square % width, len(letters)
    else:
        low = square - square % width
        high = low + width
    first = last = square
    while first - by >= low and letters[first - by] != EMPTY:
        first -= by
    while last + by < high and letters[last + by] != EMPTY:
        last += by
    return range(first, last + 1, by)
