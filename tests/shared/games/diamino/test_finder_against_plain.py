"""The finder against brute force: every word, at every place, in every way."""

import pytest

from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.verdict import Legal
from tests.cases import cases
from tests.shared.games.diamino.plain import every_play
from tests.shared.games.diamino.tables import (
    board_of,
    lexicon_of,
    place,
    random_table,
    terms_of,
)
from tests.thoroughness import times

TABLES = times(60, 2400)


@pytest.mark.slow
@cases("seed", range(TABLES))
def test_finds_exactly_the_plays_that_brute_force_finds(seed: int) -> None:
    table = random_table(seed)
    board, terms, lexicon = board_of(table), terms_of(table), lexicon_of(table)
    findings = Finder(lexicon).find(board, table.hand, terms)

    laid = []
    for play in findings:
        verdict = judge(board, play, table.hand, terms, lexicon)
        assert isinstance(verdict, Legal), verdict
        assert verdict.play == play
        laid.append(frozenset((place(name), tile) for name, tile in verdict.laid.items()))

    assert len(laid) == len(set(laid)) == findings.count()
    assert set(laid) == set(every_play(table))
