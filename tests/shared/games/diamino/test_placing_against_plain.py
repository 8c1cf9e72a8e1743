"""`judge` against the plain checker: the same reasons for any draft, the same runs for a legal one."""

import random
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from diadem_shared.games.diamino.board import field_name
from diadem_shared.games.diamino.finder import Finder
from diadem_shared.games.diamino.placing import judge
from diadem_shared.games.diamino.play import LooseTiles
from diadem_shared.games.diamino.refusals import LayingCode
from diadem_shared.games.diamino.verdict import BLACK_REASONS, Illegal, Legal, Verdict
from tests.shared.games.diamino.plain import Table, Tiles
from tests.shared.games.diamino.tables import (
    LETTERS,
    board_of,
    lexicon_of,
    place,
    random_table,
    terms_of,
)
from tests.thoroughness import times


def strewn(chance: random.Random, table: Table) -> Tiles:
    """Tiles anywhere, some beside the board or on letters."""
    rows, columns = len(table.rows), len(table.rows[0])
    return {
        (chance.randrange(rows + 1), chance.randrange(columns + 1)): chance.choice(LETTERS + "en*")
        for _ in range(chance.randint(0, 4))
    }


def word_somewhere(chance: random.Random, table: Table) -> Tiles:
    """The missing letters of a word, at a place where it agrees with what lies there."""
    word = chance.choice(sorted(table.words))
    row, column = chance.randrange(len(table.rows)), chance.randrange(len(table.rows[0]))
    down, right = chance.choice(((0, 1), (1, 0)))
    places = [(row + n * down, column + n * right) for n in range(len(word))]
    return {at: tile for at, tile in zip(places, word, strict=True) if at not in table.lying}


def found(chance: random.Random, table: Table) -> Tiles:
    """A legal play, with a tile changed now and then."""
    findings = Finder(lexicon_of(table)).find(board_of(table), table.hand, terms_of(table))
    if not findings:
        return {}
    play = findings.nth(chance.randrange(findings.count()))
    verdict = judge(board_of(table), play, table.hand, terms_of(table), None)
    assert isinstance(verdict, Legal)
    draft = {place(name): tile for name, tile in verdict.laid.items()}
    if chance.random() < 0.3:
        draft[chance.choice(sorted(draft))] = chance.choice(LETTERS)
    return draft


def a_case(seed: int) -> tuple[Table, Tiles, Verdict]:
    chance = random.Random(seed)
    table = random_table(seed)
    draft = chance.choice((strewn, word_somewhere, found))(chance, table)
    if chance.random() < 0.3:
        table.hand = "".join(sorted("*" if tile.islower() else tile for tile in draft.values()))
    named = LooseTiles({field_name(*at): tile for at, tile in draft.items()})
    return (
        table,
        draft,
        judge(board_of(table), named, table.hand, terms_of(table), lexicon_of(table)),
    )


def codes(verdict: Verdict) -> list[str]:
    if isinstance(verdict, Legal):
        return []
    return [reason.code for reason in verdict.reasons]


@pytest.mark.slow
@given(st.integers(0, 1 << 32))
@example(2903)  # a crooked opening with a run that ends on the start
@settings(max_examples=times(600, 6000))
def test_every_reason_is_named_and_no_other(seed: int) -> None:
    table, draft, verdict = a_case(seed)
    assert sorted(codes(verdict)) == sorted(table.refusals(draft))


@given(st.integers(0, 1 << 32))
@settings(max_examples=times(300, 3000))
def test_a_legal_play_forms_the_runs_and_covers_the_fields_it_should(seed: int) -> None:
    table, draft, verdict = a_case(seed)
    if isinstance(verdict, Illegal):
        return
    letters = {**table.lying, **draft}
    assert {place(name): tile for name, tile in verdict.laid.items()} == draft
    assert Counter((place(run.start), run.tiles) for run in verdict.runs) == Counter(
        (run[0], "".join(letters[at] for at in run)) for run in table.runs(draft)
    )
    for run in verdict.runs:
        assert run.readings
        assert [reading for reading in run.readings if reading.word not in table.words] == []
    for kind, fields in (("g", verdict.greens), ("R", verdict.reds), ("#", verdict.blacks)):
        assert {place(name) for name in fields} == {at for at in draft if table.kind(at) == kind}
    assert Counter(verdict.used) + Counter(verdict.left) == Counter(table.hand)
    assert len(verdict.used) == len(draft)
    assert judge(board_of(table), verdict.play, table.hand, terms_of(table), lexicon_of(table)) == (
        verdict
    )


@pytest.mark.slow
def test_the_cases_reach_every_reason_and_legal_plays_of_every_sort() -> None:
    """Else the two properties above would hold of nothing."""
    cases = [a_case(seed) for seed in range(1500)]
    seen = Counter(code for _, _, verdict in cases for code in codes(verdict))
    assert set(seen) == set(LayingCode)
    assert min(seen.values()) >= 10, seen
    refusals = [
        reason
        for *_, verdict in cases
        if isinstance(verdict, Illegal)
        for reason in verdict.reasons
    ]
    black = [reason.about["why"] for reason in refusals if reason.code == "black_field"]
    assert {why for whys in black if isinstance(whys, list) for why in whys} == set(BLACK_REASONS)
    legal = [(table, verdict) for table, _, verdict in cases if isinstance(verdict, Legal)]
    assert len(legal) > 200
    assert any(verdict.blacks and table.rummy for table, verdict in legal)
    assert any(verdict.blacks and not table.rummy for table, verdict in legal)
    assert any(not table.lying for table, _ in legal)
