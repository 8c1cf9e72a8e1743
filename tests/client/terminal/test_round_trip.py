"""How long the player's line is, by answers that may be forged, early, late or too many."""

import asyncio
import os
import pty
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from io import FileIO, TextIOWrapper
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.app import App
from textual.message import Message

from diadem_client.launch import TerminalOptions
from diadem_client.terminal import round_trip
from diadem_client.terminal.driver import TerminalDriver
from diadem_client.terminal.round_trip import (
    ASKED_AGAIN_SECONDS,
    LOST_SECONDS,
    QUESTION,
    RoundTrip,
)
from tests.rig.gates import until

ANSWER = b"\x1b[24;80R"


def test_it_is_the_time_from_a_question_to_its_answer() -> None:
    line = RoundTrip()
    assert line.asks(100.0)
    line.answered(100.25)
    assert line.seconds(200.0) == 0.25


def test_of_a_terminal_that_never_answers_nothing_is_known() -> None:
    line = RoundTrip()
    for now in (100.0, 200.0, 300.0):
        assert line.asks(now)
        assert line.seconds(now + LOST_SECONDS) == 0.0


def test_a_line_that_became_slow_is_so_before_the_answer_comes() -> None:
    line = RoundTrip()
    line.asks(100.0)
    line.answered(100.01)
    assert line.asks(100.0 + ASKED_AGAIN_SECONDS)
    assert line.seconds(102.0 + ASKED_AGAIN_SECONDS) == 2.0
    line.answered(105.0 + ASKED_AGAIN_SECONDS)
    assert line.seconds(200.0) == 5.0


def test_what_nobody_has_asked_for_counts_for_nothing() -> None:
    line = RoundTrip()
    line.answered(99.0)
    assert line.seconds(99.0) == 0.0
    line.asks(100.0)
    line.answered(100.5)
    for _ in range(1000):
        line.answered(107.0)
    assert line.seconds(108.0) == 0.5


@given(st.lists(st.tuples(st.floats(0.0, 60.0), st.booleans())))
def test_whoever_answers_what_and_when_few_questions_are_asked(
    told: list[tuple[float, bool]],
) -> None:
    line, now, questions = RoundTrip(), 0.0, []
    for pause, is_answer in told:
        now += pause
        if is_answer:
            line.answered(now)
        elif line.asks(now):
            questions.append(now)
        assert 0.0 <= line.seconds(now) <= now
    assert len(questions) <= now / ASKED_AGAIN_SECONDS + 1


class Shown(App[None]):
    """An application that says what came to it."""

    ascii_only = False
    terminal = TerminalOptions()
    terminal_driver: TerminalDriver | None = None

    def __init__(self) -> None:
        super().__init__(driver_class=TerminalDriver)
        self.heard: list[Message] = []

    async def on_event(self, event: events.Event) -> None:
        self.heard.append(event)
        await super().on_event(event)

    def pressed(self) -> list[str]:
        return [each.key for each in self.heard if isinstance(each, events.Key)]


class Line:
    """A terminal, and who sits before it."""

    def __init__(self, number: int, written: int, app: Shown) -> None:
        self._number = number
        self._written = written
        self.app = app
        self.said = b""

    def read(self) -> None:
        """Read until the terminal is closed: in a thread, as a driver that closes waits for its output to be read."""
        with suppress(OSError):
            while some := os.read(self._number, 1 << 16):
                self.said += some

    def type(self, keys: bytes) -> None:
        os.write(self._number, keys)

    async def drained(self) -> None:
        """All that was written to it is read."""
        os.write(self._written, b"END")
        await until(lambda: self.said.endswith(b"END"), "the end")

    async def asked(self, times: int = 1) -> None:
        question = QUESTION.encode()
        await until(lambda: self.said.count(question) >= times, "the question")


@pytest.fixture
async def line(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Line]:
    ours, theirs = pty.openpty()
    monkeypatch.setattr(sys, "__stdin__", FileIO(theirs, "r", closefd=False))
    monkeypatch.setattr(sys, "__stderr__", TextIOWrapper(FileIO(theirs, "w", closefd=False)))
    app = Shown()
    line = Line(ours, theirs, app)
    reader = Thread(target=line.read, daemon=True)
    reader.start()
    running = asyncio.create_task(app.run_async())
    await line.asked()
    yield line
    app.exit()
    await running
    os.close(theirs)
    await asyncio.to_thread(reader.join)
    os.close(ours)


def trip(line: Line) -> float:
    assert line.app.terminal_driver is not None
    return line.app.terminal_driver.round_trip


async def test_a_terminal_is_measured_by_its_answer(line: Line) -> None:
    assert trip(line) == 0.0
    line.type(ANSWER)
    await until(lambda: trip(line) > 0.0, "the answer to count")


async def test_thousands_of_answers_are_no_keys_and_reach_nobody(line: Line) -> None:
    line.type(ANSWER)
    await until(lambda: trip(line) > 0.0, "the answer to count")
    measured = trip(line)
    for _ in range(20):
        line.type(ANSWER * 100 + b"z")
    line.type(b"x")
    await until(lambda: "x" in line.app.pressed(), "the last key")
    assert set(line.app.pressed()) == {"z", "x"}
    assert [each for each in line.app.heard if isinstance(each, events.CursorPosition)] == []
    assert trip(line) == measured
    assert line.said.count(QUESTION.encode()) == 1


async def test_the_shell_is_asked_nothing(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_trip, "ASKED_AGAIN_SECONDS", 0.0)
    driver = line.app.terminal_driver
    assert driver is not None
    line.type(ANSWER)
    await until(lambda: trip(line) > 0.0, "the answer to count")
    driver.measure_round_trip()
    await line.asked(2)
    line.type(ANSWER)
    driver.stop_application_mode()
    driver.measure_round_trip()
    driver.close()
    await line.drained()
    assert line.said.count(QUESTION.encode()) == 2
