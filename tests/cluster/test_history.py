"""The checker of histories finds what it is there to find."""

import pytest

from tests.cluster.history import History, Kept, Promised, Seen

JOURNAL = {"T": [Kept(1, "Ana", 1), Kept(2, "Bob", 1), Kept(3, None, None), Kept(4, "Ana", 2)]}


def history(promised: list[Promised], seen: list[Seen]) -> History:
    made = History()
    made.promised, made.seen = promised, seen
    return made


def promise(player: str, command: int, entry: int, sent: float, answered: float) -> Promised:
    return Promised("T", player, command, entry, sent, answered)


GOOD = [
    promise("Ana", 1, 1, 0.0, 1.0),
    promise("Bob", 1, 2, 0.5, 2.0),
    promise("Ana", 2, 4, 2.5, 3.0),
]


def test_what_is_as_it_should_be_passes() -> None:
    again = promise("Ana", 1, 1, 0.0, 9.0)
    seen = [Seen("T", "Ana", 1), Seen("T", "Bob", 4), Seen("T", "Ana", 1), Seen("T", "Ana", 4)]
    assert history([*GOOD, again], seen).faults(JOURNAL) == []
    assert history(GOOD[:2], seen).faults(JOURNAL) == [], "the last answer may be on its way"


@pytest.mark.parametrize(
    ("promised", "fault"),
    [
        ([promise("Ana", 3, 5, 0.0, 1.0)], "is not in the journal"),
        ([promise("Bob", 1, 1, 0.0, 1.0)], "is not in the journal"),
        ([GOOD[0], promise("Bob", 1, 1, 0.0, 1.0)], "was acknowledged to two"),
        ([*GOOD, promise("Ana", 1, 3, 0.0, 4.0)], "was acknowledged as [1, 3]"),
        ([GOOD[1], GOOD[2]], "was acknowledged to nobody"),
        ([promise("Ana", 2, 4, 0.0, 1.0), promise("Bob", 1, 2, 1.5, 2.0)], "comes before entry 4"),
    ],
)
def test_what_was_promised_and_not_kept_is_found(promised: list[Promised], fault: str) -> None:
    assert any(fault in each for each in history(promised, []).faults(JOURNAL))


@pytest.mark.parametrize(
    ("seen", "fault"),
    [
        ([Seen("T", "Ana", 2), Seen("T", "Ana", 1)], "goes back behind 2"),
        ([Seen("T", "Ana", 5)], "shows what the journal has not"),
    ],
)
def test_a_view_that_should_not_be_is_found(seen: list[Seen], fault: str) -> None:
    assert [fault in each for each in history([], seen).faults(JOURNAL)] == [True]


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([Kept(1, "Ana", 1), Kept(3, "Ana", 2)], "gaps"),
        ([Kept(1, "Ana", 1), Kept(1, "Bob", 1)], "numbers twice"),
        ([Kept(1, "Ana", 1), Kept(2, "Ana", 1)], "carried out twice"),
    ],
)
def test_a_journal_that_is_no_history_is_found(rows: list[Kept], fault: str) -> None:
    assert any(fault in each for each in history([], []).faults({"T": rows}))
