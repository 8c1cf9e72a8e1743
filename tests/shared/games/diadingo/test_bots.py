"""What the bots see, remember and choose."""

from collections import Counter

import pytest

from diadem_shared.chance import Chance
from diadem_shared.games.diadingo.board import DECK, SPOTS, THEFT, Value
from diadem_shared.games.diadingo.bots import BOTS, weigh_theft
from diadem_shared.games.diadingo.outlook import Outlook
from diadem_shared.games.diadingo.table import (
    Decline,
    Hand,
    Move,
    Opened,
    Options,
    PublicState,
    State,
    Steal,
    Take,
    Tried,
)
from tests.cases import cases
from tests.shared.games.diadingo.positions import (
    FIXED_SPOTS,
    GAME,
    PLAIN,
    PROFESSIONAL,
    position,
)

FORGETTING = {"zombie": 0, "naive": 0, "forgetful": 0.7, "human": 0.92, "perfect": 1}
"""How likely each level still knows of a miss after one more try."""


def choices(level: str, state: State, told: list[Tried], times: int = 200) -> Counter[Move]:
    """What so many bots of that level choose here, after hearing this."""
    chosen = Counter[Move]()
    for number in range(times):
        mind = BOTS[level](Chance(number.to_bytes(2, "little")))
        mind.see(Opened(0))
        for event in told:
            mind.see(event)
        chosen[mind.choose(GAME.view(state, state.turn))] += 1
    return chosen


MISSES = [Tried(0, spot, 1000, loose=False) for spot in FIXED_SPOTS]
LAST_LOOSE = position(1000, Hand(), Hand(), loose=("A1",))


def test_levels_are_listed_weakest_first() -> None:
    assert list(BOTS) == list(FORGETTING)


def test_a_perfect_memory_never_tries_in_vain_again() -> None:
    """D-12: it was told of every miss as it happened."""
    assert choices("perfect", LAST_LOOSE, MISSES) == {Take("A1"): 200}


@cases("level", FORGETTING)
def test_a_memory_is_as_good_as_its_level(level: str) -> None:
    told = [MISSES[0], Tried(1, "A1", 1000, loose=True)]
    state = position(1000, Hand(), Hand(), loose=("A2",))
    again = choices(level, state, told, 2000)[Take(FIXED_SPOTS[0])] / 2000
    forgotten = 1 - FORGETTING[level]
    assert again == pytest.approx(forgotten / len(state.board), abs=0.02)


def test_a_new_round_is_begun_with_an_empty_head() -> None:
    """D-1: diamonds are shuffled anew."""
    mind = BOTS["perfect"](Chance(b"round"))
    for event in MISSES:
        mind.see(event)
    mind.see(Opened(1))
    state = position(1000, Hand(), Hand())
    chosen = {mind.choose(GAME.view(state, 0)) for _ in range(400)}
    assert chosen == set(map(Take, SPOTS))


@cases("level", BOTS)
def test_what_is_marked_is_not_tried(level: str) -> None:
    """D-12: in marked play nobody needs a memory."""
    state = position(
        1000, Hand(), Hand(), loose=("A1",), proved=FIXED_SPOTS, options=Options(play="marked")
    )
    assert choices(level, state, []) == {Take("A1"): 200}


@pytest.mark.parametrize("level", ["zombie", "human", "perfect"])
def test_who_thinks_of_thefts_steals_what_wins(level: str) -> None:
    """D-5: with the last card."""
    state = position(THEFT, Hand(empty=(1000, 6000)), Hand((1000, 6000)), Hand((1000,)), deck=())
    assert set(choices(level, state, [], 10)) == {Steal(6000, 1)}


def test_a_naive_thief_hardly_ever_takes_the_dearest() -> None:
    empty = (1000, 2000, 3000, 4000, 5000, 6000)
    state = position(THEFT, Hand(empty=empty), Hand(empty), deck=())
    stolen = choices("naive", state, [], 600)
    assert stolen[Steal(6000, 1)] < 10
    assert stolen[Steal(1000, 1)] > 200


def late(*hands: Hand, deck: tuple[Value, ...] = (), options: Options = PLAIN) -> PublicState:
    """A theft lies open near the end, and all other rings lie empty before one more player."""
    held = [value for hand in hands for value in (*hand.filled, *hand.empty)]
    rest = Counter(card for card in DECK if isinstance(card, int)) - Counter((*held, *deck))
    others = Hand(empty=tuple(sorted(rest.elements())))
    return GAME.public(position(THEFT, *hands, others, deck=deck, options=options))


def test_a_thief_robs_the_leader() -> None:
    """D-5, D-11: where the same diamond from another would not do."""
    table = late(Hand((4000,), (3000,)), Hand((3000,)), Hand((3000, 5000)))
    assert weigh_theft(table, remembered=0)[0].move == Steal(3000, 2)


def test_a_thief_thinks_of_who_plays_next() -> None:
    """D-7: only after the third is there a card left for the thief."""
    rich = Hand((3000,))
    table = late(Hand(empty=(3000,)), rich, rich, rich, deck=(6000,) * 3)
    assert weigh_theft(table, remembered=0)[0].move == Steal(3000, 3)


def test_declining_pays_when_the_last_try_is_worth_more() -> None:
    """D-6."""
    table = late(Hand((5000,), (1000,)), Hand((1000, 6000)), deck=(6000,))
    assert weigh_theft(table, remembered=0)[0].move == Decline()


def test_debts_are_reckoned_with_in_professional_scoring() -> None:
    """D-10."""
    hands = Hand((6000,), (6000,)), Hand((1000,))
    reckoned = [
        Outlook(late(*hands, options=options), remembered=0).of_winning(0, hands, following=0)
        for options in (PLAIN, PROFESSIONAL)
    ]
    assert reckoned == pytest.approx([1, 0])


def test_more_set_rings_break_a_tie() -> None:
    """D-11."""
    hands = Hand((1000, 2000)), Hand((3000,))
    assert Outlook(late(*hands), remembered=0).of_winning(0, hands, following=0) > 0.5
