"""A state machine: windows of browsers come, break, come back and end, in any order and over any time."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from diadem_server.gates.client_pool import LOST
from tests.rig.server_machine import IN_MEMORY
from tests.rig.virtual_gate import Browser, VirtualGate

COOKIES = tuple(letter * 43 for letter in "abcde")
ADDRESSES = ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2")
"""The last two in one network."""
PROXY = "127.0.0.1"
WAITS = st.sampled_from([0.01, 0.2, 1.0, 9.0, 14.0, 19.0, 21.0, 45.0, 300.0])
whose = st.sampled_from(COOKIES)
where = st.sampled_from(ADDRESSES)
which = st.integers(0, 7)


class Gate(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 2**16))
    def open(self, seed: int) -> None:
        self.opened = ExitStack()
        folder = self.opened.enter_context(tempfile.TemporaryDirectory(dir=IN_MEMORY))
        self.gate = self.opened.enter_context(VirtualGate(Path(folder), seed, proxy=PROXY))
        self.moved = True

    @invariant()
    def promises_are_kept(self) -> None:
        if self.moved:
            self.gate.run(self.gate.settle())
            self.gate.check()
        self.moved = False

    def windows(self) -> list[Browser]:
        return [each for each in self.gate.windows if each.is_open]

    def some(self, which: int) -> Browser:
        windows = self.windows()
        return windows[which % len(windows)]

    def has_windows(self) -> bool:
        return bool(self.windows())

    @rule(cookie=whose, address=where, resume=st.booleans(), is_proxied=st.booleans())
    def come(self, cookie: str, address: str, resume: bool, is_proxied: bool) -> None:  # noqa: FBT001
        headers = {"X-Forwarded-For": address} if is_proxied else {}
        peer = PROXY if is_proxied else address
        self.gate.run(self.gate.window(cookie, peer, headers, resume=resume))
        self.moved = True

    @rule(cookie=whose, address=where, windows=st.integers(2, 8), resume=st.booleans())
    def race(self, cookie: str, address: str, windows: int, resume: bool) -> None:  # noqa: FBT001
        """Windows of one browser, before anything has come of the one before."""
        for _ in range(windows):
            self.gate.run(self.gate.window(cookie, address, resume=resume))
        self.moved = True

    @rule(
        address=where, how_many=st.sampled_from([1, 10, 100]), says=st.sampled_from(["", "{", "\0"])
    )
    def come_in_a_crowd(self, address: str, how_many: int, says: str) -> None:
        """Of new browsers that say nothing, or nonsense; or of connections of which nothing comes."""
        for number in range(how_many):
            browser = self.gate.run(self.gate.connect(f"{number:043}", address))
            if says != "\0":
                browser.ask()
                browser.say(says)
        self.moved = True

    @precondition(has_windows)
    @rule(which=which, politely=st.booleans())
    def break_line(self, which: int, politely: bool) -> None:  # noqa: FBT001
        line = self.some(which).transport
        if politely:
            line.close()
        else:
            line.abort()
        self.moved = True

    @precondition(has_windows)
    @rule(which=which)
    def unplug(self, which: int) -> None:
        """Nobody is told."""
        self.some(which).transport.unplug()
        self.moved = True

    @precondition(has_windows)
    @rule(which=which, said=st.sampled_from(['{"size": [90, 30]}', "{}", "x" * 20_000]))
    def say(self, which: int, said: str) -> None:
        self.some(which).say(said)
        self.moved = True

    @precondition(has_windows)
    @rule(which=which, times=st.sampled_from([1, 1000]))
    def type(self, which: int, times: int) -> None:
        window = self.some(which)
        for _ in range(times):
            window.type(b"?")
        self.moved = True

    @rule(which=which, status=st.sampled_from([0, -9, LOST]))
    def end_client(self, which: int, status: int) -> None:
        running = list(self.gate.pool.running)
        if running:
            self.gate.loop.call_soon(self.gate.pool.ended, running[which % len(running)], status)
            self.moved = True
            if status < LOST:
                self.expect_a_death()

    def expect_a_death(self) -> None:
        """The log says so, and that is no trouble."""
        self.gate.run(self.gate.settle())
        self.gate.alarm.heard[:] = [
            each for each in self.gate.alarm.heard if "was ended by signal" not in each
        ]

    @rule(stubborn=st.booleans())
    def have_clients_that_do_not_end(self, stubborn: bool) -> None:  # noqa: FBT001
        self.gate.pool.are_stubborn = stubborn

    @rule(cookie=whose, address=where)
    def come_while_there_is_no_room(self, cookie: str, address: str) -> None:
        self.gate.pool.has_room = False
        self.gate.run(self.gate.window(cookie, address))
        self.gate.run(self.gate.settle())
        self.gate.pool.has_room = True
        self.gate.alarm.heard[:] = [each for each in self.gate.alarm.heard if "no room" not in each]
        self.moved = True

    @rule(seconds=WAITS)
    def wait(self, seconds: float) -> None:
        self.gate.run(self.gate.pass_time(seconds))
        self.moved = True

    def teardown(self) -> None:
        if not hasattr(self, "gate"):
            return
        try:
            self.gate.run(self.gate.leave())
            self.gate.check_end()
            self.gate.run(self.gate.check_room(ADDRESSES))
        finally:
            self.opened.close()
