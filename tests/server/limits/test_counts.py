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
    assert counts.elsewhere == {HERE: 4}


def test_nothing_is_kept_of_what_is_gone_and_each_change_is_told() -> None:
    counts = Counts()
    here, elsewhere = list[tuple[str, int]](), list[tuple[str, int]]()
    counts.changed = lambda *told: here.append(told)
    counts.changed_elsewhere = lambda *told: elsewhere.append(told)
    counts.add(HERE, 3)
    counts.add(HERE, -3)
    for node in (1, 2):
        counts.set_elsewhere(node, {THERE: 2})
    counts.forget(1)
    counts.set_elsewhere(2, {THERE: 0})
    assert here == [(HERE, 3), (HERE, 0)]
    assert elsewhere == [(THERE, 2), (THERE, 4), (THERE, 2), (THERE, 0)]
    assert not counts.here
    assert not counts.elsewhere
