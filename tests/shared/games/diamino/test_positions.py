"""Recorded positions: the finder's counts, and a generator that shares nothing with it."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from diadem_shared.games.diamino.board import Board
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.findings import Findings
from diadem_shared.games.diamino.play import Direction
from diadem_shared.lexicon import shipped
from tests.cases import cases
from tests.shared.games.diamino.tables import board_of, lexicon_of, random_table, terms_of
from tests.thoroughness import times
from tools.bench._dawg import Generator, MadePlay
from tools.bench._positions import SMALL_HAND, Counted, Position, count_fits, load

LANGUAGES = ("de", "en", "fr")
TABLES = range(1000, 1200)


@cache
def finder(language: str) -> Finder:
    return Finder(shipped.load(language))


def counted_positions(language: str) -> Iterator[tuple[Position, Counted]]:
    for position in load()[language]:
        for counted in position.counts:
            yield position, counted


def made(findings: Findings, board: Board) -> list[MadePlay]:
    """The plays as the generator writes them."""
    width = board.layout.width
    return [
        (
            board.layout.square(play.start) or 0,
            1 if play.direction is Direction.ACROSS else width,
            play.tiles,
        )
        for play in findings
    ]


def normal(plays: list[MadePlay]) -> list[MadePlay]:
    """A single tile lies neither across nor down."""
    return sorted((first, step if len(tiles) > 1 else 1, tiles) for first, step, tiles in plays)


@pytest.mark.slow
@cases("language", LANGUAGES)
def test_counts_are_those_recorded(language: str) -> None:
    """Recording has compared them with the textbook generator, and the bench does."""
    for position, counted in islice(counted_positions(language), None, None, times(2, 1)):
        findings = finder(language).find(position.board, counted.hand, counted.terms)
        assert (count_fits(findings), findings.count()) == (counted.fits, counted.plays)


@cases("seed", [seed for seed in TABLES if random_table(seed).lying])
def test_the_generator_makes_the_very_plays_that_are_found(seed: int) -> None:
    table = random_table(seed)
    board, terms = board_of(table), terms_of(table)
    findings = Finder(lexicon_of(table)).find(board, table.hand, terms)
    generated = Generator(table.words).plays(board, table.hand, terms, sparing=False)
    assert normal(generated) == normal(made(findings, board))


def test_the_recorded_positions_have_what_is_worth_counting() -> None:
    for language in LANGUAGES:
        assert len(load()[language]) == 10
        assert any("*" in counted.hand for _, counted in counted_positions(language))
        assert any(
            letter.islower()
            for position, _ in counted_positions(language)
            for letter in position.letters
        )
        assert any(
            "#" in [position.board.layout.fields[square] for square in found.slot.squares]
            for position, counted in counted_positions(language)
            if len(counted.hand) < SMALL_HAND
            for found in finder(language).find(position.board, counted.hand, counted.terms).found
        )
