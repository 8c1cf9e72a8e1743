"""How much there is of something, here and on other nodes."""

from diadem_server.limits.counts import Counts

HERE, THERE = "192.0.2.1", "192.0.2.2"


def test_what_is_elsewhere_counts_until_it_is_gone_or_its_node_is() -> None:
    counts = Counts()
    counts.add(HERE)
    counts.set_elsewhere(1, {HERE: 2, THERE: 1})
    counts.set_elsewhere(2, {HERE: 4})
    assert (counts[HERE], counts[THERE]) == (7, 1)
    counts.set_elsewhere(1, {THERE: 0})
    assert (counts[HERE], counts[THERE]) == (7, 0), "what is left out is as before"
    counts.forget(1)
    assert counts[HERE] == 5


def test_nothing_is_kept_of_what_is_gone() -> None:
    counts = Counts()
    changed: list[str] = []
    counts.changed = changed.append
    counts.add(HERE, 3)
    counts.add(HERE, -3)
    counts.set_elsewhere(1, {THERE: 0})
    assert changed == [HERE, HERE]
    assert not counts.here
    assert counts[THERE] == 0
