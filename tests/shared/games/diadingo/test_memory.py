"""D-12: what is forgotten, and what may be remembered; and that a leak would be noticed."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Happening, Seat, pack
from diadem_shared.games import GAMES
from diadem_shared.games.diadingo.board import Spot
from diadem_shared.games.diadingo.game import Diadingo
from diadem_shared.games.diadingo.table import (
    DiadingoEvent,
    Hand,
    Missed,
    Move,
    Options,
    PublicState,
    State,
    TableView,
    Take,
    Tried,
)
from tests.cases import cases
from tests.rig import Broken
from tests.rig.interference import check_interference
from tests.shared.games.diadingo.positions import (
    FIXED_SPOTS,
    GAME,
    Step,
    play,
    play_at_random,
    position,
)

MEMORY, MARKED = Options(play="memory"), Options(play="marked")
MISS = FIXED_SPOTS[3]


def test_in_memory_play_the_view_forgets_a_miss_at_once() -> None:
    """D-12."""
    state = position(1000, Hand(), Hand(), options=MEMORY)
    views = {pack(GAME.public(play(state, f"take {spot}")[0])) for spot in FIXED_SPOTS}
    assert len(views) == 1


def test_in_memory_play_a_try_is_public_when_it_happens() -> None:
    """D-12."""
    _, told = play(position(1000, Hand(), Hand(), options=MEMORY), f"take {MISS}")
    assert told[0] == Tried(0, MISS, 1000, loose=False)


def test_in_memory_play_a_later_log_forgets_where_a_miss_was() -> None:
    """D-12."""
    public = GAME.public(position(1000, Hand(), Hand(), options=MEMORY))
    assert GAME.recall(public, Tried(0, MISS, 1000, loose=False)) == Missed(0, 1000)


def test_a_later_log_knows_what_can_be_seen_anyway() -> None:
    """D-12: a spot without a diamond was loose."""
    public = GAME.public(position(1000, Hand(), Hand(), options=MEMORY))
    caught = Tried(0, "A1", 1000, loose=True)
    assert GAME.recall(public, caught) == caught


def test_other_games_forget_nothing() -> None:
    game = GAMES["diamoniak"]
    state, told = game.start(game.read_options({}), 2, None, Chance(b"told"))
    assert game.recall(game.public(state), told[0].event) == told[0].event


def test_in_marked_play_misses_are_marked_for_all() -> None:
    """D-12."""
    before = position(1000, Hand(), Hand(), options=MARKED, proved=(FIXED_SPOTS[5],))
    state, told = play(before, f"take {MISS}")
    assert GAME.public(state).marked == (MISS, FIXED_SPOTS[5])
    assert GAME.recall(GAME.public(state), told[0]) == told[0]


def test_a_marked_spot_may_be_tried_again() -> None:
    """D-4 leaves the choice of the diamond to the player, however foolish."""
    state, _ = play(position(1000, Hand(), Hand(), options=MARKED, proved=(MISS,)), f"take {MISS}")
    assert GAME.public(state).marked == (MISS,)


# Whoever rejoins is given a view and the recalled log. Two games that differ only in where the
# tries failed must give them the same bytes, and a game that leaks must not.


def renamed(game: Sequence[Step], chance: Chance) -> tuple[State, list[Move]]:
    """The same game, but for the names of the diamonds that were never taken."""
    first, last = game[0].state, game[-1].state
    names: dict[Spot, Spot] = {
        **{spot: spot for spot in first.board},
        **dict(zip(last.board, chance.shuffled(last.board), strict=True)),
    }
    loose = {names[spot] for spot in first.loose}
    start = replace(first, loose=tuple(spot for spot in first.board if spot in loose))
    moves = [step.move for step in game if step.move is not None]
    return start, [Take(names[each.spot]) if isinstance(each, Take) else each for each in moves]


def given_on_rejoining(rules: Diadingo, start: State, moves: Sequence[Move]) -> bytes:
    """The view and the log of somebody who comes back after these moves."""
    state, events = start, list[DiadingoEvent]()
    for move in moves:
        state, told = rules.play(state, state.turn, move, Chance(b"unused"))
        events.extend(happening.event for happening in told)
    public = rules.public(state)
    recalled = (rules.recall(public, event) for event in events)
    return b"".join(pack(each) for each in (public, *recalled) if each is not None)


def remembers_misses(rules: Diadingo, seed: int) -> bool:
    """Whether somebody who rejoins, at any time of this game, learns where a try failed."""
    game = list(play_at_random(seed, 4, MEMORY))
    other_start, other_moves = renamed(game, Chance(seed.to_bytes(8, "little"), "names"))
    start, moves = game[0].state, [step.move for step in game if step.move is not None]
    return any(
        given_on_rejoining(rules, start, moves[:length])
        != given_on_rejoining(rules, other_start, other_moves[:length])
        for length in range(0, len(moves), 7)  # at the end all is shown (D-9)
    )


class ListsMisses(Diadingo):
    def public(self, state: State) -> PublicState:
        return replace(super().public(state), marked=state.proved)


class RemembersMisses(Diadingo):
    def recall(self, public: PublicState, event: DiadingoEvent) -> DiadingoEvent:
        return event


class SortsByLooseness(Diadingo):
    def public(self, state: State) -> PublicState:
        ordered = sorted(state.board, key=lambda spot: spot in state.loose)
        return replace(super().public(state), board=tuple(ordered))


class NamesByLooseness(Diadingo):
    def public(self, state: State) -> PublicState:
        named = (spot.lower() if spot in state.loose else spot for spot in state.board)
        return replace(super().public(state), board=tuple(named))

    def explain(self, view: TableView, move: Move) -> None:
        """Its moves are its own, and all are well."""

    def carry_out(
        self, state: State, seat: Seat, move: Move, chance: Chance
    ) -> tuple[State, Sequence[Happening[DiadingoEvent]]]:
        named = Take(move.spot.upper()) if isinstance(move, Take) else move
        return super().carry_out(state, seat, named, chance)


SEEDS = range(12)


@cases("seed", SEEDS)
def test_whoever_rejoins_learns_nothing_of_misses(seed: int) -> None:
    """D-12."""
    assert not remembers_misses(GAME, seed)


@pytest.mark.parametrize("leak", [ListsMisses, RemembersMisses])
def test_a_leak_of_misses_is_noticed(leak: type[Diadingo]) -> None:
    assert [seed for seed in SEEDS if not remembers_misses(leak(), seed)] == []


@pytest.mark.parametrize("leak", [SortsByLooseness, NamesByLooseness])
def test_a_leak_of_looseness_is_noticed(leak: type[Diadingo]) -> None:
    """By the rig, which holds Diadingo itself to D-1 and D-12."""
    with pytest.raises(Broken, match="no view shows what is hidden"):
        check_interference(leak(), seed=0)
