"""What of a table is shown when, whatever arrives and whatever is pressed."""

from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from diadem_client.net.transport import Reconnecting
from diadem_client.state.client_state import KEPT_LINES, ClientState, TableState, apply_change
from diadem_client.state.presentation import MOST_WAITING, STILL, Motion, Presentation
from diadem_shared.game import Viewer
from diadem_shared.protocol import Said
from tests.client.state.test_presentation import PAUSE, TURNING, pictures, table_of
from tests.client.state.views import SEAT
from tests.thoroughness import times

MOTIONS = (STILL, TURNING, Motion(look=2.5), Motion(before=(0.09,), after=(0.1, 0.1), look=1.0))


class Anything(RuleBasedStateMachine):
    """Views, keys, silence, lost connections and histories in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 50.0
        self.presentation = Presentation(self._motion_of, lambda: self.pause)
        self.pause = PAUSE
        self.arrived: dict[int, TableState] = {}
        self.entries: list[int] = []
        self.told: list[Any] = []
        self.happened: dict[int, list[Any]] = {}
        """What is to be told of each entry that has come."""

    @initialize(seat=st.sampled_from([None, SEAT]), start=st.integers(0, 60))
    def comes_to_the_table(self, seat: Viewer, start: int) -> None:
        self.match = pictures("diamoniak", 3, seat)
        self.at = start
        self.newest = self.match[start]
        self._take(self.newest)

    @staticmethod
    def _motion_of(table: TableState) -> Motion:
        return MOTIONS[table.entry % len(MOTIONS)]

    def _take(self, client_state: ClientState) -> None:
        self.newest = client_state
        table = table_of(client_state)
        self.happened.setdefault(table.entry, list(table.game_events))
        self.arrived[table.entry] = table
        self.presentation.take(client_state, self.now)
        self._look()

    def _look(self) -> None:
        table = table_of(self.presentation.client_state)
        if not self.entries or table.entry != self.entries[-1]:
            self.entries.append(table.entry)
            told = [*table.skipped_events, *table.game_events]
            self.told += told
            if len(table.happened) == KEPT_LINES:
                self._older_are_left_out(table.entry, told)

    def _older_are_left_out(self, entry: int, told: list[Any]) -> None:
        """So much is told with one entry at the most; the log has the rest."""
        assert self._happened_by(entry)[-len(told) :] == told
        self.told = told
        later = {number: each for number, each in self.happened.items() if number > entry}
        self.happened = {entry: list(told)} | later

    def _happened_by(self, entry: int) -> list[Any]:
        happened = sorted(self.happened.items())
        return [event for number, events in happened if number <= entry for event in events]

    @precondition(lambda self: self.at + 1 < len(self.match))
    @rule(
        count=st.one_of(st.integers(1, 4), st.integers(20, 40)),
        apart=st.sampled_from([0.0, 0.0, 0.05, 0.8]),
    )
    def views_arrive(self, count: int, apart: float) -> None:
        for _ in range(min(count, len(self.match) - 1 - self.at)):
            self.at += 1
            self.time_passes(apart)
            self._take(self.match[self.at])

    @rule()
    def somebody_comes(self) -> None:
        table = table_of(self.newest)
        again = replace(table, number=table.number + 1, happened=())
        self._take(replace(self.newest, table=again))

    @rule()
    def somebody_talks(self) -> None:
        self._take(apply_change(self.newest, Said("Bob", None, "?"), self.now))

    @precondition(lambda self: self.at + 1 < len(self.match))
    @rule(missed=st.integers(0, 12))
    def the_line_breaks(self, missed: int) -> None:
        """What happened meanwhile is in no view; the newest is shown, and the rest is history."""
        self._take(replace(self.newest, link=Reconnecting(self.now + 1)))
        self.at = min(self.at + 1 + missed, len(self.match) - 1)
        table = replace(table_of(self.match[self.at]), happened=())
        client_state = replace(self.match[self.at], table=table)
        self._take(client_state)
        del self.told[:]
        self.happened = {table.entry: []}
        assert table_of(self.presentation.client_state).entry == table.entry

    @rule()
    def the_history_comes(self) -> None:
        log = tuple(table_of(self.match[self.at]).log)
        self._take(replace(self.newest, table=replace(table_of(self.newest), log=log)))

    @rule(seconds=st.sampled_from([0.0, 0.05, 0.09, 0.5, 1.0, 5.0]))
    def time_passes(self, seconds: float) -> None:
        end = self.now + seconds
        while (due := self.presentation.due) is not None and due <= end:
            self.now = max(self.now, due)
            self.presentation.advance(self.now)
            self._look()
            self.shown_is_one_entry()
        self.now = end

    @rule(seconds=st.sampled_from([0.05, 0.5, 3.0]))
    def a_timer_is_late(self, seconds: float) -> None:
        self.now += seconds
        self.presentation.advance(self.now)
        self._look()

    @rule()
    def a_key_that_acts(self) -> None:
        self.presentation.catch_up(self.now)
        self._look()
        assert table_of(self.presentation.client_state).entry == table_of(self.newest).entry

    @rule()
    def a_key_that_does_not(self) -> None:
        before = table_of(self.presentation.client_state).entry
        self.presentation.settle(self.now)
        self._look()
        frame = self.presentation.frame
        assert frame is None or frame.coming is None
        assert table_of(self.presentation.client_state).entry >= before

    @rule()
    def the_rest_is_hurried(self) -> None:
        self.presentation.hurry(self.now)
        self._look()
        assert table_of(self.presentation.client_state).entry == table_of(self.newest).entry

    @rule(pause=st.sampled_from([0.0, 0.6, PAUSE, 1.2]))
    def the_pace_changes(self, pause: float) -> None:
        self.pause = pause

    @invariant()
    def shown_is_one_entry(self) -> None:
        """Board, header and log never tell of different entries."""
        table = table_of(self.presentation.client_state)
        arrived = self.arrived[table.entry]
        assert (table.view, table.public.actors) == (arrived.view, arrived.public.actors)
        assert [line for line in table.log if line.entry > table.entry] == []
        if arrived.happened:
            assert table.log[-1].entry == table.entry
        frame = self.presentation.frame
        if frame is not None and frame.coming is not None:
            assert frame.coming.entry > table.entry

    @invariant()
    def all_that_happened_is_told_once(self) -> None:
        """Of what was not shown for itself, too, by the entry after it."""
        assert self.told == self._happened_by(self.entries[-1])

    @invariant()
    def entries_are_shown_in_their_order(self) -> None:
        assert self.entries == sorted(set(self.entries))

    @invariant()
    def nothing_runs_when_nothing_waits(self) -> None:
        behind = table_of(self.presentation.client_state).entry != table_of(self.newest).entry
        moves = self.presentation.frame is not None
        assert (self.presentation.due is not None) == (behind or moves)

    def teardown(self) -> None:
        """Left alone, it comes to the newest, after no more entries than may wait."""
        if not self.entries:
            return
        seen, began = len(self.entries), self.now
        self.time_passes(1000)
        assert table_of(self.presentation.client_state).entry == table_of(self.newest).entry
        assert self.presentation.due is None
        assert len(self.entries) - seen <= MOST_WAITING
        assert self.now == pytest.approx(began + 1000)


TestAnything = Anything.TestCase
TestAnything.settings = settings(
    max_examples=times(50, 3000), stateful_step_count=30, deadline=None
)
