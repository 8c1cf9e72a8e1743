"""Tables move from full nodes to empty ones: few at a time, between turns, and never to and fro."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from diadem_server.cluster.rebalancing import (
    HERE_SECONDS,
    LEAST_GAP,
    ONE_IN,
    PART_OF_MEAN,
    RECEIVING_SECONDS,
    ROUND_SECONDS,
    STEADY_SECONDS,
    Rebalancing,
    is_between_turns,
    planned,
)
from diadem_server.storage.journal import JournalUnavailable
from diadem_shared.match import Phase
from tests.rig.virtual_clock import VirtualLoop

MINUTE = 60.0
shares = st.dictionaries(st.integers(1, 99), st.integers(0, 2000), min_size=1, max_size=6)
small = st.dictionaries(st.integers(1, 99), st.integers(0, 40), min_size=1, max_size=6)


def gap(shares: dict[int, int]) -> int:
    return max(LEAST_GAP, sum(shares.values()) // len(shares) // PART_OF_MEAN)


def spread(shares: dict[int, int]) -> int:
    return max(shares.values()) - min(shares.values())


def moved(shares: dict[int, int]) -> tuple[dict[int, int], Counter[int], Counter[int]]:
    """What becomes of it when all nodes make the moves of one round; how many each gave and received."""
    gave, received = Counter[int](), Counter[int]()
    for node in shares:
        for other in planned(shares, node):
            gave[node] += 1
            received[other] += 1
    after = {node: count - gave[node] + received[node] for node, count in shares.items()}
    return after, gave, received


# What is planned


@given(shares)
def test_a_round_moves_few_tables_from_nodes_that_have_more_to_nodes_that_have_less(
    shares: dict[int, int],
) -> None:
    after, gave, received = moved(shares)
    mean = sum(shares.values()) / len(shares)
    assert not gave.keys() & received.keys()
    for node, count in gave.items():
        assert count <= max(1, shares[node] // ONE_IN)
        assert shares[node] >= after[node] >= mean - 1
    for node in received:
        assert after[node] <= mean + 1
    assert spread(after) <= spread(shares)
    assert bool(gave) == (spread(shares) >= gap(shares))


@given(small)
def test_after_as_many_moves_as_it_takes_nodes_have_about_as_many_and_no_more_is_moved(
    shares: dict[int, int],
) -> None:
    """No node gives in one round and receives in another."""
    before, gave, received = shares, Counter[int](), Counter[int]()
    while True:
        shares, now_gave, now_received = moved(shares)
        if not now_gave:
            break
        gave, received = gave + now_gave, received + now_received
    assert spread(shares) < gap(shares)
    assert not gave.keys() & received.keys()
    mean = sum(before.values()) / len(before)
    assert gave.total() <= sum(max(0, count - int(mean)) for count in before.values())


@given(small, st.data())
def test_a_table_that_begins_or_ends_moves_none_back(shares: dict[int, int], data: Any) -> None:
    while moved(shares)[1]:
        shares = moved(shares)[0]
    node = data.draw(st.sampled_from(sorted(shares)))
    change = data.draw(st.sampled_from([-1, 1]))
    changed = {**shares, node: max(0, shares[node] + change)}
    _, gave, _ = moved(changed)
    assert gave.total() <= 1
    if gave:
        assert spread(moved(changed)[0]) < LEAST_GAP


def test_a_node_that_is_not_among_them_gives_nothing() -> None:
    assert planned({1: 9, 2: 0}, 3) == planned({}, 3) == planned({3: 9}, 3) == []


# Which tables


def table(
    *,
    phase: Phase = Phase.PLAYING,
    actors: tuple[int, ...] = (0,),
    played_by: str | None = None,
    is_here: bool = True,
    **about: Any,
) -> Any:
    """With one seat."""
    return SimpleNamespace(
        match=SimpleNamespace(
            phase=phase,
            actors=actors if phase is Phase.PLAYING else (),
            commitments=about.get("commitments", ()),
            players=[SimpleNamespace(played_by=played_by)],
            sealed=UNSET,
        ),
        seating=SimpleNamespace(present=[is_here], viewers=about.get("viewers", {})),
        shuffling=SimpleNamespace(is_dealing=about.get("is_dealing", False)),
    )


def test_a_table_goes_between_turns_alone() -> None:
    stays = (
        table(),
        table(phase=Phase.OVER),
        table(phase=Phase.BETWEEN, is_dealing=True),
        table(phase=Phase.BETWEEN, commitments=("sealed",)),
    )
    goes = (
        table(is_here=False),
        table(played_by="zombie"),
        table(phase=Phase.GATHERING),
        table(phase=Phase.BETWEEN),
    )
    assert not any(map(is_between_turns, stays))
    assert all(map(is_between_turns, goes))


# When


class World:
    """Some nodes, how many tables each has, and when a table has moved."""

    def __init__(self, loop: VirtualLoop, **counts: int) -> None:
        self.loop = loop
        self.tables: dict[int, dict[str, Any]] = {
            number: {f"{name}{each}": table(is_here=False) for each in range(count)}
            for number, (name, count) in enumerate(counts.items())
        }
        self.moves: list[float] = []
        self.is_away = False
        self.counted = Counter[int]()
        """How often each node has asked for the shares."""
        self.unopened = 0
        """Tables of the last node that are not open there."""
        self.looked: list[int] = []
        self.refused: set[str] = set()
        self.asked: list[str] = []

    @property
    def counts(self) -> list[int]:
        return [len(each) for each in self.tables.values()]

    async def shares(self, node: int) -> dict[int, int]:
        self.counted[node] += 1
        if self.is_away:
            raise JournalUnavailable
        shares = {number: len(tables) for number, tables in self.tables.items()}
        shares[max(shares)] += self.unopened
        return shares

    def run(self, seconds: float) -> None:
        async def run() -> None:
            tasks = [self._rebalancing(node) for node in self.tables]
            await asyncio.sleep(seconds)
            for task in tasks:
                task.cancel()

        self.loop.run_until_complete(run())

    def _rebalancing(self, node: int) -> "asyncio.Task[None]":
        async def give(table: Any, to: int) -> bool:
            (code,) = (code for code, each in self.tables[node].items() if each is table)
            self.asked.append(code)
            if code in self.refused:
                return False
            await asyncio.sleep(0.1)
            self.tables[to][code] = self.tables[node].pop(code)
            self.moves.append(self.loop.time())
            return True

        rebalancing = Rebalancing(
            *(node, self.tables[node], partial(self.shares, node), give),
            partial(self.looked.append, node),
        )
        return asyncio.create_task(rebalancing.run())


@pytest.fixture
def loop() -> Iterator[VirtualLoop]:
    loop = VirtualLoop(seed=1)
    yield loop
    loop.close()


def test_after_a_rolling_restart_nodes_have_about_as_many_again(loop: VirtualLoop) -> None:
    """In some minutes, a few tables at a time; and then all is quiet."""
    world = World(loop, a=18, b=12, c=0)
    world.run(5 * MINUTE)
    assert spread(dict(enumerate(world.counts))) < LEAST_GAP
    assert world.moves[0] > max(STEADY_SECONDS, HERE_SECONDS)
    for begin in world.moves:
        within = [each for each in world.moves if begin <= each < begin + MINUTE]
        assert len(within) <= len(world.tables) * MINUTE / ROUND_SECONDS
    made = len(world.moves)
    world.run(60 * MINUTE)
    assert len(world.moves) == made


def test_who_is_to_move_keeps_the_table_where_it_is(loop: VirtualLoop) -> None:
    world = World(loop, a=9, b=0)
    stays = {code for code in world.tables[0] if code not in {"a7", "a8"}}
    for code in stays:
        world.tables[0][code] = table()
    world.run(60 * MINUTE)
    assert world.tables[0].keys() == stays


def test_tables_at_which_nobody_is_go_first_and_one_that_cannot_go_holds_up_no_other(
    loop: VirtualLoop,
) -> None:
    world = World(loop, a=4, b=0)
    for number in range(3):
        world.tables[0][f"a{number}"] = table(is_here=False, viewers={"Ana": 1})
    world.refused.add("a3")
    world.run(HERE_SECONDS + 2.5 * ROUND_SECONDS)
    assert world.asked[:2] == ["a3", "a0"]
    assert world.counts == [3, 1]


def test_a_node_that_receives_tables_looks_for_them_each_second(loop: VirtualLoop) -> None:
    world = World(loop, a=9, b=0)
    world.run(MINUTE)
    assert world.counted[0] < MINUTE / ROUND_SECONDS
    assert world.counted[1] > (MINUTE - ROUND_SECONDS) / RECEIVING_SECONDS - 2
    world.run(5 * MINUTE)
    assert not world.looked, "it has opened all that it has"
    world.counted.clear()
    world.run(MINUTE)
    assert world.counted[1] < MINUTE / ROUND_SECONDS, "they are about even"


def test_a_node_looks_for_tables_if_it_was_to_be_given_some_and_has_not_opened_them_all(
    loop: VirtualLoop,
) -> None:
    full, empty = World(loop, a=0, b=9), World(loop, a=9, b=0)
    for world in (full, empty):
        world.unopened = 1
        world.run(MINUTE)
    assert not full.looked
    assert set(empty.looked) == {1}


def test_nothing_moves_while_nodes_come_and_go_or_the_database_is_away(loop: VirtualLoop) -> None:
    world = World(loop, a=9, b=0)
    for _ in range(20):
        world.tables[99] = {}
        world.run(STEADY_SECONDS / 2)
        del world.tables[99]
        world.run(STEADY_SECONDS / 2)
    world.is_away = True
    world.run(10 * MINUTE)
    assert not world.moves
    world.is_away = False
    world.run(10 * MINUTE)
    assert world.moves
