"""When the screens are shown what arrives: by one timer, which runs only while something waits or moves."""

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from diadem_client.net.transport import Connected
from diadem_client.settings import Settings
from diadem_client.state.client_state import ClientState, apply_change
from diadem_client.state.presentation import Frame, Motion
from diadem_client.ui import presenter
from diadem_client.ui.presenter import LONGEST_ROUND_TRIP, Presenter
from diadem_shared.entries import Setup
from tests.client.state.views import views_of

TURNING = Motion(before=(0.1, 0.1), after=(0.4,), look=2.0)


class Running:
    def __init__(self, due: float, then: Callable[..., None], *given: Any) -> None:
        self.due = due
        self.then = partial(then, *given)
        self.runs = True

    def cancel(self) -> None:
        self.runs = False


class Clock:
    """Time that passes when a test says so, and the timers that were set meanwhile."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[Running] = []

    def monotonic(self) -> float:
        return self.now

    def call_later(self, seconds: float, then: Callable[..., None], *given: Any) -> Running:
        self.timers.append(Running(self.now + seconds, then, *given))
        return self.timers[-1]

    @property
    def running(self) -> list[Running]:
        return [each for each in self.timers if each.runs]

    def run(self) -> None:
        """Until no timer runs any more."""
        while self.running:
            (timer,) = self.running
            self.now, timer.runs = max(self.now, timer.due), False
            timer.then()


def over(round_trip: float, pauses: list[float] | None = None) -> SimpleNamespace:
    """A client, as far as a presenter knows it."""
    wishes = [] if pauses is None else pauses
    return SimpleNamespace(round_trip=round_trip, wish_pause=wishes.append)


class Line:
    """To the player's terminal."""

    def __init__(self, round_trip: float) -> None:
        self.round_trip = round_trip
        self.measured = 0

    def measure_round_trip(self) -> None:
        self.measured += 1


class Stage:
    def __init__(self, **settings: Any) -> None:
        self.shown: list[int] = []
        self.frames: list[Frame | None] = []
        self.announced: list[object] = []
        self.pauses: list[float] = []
        self.app: Any = SimpleNamespace(
            settings=Settings(**settings),
            no_color=False,
            ascii_only=False,
            is_closing=False,
            client=over(0.01, self.pauses),
            terminal_driver=None,
            base_screen=SimpleNamespace(
                motion_of=lambda _table: TURNING, show_frame=lambda: self.frames.append(self.frame)
            ),
            call_later=lambda then: then(),
            show_state=lambda client_state: self.shown.append(client_state.table.entry),
            post_message=self.announced.append,
            StateChanged=object,
        )
        self.presenter = Presenter(cast("Any", self.app))

    @property
    def frame(self) -> Frame | None:
        return self.presenter.frame


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(presenter, "time", clock)
    monkeypatch.setattr(presenter, "asyncio", SimpleNamespace(get_running_loop=lambda: clock))
    return clock


def following(count: int = 5) -> list[ClientState]:
    """Some moves in a row of those who are not Ana."""
    client_state, found = ClientState(link=Connected()), []
    for view in views_of(Setup("diamoniak", options={"youngest": 1}), ["strong"] * 3):
        client_state = apply_change(client_state, view, 0.0)
        found.append(client_state)
    return found[3 : 3 + count]


@pytest.mark.parametrize("motion", [True, False])
def test_no_timer_runs_when_all_was_shown(clock: Clock, *, motion: bool) -> None:
    stage = Stage(motion=motion)
    pictures = following()
    for client_state in pictures:
        stage.presenter.arrive(client_state)
    assert len(clock.running) == 1
    clock.run()
    assert pictures[-1].table is not None
    assert stage.shown[-1] == pictures[-1].table.entry
    assert stage.presenter.frame is None
    assert not clock.running


def test_for_a_frame_only_the_frame_is_drawn(clock: Clock) -> None:
    stage = Stage()
    first, second, *_rest = following()
    stage.presenter.take(first)
    clock.now += 60
    stage.presenter.take(second)
    stage.shown.clear()
    clock.run()
    before, *after = TURNING.before, *TURNING.after, TURNING.look
    assert second.table is not None
    assert stage.shown.count(second.table.entry) == 1
    assert len(stage.shown) + len(stage.frames) == len(before) + len(after)
    assert stage.frames[-1] is None


def test_what_is_no_news_starts_no_timer(clock: Clock) -> None:
    stage = Stage()
    first = following()[0]
    stage.presenter.arrive(first)
    for _ in range(3):
        stage.presenter.arrive(replace(first, link=Connected()))
    assert not clock.timers


@pytest.mark.usefixtures("clock")
def test_a_key_shows_nothing_anew_where_nothing_waits() -> None:
    stage = Stage()
    stage.presenter.take(following()[0])
    stage.presenter.catch_up()
    assert stage.shown == []


def test_a_key_ends_what_moves(clock: Clock) -> None:
    stage = Stage()
    first, second, *_rest = following()
    stage.presenter.take(first)
    clock.now += 60
    stage.presenter.take(second)
    assert stage.presenter.frame is not None
    assert stage.presenter.frame.coming is not None
    stage.presenter.catch_up()
    assert second.table is not None
    assert stage.shown == [second.table.entry]
    assert stage.presenter.frame.number == 1


@pytest.mark.parametrize(
    ("change", "moves"),
    [
        ({}, True),
        ({"settings": Settings(motion=False)}, False),
        ({"no_color": True}, False),
        ({"ascii_only": True}, False),
        ({"client": over(LONGEST_ROUND_TRIP + 0.01)}, False),
        ({"client": None}, True),
        ({"terminal_driver": Line(LONGEST_ROUND_TRIP + 0.01)}, False),
        ({"terminal_driver": Line(LONGEST_ROUND_TRIP)}, True),
    ],
)
def test_what_keeps_things_from_moving(
    clock: Clock, change: dict[str, Any], *, moves: bool
) -> None:
    stage = Stage()
    vars(stage.app).update(change)
    first, second, *_rest = following()
    stage.presenter.take(first)
    clock.now += 60
    stage.presenter.take(second)
    frame = stage.presenter.frame
    assert frame is not None
    assert (frame.coming is not None) == moves


def test_a_line_is_measured_where_something_might_move_and_by_nothing_else(clock: Clock) -> None:
    stage = Stage()
    stage.app.terminal_driver = line = Line(LONGEST_ROUND_TRIP + 0.01)
    first, second, *_rest = following()
    stage.presenter.take(first)
    assert line.measured == 0
    clock.now += 60
    stage.presenter.take(second)
    assert line.measured == 1
    clock.run()
    stage.presenter.take(replace(second, link=Connected()))
    assert line.measured == 1


@pytest.mark.parametrize(
    ("pace", "seconds"), [("slow", 1.2), ("normal", 0.9), ("fast", 0.6), ("?", 0.9)]
)
def test_the_pace_is_a_setting(clock: Clock, pace: str, seconds: float) -> None:
    stage = Stage(pace=pace, motion=False)
    for client_state in following(4)[1:]:
        stage.presenter.take(client_state)
    stage.shown.clear()
    began = clock.now
    clock.run()
    assert len(stage.shown) >= 2
    assert clock.now - began == pytest.approx(2 * seconds + TURNING.look)


def test_the_server_is_told_the_pace_and_of_haste_for_as_long_as_a_turn_lasts(clock: Clock) -> None:
    stage = Stage(pace="fast")
    whole = following(40)
    stage.presenter.take(whole[0])
    assert stage.pauses[-1] == 0.6
    hurried = whole[0].table
    stage.presenter.hurry()
    assert stage.pauses[-1] == 0.0
    for client_state in whole[1:]:
        stage.presenter.take(client_state)
        assert hurried is not None
        assert client_state.table is not None
        if client_state.table.public.actors != hurried.public.actors:
            break
        assert stage.pauses[-1] == 0.0
    assert stage.pauses[-1] == 0.6
    clock.run()


@pytest.mark.usefixtures("clock")
def test_at_once_nothing_waits() -> None:
    stage = Stage(pace="instant")
    for client_state in following():
        stage.presenter.take(client_state)
        assert stage.presenter.client_state.table == client_state.table
        assert not stage.presenter.is_behind


def test_a_client_that_closes_shows_no_more(clock: Clock) -> None:
    stage = Stage()
    for client_state in following():
        stage.presenter.take(client_state)
    stage.shown.clear()
    stage.app.is_closing = True
    clock.run()
    assert stage.shown == []
