"""What of a table is shown when: in order, in time, and all of it as of one entry."""

from functools import cache

import pytest
from msgspec.structs import replace

from diadem_client.net.transport import Connected, Reconnecting
from diadem_client.state.client_state import ClientState, TableState, apply_change
from diadem_client.state.presentation import (
    END_OF_ROUND,
    START_OF_ROUND,
    STILL,
    UNHURRIED,
    Motion,
    Presentation,
)
from diadem_shared.entries import Setup
from diadem_shared.game import Viewer
from diadem_shared.match import Phase
from diadem_shared.protocol import Said
from tests.client.state.views import SEAT, views_of

PAUSE = 0.9
TURNING = Motion(before=(0.09, 0.09), after=(0.4,))
EPSILON = 1e-6


@cache
def pictures(
    game: str = "diamoniak", rounds: int = 1, seat: Viewer = SEAT
) -> tuple[ClientState, ...]:
    """All that somebody is shown of a match who follows it from its beginning."""
    client_state, found = ClientState(link=Connected()), []
    for view in views_of(Setup(game, rounds=rounds), ["strong", "strong", "strong"], seat):
        client_state = apply_change(client_state, view, 0.0)
        found.append(client_state)
    return tuple(found)


def table_of(client_state: ClientState) -> TableState:
    assert client_state.table is not None
    return client_state.table


def by_others(match: tuple[ClientState, ...], count: int) -> int:
    """Where so many moves of others stand in a row."""
    run = 0
    for at, client_state in enumerate(match):
        table = table_of(client_state)
        events = [each.event for each in table.happened]
        is_move = isinstance(events[0], table.game.event_type) and len(events) == 1
        theirs = is_move and events[0].seat != SEAT
        run = run + 1 if theirs and table.public.phase is Phase.PLAYING else 0
        if run == count:
            return at - count + 1
    raise AssertionError("no such row of moves")


class Shown:
    """A presentation with a clock in the hand of the test, and all that came into sight."""

    def __init__(self, motion: Motion = STILL, pause: float = PAUSE) -> None:
        self.pause = pause
        self.now = 100.0
        self.presentation = Presentation(lambda _table: motion, lambda: self.pause)

    @property
    def entry(self) -> int:
        return table_of(self.presentation.client_state).entry

    def take(self, *some: ClientState) -> None:
        for client_state in some:
            self.presentation.take(client_state, self.now)

    def wait(self, seconds: float) -> list[int]:
        """As a timer does that is never late; the entries that were shown."""
        end, seen = self.now + seconds, [self.entry]
        while (due := self.presentation.due) is not None and due <= end:
            self.now = max(self.now, due)
            self.presentation.advance(self.now)
            seen.append(self.entry)
        self.now = end
        return sorted(set(seen))


def test_moves_are_shown_one_by_one_each_for_the_pause() -> None:
    match = pictures()
    at = by_others(match, 3)
    before, *moves = (table_of(each).entry for each in match[at - 1 : at + 3])
    shown = Shown()
    shown.take(match[at - 1])
    shown.now += 60
    shown.take(*match[at : at + 3])
    assert shown.entry == moves[0]
    assert shown.wait(PAUSE - EPSILON) == moves[:1]
    assert shown.wait(2 * EPSILON) == moves[:2]
    assert shown.wait(PAUSE) == moves[1:]
    assert shown.presentation.due is None
    assert before not in moves


def test_the_table_is_shown_as_it_was_before_for_as_long_as_a_card_turns() -> None:
    match = pictures()
    at = by_others(match, 1)
    shown = Shown(TURNING)
    shown.take(match[at - 1])
    shown.now += 60
    shown.take(match[at])
    for number in (0, 1):
        frame = shown.presentation.frame
        assert frame is not None
        assert (frame.number, frame.coming) == (number, match[at].table)
        assert shown.entry == table_of(match[at - 1]).entry
        shown.wait(0.09)
    assert shown.entry == table_of(match[at]).entry
    assert shown.presentation.frame is not None
    assert shown.presentation.frame.coming is None
    shown.wait(0.4)
    assert shown.presentation.frame is None
    assert shown.presentation.due is None


def test_a_key_ends_what_moves_but_not_what_is_to_be_looked_at() -> None:
    match = pictures()
    at = by_others(match, 1)
    shown = Shown(Motion(before=(0.2,), after=(0.2,), look=2.0))
    shown.take(match[at - 1])
    shown.now += 60
    shown.take(match[at])
    shown.presentation.settle(shown.now)
    assert shown.entry == table_of(match[at]).entry
    assert shown.presentation.frame is not None
    assert shown.presentation.frame.number == 1
    shown.wait(2.0)
    assert shown.presentation.frame is None


def test_what_the_player_did_is_shown_without_waiting() -> None:
    match = pictures()
    theirs = by_others(match, 2)
    own = next(
        at
        for at, each in enumerate(match)
        if at > theirs and getattr(table_of(each).happened[0].event, "seat", None) == SEAT
    )
    shown = Shown()
    shown.take(match[theirs - 1])
    shown.take(*match[theirs : own + 1])
    assert shown.entry == table_of(match[own]).entry
    skipped = [event for each in match[theirs:own] for event in table_of(each).game_events]
    assert [*table_of(shown.presentation.client_state).skipped_events] == skipped


def test_who_has_a_clock_running_is_not_kept_waiting() -> None:
    match = pictures()
    mine = next(
        at
        for at, each in enumerate(match)
        if at > 9 and table_of(each).my_turn and not table_of(match[at - 1]).my_turn
    )
    running = replace(match[mine], table=replace(table_of(match[mine]), deadline=130.0))
    shown = Shown()
    shown.take(*match[mine - 3 : mine])
    assert shown.entry < table_of(match[mine - 1]).entry
    shown.take(running)
    assert shown.entry == table_of(match[mine]).entry


def test_of_many_moves_each_is_shown_for_less_and_none_moves() -> None:
    match = pictures("diamoniak", 2)
    shown = Shown(TURNING)
    start = by_others(match, 1)
    some = [replace(match[start - 1], table=_renumbered(match[start], n)) for n in range(20)]
    shown.take(some[0])
    shown.now += 60
    began = shown.now
    shown.take(*some[1:])
    frames = 0
    while (due := shown.presentation.due) is not None:
        shown.now = due
        shown.presentation.advance(due)
        frames += bool(shown.presentation.frame and shown.presentation.frame.coming)
    assert shown.entry == table_of(some[-1]).entry
    assert shown.now - began < 20 * PAUSE * 2 / 3
    assert 0 < frames <= 2 * (UNHURRIED + 1)


def _renumbered(client_state: ClientState, number: int) -> TableState:
    table = table_of(client_state)
    happened = tuple(replace(each, entry=table.entry + number) for each in table.happened)
    return replace(table, entry=table.entry + number, happened=happened)


def test_hurrying_lasts_as_long_as_the_turn() -> None:
    match = pictures()
    at = by_others(match, 3)
    shown = Shown(TURNING)
    shown.take(match[at - 1])
    shown.now += 60
    shown.take(match[at])
    shown.presentation.hurry(shown.now)
    turn = table_of(match[at]).public.actors
    for client_state in match[at + 1 :]:
        shown.take(client_state)
        if table_of(client_state).public.actors != turn:
            break
        assert shown.entry == table_of(client_state).entry
        assert shown.presentation.frame is None or shown.presentation.frame.coming is None


def test_without_a_pause_nothing_waits() -> None:
    shown = Shown(pause=0.0)
    for client_state in pictures():
        shown.take(client_state)
        assert shown.presentation.client_state.table == client_state.table


def test_a_table_is_seen_before_anybody_moves_and_its_end_before_the_next_round() -> None:
    match = pictures("diamoniak", 2)
    phases = [table_of(each).public.phase for each in match]
    first, end = phases.index(Phase.PLAYING), phases.index(Phase.BETWEEN)
    shown = Shown()
    shown.take(match[first - 1], match[first], match[first + 1])
    if table_of(match[first]).my_turn is False:
        assert shown.wait(START_OF_ROUND - EPSILON) == [table_of(match[first]).entry]
    shown = Shown()
    shown.take(match[end - 1])
    shown.now += 60
    shown.take(match[end], match[end + 1])
    assert shown.wait(END_OF_ROUND - EPSILON) == [table_of(match[end]).entry]
    shown.wait(EPSILON * 2)
    assert shown.entry == table_of(match[end + 1]).entry


def test_what_is_no_story_is_shown_as_it_is_now() -> None:
    match = pictures()
    at = by_others(match, 2)
    shown = Shown()
    shown.take(match[at - 1])
    shown.take(match[at], match[at + 1])
    here = shown.entry
    said = apply_change(match[at + 1], Said("Bob", None, "hello"), 0.0)
    shown.take(replace(said, link=Reconnecting(130.0)))
    assert shown.entry == here
    assert table_of(shown.presentation.client_state).chat[-1].text == "hello"
    assert isinstance(shown.presentation.client_state.link, Reconnecting)


@pytest.mark.parametrize("change", ["gone", "other table", "other seat"])
def test_another_table_is_shown_at_once(change: str) -> None:
    match = pictures()
    at = by_others(match, 2)
    shown = Shown()
    shown.take(match[at - 1], match[at], match[at + 1])
    table = table_of(match[at + 1])
    new = {
        "gone": None,
        "other table": replace(table, code="ZZZZ"),
        "other seat": replace(table, seat=None),
    }[change]
    client_state = replace(match[at + 1], table=new)
    shown.take(client_state)
    assert shown.presentation.client_state == client_state
    assert shown.presentation.due is None
