"""The Diadingo pane: aim, take and rob by keys alone, and forget what must be forgotten."""

import re
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot

from diadem_client.games.diadingo.pane import DiadingoPane
from diadem_shared.entries import Started
from diadem_shared.games.diadingo.board import FIXED
from diadem_shared.games.diadingo.table import Decline, Hand, Move, State, Steal, Take, TurnPhase
from diadem_shared.match import Phase
from tests.client.board.host import (
    HUGE,
    LARGE,
    NARROW,
    SMALL,
    Desk,
    Host,
    desk_at,
    lines_of,
    matches,
    matches_in_all_forms,
    press,
)


def pane_of(host: Host) -> DiadingoPane:
    assert isinstance(host.pane, DiadingoPane)
    return host.pane


def keys_for(move: Move, host: Host) -> list[str]:
    """What a person presses to make a move."""
    match move:
        case Take(spot):
            return [*spot.lower(), "enter"]
        case Steal(value, victim):
            theft = pane_of(host).theft
            assert theft is not None
            at = theft.choices.index((value, victim))
            return [*["down"] * at, "enter"]
        case Decline():
            return ["0", "enter"]


def dealt(**given: Any) -> State:
    """A fresh board with the first player to move, and whatever is given."""
    state = Desk("diadingo", seats=2, seed="table")
    state.enter(Started())
    found: State = replace(state.match.state, turn=0, card=3000, phase=TurnPhase.TAKE)
    return replace(found, **given)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "size", "options"),
    [
        (8, SMALL, {"play": "marked"}),
        (8, NARROW, {}),
        (2, LARGE, {"scoring": "professional"}),
    ],
)
async def test_a_whole_game_is_played_by_keys_alone(
    seats: int, size: tuple[int, int], options: dict[str, Any]
) -> None:
    desk = Desk("diadingo", seats=seats, seed="amber", options=options)
    host = Host(desk)
    async with host.run_test(size=size) as pilot:
        while desk.match.phase is Phase.PLAYING:
            move, before = desk.chosen(0), len(host.played)
            await press(pilot, keys_for(move, host))
            assert host.played[before:] == [desk.match.game.notate(move)]
        assert desk.match.phase is Phase.OVER


FORMS = {"small": SMALL, "large": LARGE, "huge": HUGE}


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "play"), [(4, "memory"), (8, "marked")])
async def test_a_table_half_way(seats: int, play: str) -> None:
    desk = Desk("diadingo", seats=seats, seed="amber", options={"play": play})
    host = Host(desk)
    async with host.run_test(size=SMALL) as pilot:
        for _ in range(4):
            await press(pilot, keys_for(desk.chosen(0), host))
        await matches_in_all_forms(pilot, host, f"diadingo-{play}", FORMS)


async def test_memory_play_forgets_where_a_try_failed() -> None:
    state = dealt()
    fixed = next(spot for spot in state.board if spot not in state.loose)
    host = Host(desk_at("diadingo", state), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, keys_for(Take(fixed), host))
        assert lines_of(host.pane).count("\u00d7") == 2
        assert f"You: {fixed} does not move" in lines_of(host.pane)
        host.pane.pose(None, None)
        host.pane.redraw()
        assert lines_of(host.pane).count("\u00d7") == 1  # where the signs are explained
        assert fixed not in lines_of(host.pane)
        assert "You: missed, ring of" in lines_of(host.pane)


async def test_marked_play_remembers() -> None:
    state = dealt()
    fixed = next(spot for spot in state.board if spot not in state.loose)
    marked = replace(state, options=replace(state.options, play="marked"), proved=(fixed,))
    host = Host(desk_at("diadingo", marked))
    async with host.run_test(size=SMALL):
        assert lines_of(host.pane).count("#") == 2  # there, and where the signs are explained


async def test_d9_the_board_shows_what_was_fixed_once_the_round_is_over() -> None:
    """In memory play, where nothing is marked before."""
    host = Host(desk_at("diadingo", dealt(deck=())), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        assert lines_of(host.pane).count("#") == 0
        await press(pilot, keys_for(Take("A1"), host))
        host.pane.pose(None, None)
        host.pane.redraw()
        assert lines_of(host.pane).count("#") == FIXED + 1  # and where the signs are explained


def robbing() -> State:
    hands = (Hand(empty=(1000, 3000)), Hand(filled=(1000, 3000, 3000)))
    return dealt(hands=hands, card="theft", phase=TurnPhase.STEAL)


async def test_a_theft_is_chosen_from_a_list() -> None:
    host = Host(desk_at("diadingo", robbing()))
    async with host.run_test(size=SMALL) as pilot:
        matches("diadingo-theft", lines_of(host.pane))
        assert host.pane.question.startswith("Theft:")
        await press(pilot, ["7"])
        assert host.hints == ["The list has no 7."]
        await press(pilot, ["2", "enter"])
        assert host.played == ["steal 1000 from 2"]


async def test_a_theft_may_be_declined() -> None:
    host = Host(desk_at("diadingo", robbing()))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["0", "enter"])
        assert host.played == ["decline"]


async def test_another_theft_points_at_a_ring_again() -> None:
    host = Host(desk_at("diadingo", replace(robbing(), deck=(1000, "theft"))))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["0"])
        assert "\u25ba 0  rob nobody" in lines_of(host.pane)
        await press(pilot, ["enter"])
        assert "\u25ba 1  3 000 from Bob" in lines_of(host.pane)


async def test_an_empty_spot_is_not_taken() -> None:
    state = dealt()
    board = tuple(spot for spot in state.board if spot != "C4")
    host = Host(desk_at("diadingo", replace(state, board=board)))
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["c", "4", "enter"])
        assert host.hints[-1] == "C4 is empty already. Choose a spot where a diamond lies."
        assert host.played == []


@pytest.mark.slow
async def test_every_key_does_something_or_says_why_not() -> None:
    tables = {"take": dealt(), "steal": robbing()}
    silent = []
    host = Host(desk_at("diadingo", dealt()))
    async with host.run_test(size=SMALL) as pilot:
        for phase, key in product(tables, ("enter", "0", "left", "right", "up", "down", "a")):
            if (phase, key) == ("steal", "a"):
                continue  # a list has no letters
            host.sit_at(desk_at("diadingo", tables[phase]))
            before = host.all_that_is_told()
            await press(pilot, [key])
            if host.all_that_is_told() == before:
                silent.append((phase, key))
    assert not silent


async def test_what_rings_are_worth_stands_in_columns() -> None:
    """As wide as it comes, with one sum of five digits and others of less."""
    desk = Desk("diadingo", seats=8, seed="", options={"scoring": "professional"})
    desk.enter(Started())
    hands = [Hand(filled=(6000, 5000), empty=()), Hand(filled=(1000,), empty=(6000, 6000))]
    state = replace(desk.match.state, hands=(*hands, *desk.match.state.hands[2:]))
    desk.match = replace(desk.match, state=state)
    host = Host(desk, bots=False)
    async with host.run_test(size=SMALL):
        rows = [line for line in lines_of(host.pane).splitlines() if " - " in line][1:]
        assert len(rows) == 8
        assert len({row.index(" - ") for row in rows}) == 1


async def test_who_watches_aims_at_nothing() -> None:
    host = Host(desk_at("diadingo", dealt()))
    async with host.run_test(size=SMALL) as pilot:
        host.pane.show(host.desk.watched())
        assert "\u25ba4\u25c4" not in lines_of(host.pane).replace(" ", "")
        await press(pilot, ["enter"])
        assert host.hints == ["You are only watching."]


@pytest.mark.parametrize("loose", [True, False])
async def test_a_try_is_aimed_at_and_then_told_where_it_was(*, loose: bool) -> None:
    state = dealt()
    spot = next(spot for spot in state.board if (spot in state.loose) == loose)
    host = Host(desk_at("diadingo", state, seat=1), bots=False)
    async with host.run_test(size=SMALL):
        aimed = lines_of(host.pane)
        scene = host.desk.play(0, Take(spot))
        motion = host.pane.motion(scene)
        assert (len(motion.before), len(motion.after)) == (1, 1)
        assert motion.look
        host.pane.pose(0, scene)
        host.pane.redraw()
        assert lines_of(host.pane) != aimed
        assert f"\u25ba{spot[1]}\u25c4" in aim_in(lines_of(host.pane))
        host.pane.pose(0, None)
        host.pane.show(scene)
        assert (LIFTED in lines_of(host.pane)) == loose
        assert (MISSED in lines_of(host.pane)) != loose
        host.pane.pose(None, None)
        host.pane.redraw()
        assert LIFTED not in lines_of(host.pane)
        assert MISSED not in lines_of(host.pane)


LIFTED = "+3000 "
MISSED = "\u2580\u00d7\u2580"
"""On a gem; the same sign is explained below."""


def aim_in(lines: str) -> str:
    """What stands between the arrows, without the gem around it."""
    return re.sub("\u25ba[^\u25c4\\d]*(\\d)[^\u25c4\\d]*\u25c4", "\u25ba\\1\u25c4", lines)


async def test_ones_own_try_needs_no_aim() -> None:
    desk = desk_at("diadingo", dealt())
    host = Host(desk, bots=False)
    async with host.run_test(size=SMALL):
        scene = desk.play(0, Take(desk.match.state.board[0]))
        assert host.pane.motion(scene).before == ()


async def tap(host: Host, pilot: Pilot[None], words: str) -> None:
    """The first cell of some words."""
    lines = lines_of(host.pane).splitlines()
    y = next(at for at, line in enumerate(lines) if words in line)
    await pilot.click(host.pane, offset=(lines[y].index(words), y))


async def test_a_tap_aims_and_a_second_one_takes() -> None:
    host = Host(desk_at("diadingo", dealt()), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await pilot.click(host.pane, offset=(5, 7))
        assert pane_of(host).aim.spot == "D1"
        await press(pilot, ["right", "left"])
        await pilot.click(host.pane, offset=(5, 7))
        assert host.played == []  # keys were pressed in between
        await pilot.click(host.pane, offset=(5, 7))
        assert host.played == ["take D1"]
        await pilot.click(host.pane, offset=(5, 7))
        await pilot.click(host.pane, offset=(5, 7))
        assert host.played == ["take D1"]  # one tap, one move


async def test_a_ring_is_robbed_by_two_taps() -> None:
    host = Host(desk_at("diadingo", robbing()))
    async with host.run_test(size=SMALL) as pilot:
        await tap(host, pilot, "rob nobody")
        await tap(host, pilot, "1 000 from")
        assert host.played == []
        await tap(host, pilot, "1 000 from")
        assert host.played == ["steal 1000 from 2"]


async def test_nothing_of_the_round_before_is_left() -> None:
    desk = Desk("diadingo", seats=2, seed="amber")
    host = Host(desk, bots=False)
    async with host.run_test(size=SMALL) as pilot:
        await press(pilot, ["g", "4"])
        while desk.match.phase is Phase.PLAYING:
            mover = desk.match.actors[0]
            host.pane.show(desk.play(mover, desk.chosen(mover)))
        assert re.search("Fixed: |Only fixed", lines_of(host.pane))
        assert lines_of(host.pane).count("#") == FIXED + 1
        host.pane.show(Desk("diadingo", seats=2, seed="onyx").enter(Started()))
        assert pane_of(host).aim == DiadingoPane().aim
        assert pane_of(host).moment is None
        assert not re.search("comes off|stays empty|#|Fixed: |Only fixed", lines_of(host.pane))
