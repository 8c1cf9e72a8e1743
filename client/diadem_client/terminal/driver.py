"""The terminal driver of the client: ASCII fallback, window title, and what happens on SIGTERM and SIGHUP."""

import asyncio
import os
import re
import select
import signal
import sys
import threading
import time
import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TextIO, cast

from rich.cells import cell_len
from textual.app import App
from textual.events import CursorPosition, Key, MouseMove, Resize
from textual.geometry import Size
from textual.message import Message

from diadem_client.i18n import sanitized
from diadem_client.terminal.diff import Span
from diadem_client.terminal.diff_driver import DiffDriver
from diadem_client.terminal.event_rate import EventRate
from diadem_client.terminal.round_trip import QUESTION, RoundTrip

if TYPE_CHECKING:
    from diadem_client.launch import TerminalOptions

DRAWN = {
    "|": "│║┃╎╏┆┇┊┋▎▌▐▍▊▕▏",
    "-": "─━═╌╍┄┅┈┉–—▔",  # noqa: RUF001, that is what this is about
    "+": "┌┐└┘├┤┬┴┼╭╮╰╯",
    ".": "…",
    "#": "█▀",
    " ": "▁▂▃▄▅▆▇",
    "'": "‘’",  # noqa: RUF001
    '"': "“”„«»",
    "!": "•",
    "*": "·◆●✦",
    "o": "○◇",
    "v": "↓▼✓",
    "x": "×",  # noqa: RUF001
    ">": "→►›",  # noqa: RUF001
    "<": "←◄‹",  # noqa: RUF001
    "^": "↑",
    "&": "▣",
}
"""As `look.signs` has it where a sign stands for one thing only. The ends of a scroll bar are parts of
cells, which are told by their ground alone."""
BOXES = str.maketrans({letter: plain for plain, letters in DRAWN.items() for letter in letters})
LINES = frozenset(map(chr, range(0x2500, 0x2580)))
BLOCKS = frozenset(map(chr, range(0x2580, 0x25A0)))
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def to_ascii(text: str) -> str:
    """The text in ASCII, in as many cells."""
    return text if text.isascii() else BEYOND_ASCII.sub(_plain, text.translate(BOXES))


def _plain(found: re.Match[str]) -> str:
    letter = found[0]
    width = cell_len(letter)
    if letter == "ß":
        return "s"
    if letter in LINES:
        return "+"
    if letter in BLOCKS:
        return "#"
    bare = unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()
    return bare if len(bare) == width else "?" * width


TERMINALS_WITH_TITLE = re.compile(
    "xterm|rxvt|screen|tmux|alacritty|foot|konsole|vte|gnome|st-|st$|contour|iterm|putty|mintty"
)
"""Values of TERM that support a window title; other terminals may print the sequence."""
PUSH_TITLE, POP_TITLE = "\x1b[22;2t", "\x1b[23;2t"


def supports_title() -> bool:
    return TERMINALS_WITH_TITLE.match(os.environ.get("TERM", "")) is not None


def title_sequence(words: str) -> str:
    """The sequence that sets the window's title; the text cannot end it early or start another one."""
    return f"\x1b]2;{sanitized(words)}\x1b\\"


WIDEST, HIGHEST = 500, 200
"""The largest screen of a hosted client. A terminal may tell its size itself, past the gate, which grants no more."""
HALF_CHARACTER = re.compile("[\ud800-\udfff]")
"""A surrogate, which cannot be sent. A key's number may name one."""


class TerminalApp(Protocol):
    """What the driver below needs of the application that it shows."""

    terminal_driver: "TerminalDriver | None"
    """Set by the driver once it is there."""

    @property
    def ascii_only(self) -> bool: ...

    terminal: "TerminalOptions"

    def post_message(self, message: Message) -> bool: ...


class TerminalDriver(DiffDriver):
    def __init__(self, app: App[Any], **named: Any) -> None:
        super().__init__(app, **named)
        self._title = ""
        self._line = RoundTrip()
        self._may_ask = False
        """Whether the terminal is ours just now."""
        self._shown_app = cast("TerminalApp", app)
        self._shown_app.terminal_driver = self

    def write(self, data: str) -> None:
        if self._shown_app.ascii_only:
            data = to_ascii(data)
        elif self._shown_app.terminal.on_console:
            from diadem_client.terminal.console_font import for_console  # noqa: PLC0415, few have one

            data = for_console(data)
        super().write(data)

    def paint(self, spans: Sequence[Span]) -> bool:
        """Where characters are replaced on their way to the terminal, all goes through `write`."""
        app = self._shown_app
        replaced = app.ascii_only or app.terminal.on_console
        return self._may_ask and not replaced and super().paint(spans)

    def set_title(self, words: str) -> None:
        """Set the title of the terminal's window; "" restores the title it had.

        A terminal without a stack of titles is left without one then.
        """
        if words == self._title or not supports_title():
            return
        before = "" if self._title else PUSH_TITLE
        after = "" if words else POP_TITLE
        self.write(before + title_sequence(words) + after)
        self._title = words

    @property
    def round_trip(self) -> float:
        """Seconds to the player's terminal and back, as last measured; 0.0 as long as nothing is known."""
        return self._line.seconds(time.monotonic())

    def measure_round_trip(self) -> None:
        """Ask the terminal for an answer, unless that was done a moment ago."""
        if self._may_ask and self._line.asks(time.monotonic()):
            self.write(QUESTION)

    def process_message(self, message: Message) -> None:
        """Called by the thread that reads keys. Answers are for nobody else, whoever gave them."""
        if isinstance(message, CursorPosition):
            self._line.answered(time.monotonic())
        elif not (isinstance(message, Key) and HALF_CHARACTER.search(message.character or "")):
            super().process_message(message)

    def send_message(self, message: Message) -> None:
        """Called by the thread that reads keys. Textual's own way there is a task of its own for each of them."""
        self._shown_app.post_message(message)

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's has no types
        self._may_ask = True
        self.measure_round_trip()

    def stop_application_mode(self) -> None:
        self._may_ask = False  # the answer would be for the shell
        self.set_title("")
        super().stop_application_mode()

    def suspend_application_mode(self) -> None:
        """Textual then stops this process alone. Whatever it was started by, such as make, has to stop too, or the shell
        would not notice."""
        super().suspend_application_mode()
        handler = signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, handler)


def _fits(size: Size) -> bool:
    return size.width <= WIDEST and size.height <= HIGHEST


class HostedDriver(TerminalDriver):
    """For clients that run on a host's machine: nothing here reaches beyond the player's terminal."""

    def __init__(self, app: App[Any], **named: Any) -> None:
        super().__init__(app, **named)
        self._events = EventRate(time.monotonic())
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # Textual's driver would suspend the process

    def process_message(self, message: Message) -> None:
        """Called by the thread that reads keys. Beyond the rate of events it waits here and reads nothing, and
        the gate holds the player back; a pointer that moves faster than that is not followed."""
        if isinstance(message, Resize) and not _fits(message.size):
            return
        now = time.monotonic()
        if isinstance(message, MouseMove) and not self._events.has_room(now):
            return
        if not isinstance(message, CursorPosition):  # an answer, which goes no further
            self.exit_event.wait(self._events.spend(now))
        super().process_message(message)

    @property
    def can_suspend(self) -> bool:
        return False

    def open_url(self, url: str, new_tab: bool = True) -> None:  # noqa: FBT001, FBT002
        pass

    def deliver_binary(self, binary: BinaryIO | TextIO, **named: Any) -> None:
        binary.close()


def exit_on_sigterm(end: Callable[[], None]) -> None:
    """Exit in order on SIGTERM, so that the terminal is restored. To be called while the app runs."""
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)


def exit_on_hangup() -> None:
    """End the process when its terminal hangs up, also where no SIGHUP is sent, or it is blocked.

    Called while there is a terminal, or was one a moment ago: with none, Textual would look for keys all the time.
    """
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    assert sys.__stdin__ is not None  # noqa: S101, a terminal was found there
    threading.Thread(target=_wait_for_hangup, args=(sys.__stdin__.fileno(),), daemon=True).start()


def _wait_for_hangup(terminal: int) -> None:
    poll = select.poll()
    poll.register(terminal, 0)  # only POLLHUP, which is always reported
    poll.poll()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
    os.kill(os.getpid(), signal.SIGHUP)
    # The first process of a container is not ended by signals of its own.
    os._exit(128 + signal.SIGHUP)
