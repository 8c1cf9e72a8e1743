"""What a hosted client does for what is typed is bounded by events, whatever the bytes look like."""

import asyncio
import os
import pty
import signal
import sys
import threading
from collections.abc import AsyncIterator
from io import FileIO, TextIOWrapper
from types import SimpleNamespace
from typing import Any

import pytest
from textual import events
from textual.app import App
from textual.message import Message

from diadem_client.launch import TerminalOptions
from diadem_client.terminal import driver, event_rate
from diadem_client.terminal.driver import HostedDriver, TerminalDriver
from diadem_client.terminal.event_rate import A_SECOND, EventRate
from tests.rig.gates import until

BURST = 50
TYPED = 1000
"""Bytes of each attack."""
ENDLESS = {
    "typing": b"x",
    "control sequence": b"\x1b[" + b"1;" * TYPED,
    "control sequences of no meaning": b"\x1b[5X",
    "operating system command": b"\x1b]52;c;" + b"x" * TYPED,
    "device control string": b"\x1bP" + b"x" * TYPED,
    "escape in a paste": b"\x1b[200~" + (b"\x1b" + b"x" * 40) * TYPED,
}


class Clock(threading.Event):
    """Waits in no time, and adds up for how long it was to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def wait(self, timeout: float | None = None) -> bool:
        if timeout is not None:
            self.now += timeout
        return self.is_set()


class Driver(HostedDriver):
    def __init__(self, app: App[Any], **named: Any) -> None:
        super().__init__(app, **named)
        assert isinstance(app, Hosted)
        self._app_of_test = app
        self.exit_event = app.clock

    def send_message(self, message: Message) -> None:
        self._app_of_test.heard.append(message)
        super().send_message(message)


class Hosted(App[None]):
    """A hosted application that keeps what came to it."""

    ascii_only = False
    terminal = TerminalOptions()
    terminal_driver: TerminalDriver | None = None

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        super().__init__(driver_class=Driver)
        self.heard: list[Message] = []

    def last(self) -> str:
        keys = [each.key for each in self.heard if isinstance(each, events.Key)]
        return keys[-1] if keys else ""

    def type(self, keys: bytes) -> None:
        os.write(self.typing, keys)

    def hears_dollar(self) -> bool:
        """Whether it does, of as many as it takes."""
        self.type(b"$")
        return self.last() == "dollar_sign"

    typing: int
    """The terminal's side of the pty."""


@pytest.fixture
async def app(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hosted]:
    clock = Clock()
    monkeypatch.setattr(event_rate, "AT_ONCE", BURST)
    monkeypatch.setattr(driver, "time", SimpleNamespace(monotonic=lambda: clock.now))
    before = signal.getsignal(signal.SIGTSTP)
    ours, theirs = pty.openpty()
    monkeypatch.setattr(sys, "__stdin__", FileIO(theirs, "r", closefd=False))
    monkeypatch.setattr(sys, "__stderr__", TextIOWrapper(FileIO(theirs, "w", closefd=False)))
    app = Hosted(clock)
    app.typing = ours
    asyncio.get_running_loop().add_reader(ours, os.read, ours, 1 << 16)
    running = asyncio.create_task(app.run_async())
    await until(lambda: app.is_running and app.terminal_driver, "the application")
    yield app
    app.exit()
    await running
    asyncio.get_running_loop().remove_reader(ours)
    os.close(theirs)
    os.close(ours)
    signal.signal(signal.SIGTSTP, before)


async def test_whatever_is_typed_without_end_comes_at_a_rate(app: Hosted) -> None:
    """The bytes are as many as ever; the events that are made of them wait for each other."""
    unbounded = {}
    for name, unit in ENDLESS.items():
        begun, before = app.clock.now, len(app.heard)
        typed = (unit * (TYPED // len(unit) + 1))[:TYPED]
        app.type(typed + b"\x1b[201~" + b"\x1b" * 40 + b"$")
        await until(lambda: app.last() == "dollar_sign", f"the end of {name}")
        came = len(app.heard) - before
        if came > BURST + (app.clock.now - begun) * A_SECOND + 1:
            unbounded[name] = came
        app.type(b"!")
        await until(lambda: app.last() == "exclamation_mark", "the next")
    assert unbounded == {}


async def test_a_long_paste_is_one_event(app: Hosted) -> None:
    app.type(b"\x1b[200~" + b"word " * 600 + b"\x1b[201~$")
    await until(lambda: app.last() == "dollar_sign", "the key after it")
    assert [len(each.text) for each in app.heard if isinstance(each, events.Paste)] == [3000]
    assert app.clock.now < 1.0


async def test_a_pointer_that_moves_too_fast_is_not_followed(app: Hosted) -> None:
    app.type(b"".join(b"\x1b[<35;%d;1M" % (1 + number % 70) for number in range(3 * BURST)) + b"$")
    await until(lambda: app.last() == "dollar_sign", "the key after it")
    moves = [each for each in app.heard if isinstance(each, events.MouseMove)]
    assert 0 < len(moves) <= BURST
    assert app.clock.now < 1.0


async def test_what_no_terminal_sends_ends_nothing(app: Hosted) -> None:
    """Numbers of keys that are none, halves of characters, and screens of millions of rows."""
    for nonsense in (b"\x1b[99999999u", b"\x1b[::;;u", b"\x1b[55296u", b"\x1b[48;99999999;9;9;9t"):
        app.heard.clear()
        app.type(nonsense)
        # What is read together with nonsense is lost.
        await until(app.hears_dollar, "the next key")
    assert app.size.height < 1000


def test_so_many_come_at_once_and_then_at_a_rate() -> None:
    rate = EventRate(100.0)
    waits = [rate.spend(100.0) for _ in range(event_rate.AT_ONCE + 2)]
    assert waits[-3:] == [0.0, 1 / A_SECOND, 2 / A_SECOND]
    assert not rate.has_room(100.0)
    assert rate.has_room(101.0)
