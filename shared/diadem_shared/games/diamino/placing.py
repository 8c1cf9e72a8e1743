"""Judging a play: the one place that says whether it may be laid, why not, and what it does."""

from collections.abc import Iterator, Sequence

from diadem_shared.games.diamino.board import EMPTY, Board, FieldKind
from diadem_shared.games.diamino.laying import Laying, Span, names, set_down
from diadem_shared.games.diamino.play import Direction, LooseTiles, Play
from diadem_shared.games.diamino.refusals import LayingCode
from diadem_shared.games.diamino.terms import OPENING_LENGTHS, Terms, WordList
from diadem_shared.games.diamino.tiles import JOKER, from_hand, sorted_hand, without
from diadem_shared.games.diamino.verdict import Illegal, Legal, Reading, Run, Verdict, Way
from diadem_shared.refusals import Refusal


def judge(
    board: Board, play: Play | LooseTiles, hand: str, terms: Terms, lexicon: WordList | None
) -> Verdict:
    """Judge a play or a draft; without a lexicon the table judges the words (M-12)."""
    tried = "".join(play.tiles.values()) if isinstance(play, LooseTiles) else play.tiles
    if not tried:
        return Illegal((Refusal(LayingCode.NOTHING_LAID),))
    laying = set_down(board, play)
    spans = laying.spans()
    runs = [_read(laying, span, lexicon) for span in spans]
    reasons = (
        *_misplaced(laying),
        *_black(laying, hand, terms),
        *_not_held(from_hand(tried), hand),
        *_not_one_line(laying),
        *(_bad_opening(laying, lexicon) if board.is_empty else _no_contact(laying, spans)),
        *_unknown(laying, spans, runs, lexicon),
    )
    return Illegal(reasons) if reasons else _legal(laying, tuple(runs), hand, terms)


def lay(board: Board, legal: Legal) -> Board:
    """The board after a legal play."""
    squares = {board.layout.square(field): tile for field, tile in legal.laid.items()}
    return board.with_tiles({at: tile for at, tile in squares.items() if at is not None})


def _misplaced(laying: Laying) -> Iterator[Refusal]:
    if laying.off:
        yield Refusal(LayingCode.OFF_BOARD, {"tiles": laying.off})
    if laying.taken:
        yield Refusal(LayingCode.FIELD_TAKEN, {"fields": laying.taken})
    unnamed = [square for square, tile in laying.tiles.items() if tile == JOKER]
    if unnamed:
        yield Refusal(LayingCode.JOKER_UNNAMED, {"fields": names(laying.board, unnamed)})


def _black(laying: Laying, hand: str, terms: Terms) -> Iterator[Refusal]:
    """M-15, and its exceptions for the last tile M-22 and M-30."""
    blacks = laying.fields(FieldKind.BLACK)
    if not blacks:
        return
    why: list[str] = []
    if without(hand, from_hand("".join(laying.tiles.values()))):
        why.append("hand_not_emptied")
    if len(blacks) > 1:
        why.append("more_than_one")
    if terms.black_needs_empty_reserve and terms.reserve:
        why.append("reserve_not_empty")
    if terms.green_draws and laying.fields(FieldKind.GREEN):
        why.append("green_draws")
    if why:
        yield Refusal(LayingCode.BLACK_FIELD, {"fields": blacks, "why": why})


def _not_held(used: str, hand: str) -> Iterator[Refusal]:
    missing = without(sorted_hand(used), hand)
    if missing:
        yield Refusal(LayingCode.NOT_YOUR_TILES, {"tiles": missing})


def _not_one_line(laying: Laying) -> Iterator[Refusal]:
    """M-6."""
    if not laying.tiles:
        return
    if laying.direction is None:
        yield Refusal(LayingCode.NOT_IN_LINE)
        return
    holes = [square for square in laying.line if laying.letters[square] == EMPTY]
    if holes:
        yield Refusal(LayingCode.GAP, {"fields": names(laying.board, holes)})


def _bad_opening(laying: Laying, lexicon: WordList | None) -> Iterator[Refusal]:
    """M-4."""
    layout = laying.board.layout
    squares = tuple(laying.tiles)
    direction = laying.direction
    from_start = direction is not None and _from_start(laying, direction, squares)
    if squares and (not from_start or _is_upside_down(laying, lexicon)):
        yield Refusal(LayingCode.NOT_ON_START, {"start": layout.name(layout.start)})
    if len(squares) not in OPENING_LENGTHS:
        yield Refusal(LayingCode.OPENING_LENGTH, {"length": len(squares)})


def _from_start(laying: Laying, direction: Direction, squares: Sequence[int]) -> tuple[Way, ...]:
    """The ways to read an opening that put its first letter on the start."""
    ends = {Way.DOWN: squares[0], Way.UP: squares[-1]}
    if direction is Direction.ACROSS:
        ends = {Way.ACROSS: squares[0]}
    return tuple(way for way, end in ends.items() if end == laying.board.layout.start)


def _is_upside_down(laying: Laying, lexicon: WordList | None) -> bool:
    """Whether an opening is a word downward that ends on the start, and none upward from there."""
    if lexicon is None or laying.direction is not Direction.DOWN or laying.off:
        return False
    squares = tuple(laying.tiles)
    word = "".join(laying.tiles.values()).upper()
    ends_there = _from_start(laying, Direction.DOWN, squares) == (Way.UP,)
    return ends_there and word in lexicon and word[::-1] not in lexicon


def _no_contact(laying: Laying, spans: list[Span]) -> Iterator[Refusal]:
    """M-5."""
    if not any(set(span.squares) - set(laying.tiles) for span in spans):
        yield Refusal(LayingCode.TOUCHES_NOTHING)


def _ways(laying: Laying, span: Span) -> tuple[Way, ...]:
    """M-8, narrowed for the opening by M-4; one off the start is refused for that alone."""
    ways = (Way.ACROSS,) if span.direction is Direction.ACROSS else (Way.DOWN, Way.UP)
    opening = laying.board.is_empty and _from_start(laying, span.direction, span.squares)
    return opening or ways


def _read(laying: Laying, span: Span, lexicon: WordList | None) -> Run:
    tiles = laying.text(span)
    readings = (
        Reading(tiles.upper()[:: -1 if way is Way.UP else 1], way) for way in _ways(laying, span)
    )
    words = tuple(reading for reading in readings if lexicon is None or reading.word in lexicon)
    start = laying.board.layout.name(span.squares[0])
    return Run(start, span.direction, tiles, words)


def _unknown(
    laying: Laying, spans: list[Span], runs: list[Run], lexicon: WordList | None
) -> Iterator[Refusal]:
    """M-7. What fell off the board is told by itself, and so is an opening that ends on the start."""
    if laying.off or (laying.board.is_empty and _is_upside_down(laying, lexicon)):
        return
    words = [
        run.tiles.upper()[:: -1 if _ways(laying, span) == (Way.UP,) else 1]
        for span, run in zip(spans, runs, strict=True)
        if not run.readings and JOKER not in run.tiles
    ]
    if words:
        yield Refusal(LayingCode.UNKNOWN_WORDS, {"words": words})


def _legal(laying: Laying, runs: tuple[Run, ...], hand: str, terms: Terms) -> Legal:
    layout = laying.board.layout
    tiles = "".join(laying.tiles.values())
    left = without(hand, from_hand(tiles))
    greens = laying.fields(FieldKind.GREEN)
    first = layout.name(next(iter(laying.tiles)))
    return Legal(
        play=Play(first, laying.direction or Direction.ACROSS, tiles),
        laid={layout.name(square): tile for square, tile in laying.tiles.items()},
        runs=runs,
        greens=tuple(greens),
        reds=tuple(laying.fields(FieldKind.RED)),
        blacks=tuple(laying.fields(FieldKind.BLACK)),
        covers_start=bool(laying.fields(FieldKind.START)),
        used=sorted_hand(from_hand(tiles)),
        left=left,
        draws=terms.draws(len(left), len(greens)),
    )
