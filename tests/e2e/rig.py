"""Real terminals: programs in tmux, driven by keys, read by what stands on the screen."""

import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from tests.patience import PATIENCE
from tests.programs import tied

T = TypeVar("T")

POLL = 0.05
GATHERING = 0.005
"""Seconds without another piece after which a screen is looked at: a frame may come in several."""
QUIET = 0.05
"""Seconds without output after which a screen counts as painted."""
LOOK_AGAIN = 1.0
"""Seconds after which it is looked at all the same: not all that changes it comes from its program."""
TMUX = shutil.which("tmux")
BIN = Path(sys.executable).parent
SERVER = str(BIN / "game-server")
CLIENT = str(BIN / "game-client")


class Tmux:
    """A tmux server of its own, and a client in control mode: it carries commands and tells when a screen changes.

    The server has one session with a window for each terminal. It ends when nobody is attached to that session, and the
    client ends with its input, that is with this process.
    """

    def __init__(self, home: Path) -> None:
        self.buffer = home / "buffer"
        self._open: dict[str, Terminal] = {}
        environment = {
            **{name: os.environ[name] for name in ("PATH",) if name in os.environ},
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "LANGUAGE": "en",
            "TERM": "xterm-256color",
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_DATA_HOME": str(home / "data"),
        }
        self._client = subprocess.Popen(  # noqa: S603
            tied(
                *(
                    str(TMUX),
                    "-S",
                    str(home / "tmux"),
                    "-f",
                    "/dev/null",
                    "-C",
                    "new-session",
                    "cat",
                )
            ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=environment,
        )
        self._unread = b""
        self._answers()  # to new-session itself
        self.do("set-option", "destroy-unattached", "on")
        self.do("set-option", "-g", "remain-on-exit", "on")

    def do(self, *arguments: str) -> str:
        """Have a command carried out; what it prints."""
        assert self._client.stdin is not None
        self._client.stdin.write(f"{' '.join(map(_quoted, arguments))}\n".encode())
        return self._answers()

    def _answers(self) -> str:
        """What is between the two lines that enclose the answer to the oldest command."""
        said: list[str] | None = None
        while True:
            line = self._line(PATIENCE)
            assert line is not None, "tmux does not answer"
            if said is None:
                said = [] if line.startswith("%begin ") else None
            elif line.startswith("%end "):
                return "".join(f"{each}\n" for each in said)
            elif line.startswith("%error "):
                raise TmuxError("\n".join(said))
            else:
                said.append(line)

    def _line(self, patience: float) -> str | None:
        """The next one that the client prints, if it comes in time."""
        assert self._client.stdout is not None
        while b"\n" not in self._unread:
            if not select.select([self._client.stdout], [], [], patience)[0]:
                return None
            some = os.read(self._client.stdout.fileno(), 1 << 16)
            if not some:
                raise TmuxError("the tmux server has ended")
            self._unread += some
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace")

    def changes(self, patience: float) -> bool:
        """Wait until something happens at some terminal, and so much longer as pieces of it follow each other at once."""
        if self._line(patience) is None:
            return False
        ends = time.monotonic() + QUIET  # some programs never cease to say something
        while time.monotonic() < ends and self._line(GATHERING) is not None:
            pass
        return True

    def open(self, name: str, *command: str, size: tuple[int, int] = (80, 24)) -> "Terminal":
        width, height = size
        self.do("set-option", "-g", "default-size", f"{width}x{height}")
        self.do("new-window", "-d", "-n", name, *command)
        self._open[name] = Terminal(self, name)
        return self._open[name]

    def until(self, found: Callable[[], T | None], what: str) -> T:
        """Wait for something that shows on a screen; in vain, all screens are told."""
        deadline = time.monotonic() + PATIENCE
        while (it := found()) is None:
            if time.monotonic() > deadline:
                screens = (f"{each.name}:\n{each.text}" for each in self._open.values())
                raise AssertionError("\n".join((f"waited in vain for {what}", *screens)))
            self.changes(LOOK_AGAIN)
        return it

    def close_one(self, name: str) -> None:
        self.do("kill-window", "-t", f"={name}")
        del self._open[name]

    def close(self) -> None:
        """The server, and what runs in its terminals: all of it is hung up on."""
        self._client.communicate()


class TmuxError(Exception):
    """A command that tmux does not carry out."""


def _quoted(argument: str) -> str:
    assert "\n" not in argument, "a command of tmux is one line"
    return "'" + argument.replace("'", "'\\''") + "'"


class Terminal:
    def __init__(self, tmux: Tmux, name: str) -> None:
        self._tmux = tmux
        self.name = name

    def press(self, *keys: str) -> None:
        self._tmux.do("send-keys", "-t", self.name, *keys)

    def types(self, words: str) -> None:
        self._tmux.do("send-keys", "-t", self.name, "-l", words)

    def sends(self, raw: bytes) -> None:
        """Let these bytes come from the terminal, whether or not a key sends them."""
        self._tmux.buffer.write_bytes(raw)
        self._tmux.do("load-buffer", str(self._tmux.buffer))
        self._tmux.do("paste-buffer", "-r", "-t", self.name)

    @property
    def text(self) -> str:
        return self._tmux.do("capture-pane", "-p", "-t", self.name)

    @property
    def coloured(self) -> str:
        """The same with the codes that colour it."""
        return self._tmux.do("capture-pane", "-p", "-e", "-N", "-t", self.name)

    def until(self, found: Callable[[str], object], what: str) -> str:
        """Wait until the screen is as wished; the screen."""

        def look() -> str | None:
            text = self.text
            return text if found(text) else None

        return self._tmux.until(look, f"{what}, by {self.name}")

    def settled(self, found: Callable[[str], object], what: str) -> str:
        """The same of a screen that is not being painted just now: all of it may be read."""

        def look() -> str | None:
            text = self.text
            if not found(text):
                return None
            return None if self._tmux.changes(QUIET) and self.text != text else text

        return self._tmux.until(look, f"{what}, by {self.name}")

    def reads(self, words: str) -> str:
        return self.until(lambda text: words in text, repr(words))

    def matches(self, pattern: str) -> re.Match[str]:
        text = self.until(lambda text: re.search(pattern, text), pattern)
        found = re.search(pattern, text)
        assert found is not None
        return found

    @property
    def process(self) -> int:
        """The id of the program that runs here."""
        return int(self._tmux.do("display-message", "-p", "-t", self.name, "#{pane_pid}"))

    @property
    def device(self) -> Path:
        """What another program would write to."""
        return Path(self._tmux.do("display-message", "-p", "-t", self.name, "#{pane_tty}").strip())

    def begins(self) -> None:
        """At the table of a game alone."""
        self.reads("Press Enter to begin.")
        self.press("Enter")

    def resize(self, width: int, height: int) -> None:
        self._tmux.do("resize-window", "-t", self.name, "-x", str(width), "-y", str(height))

    def close(self) -> None:
        self._tmux.close_one(self.name)


@contextmanager
def tmux(home: Path) -> Iterator[Tmux]:
    it = Tmux(home)
    try:
        yield it
    finally:
        it.close()


def is_gone(process: int) -> bool:
    """Ended, whether or not anybody has looked after it yet."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"


def until(found: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(POLL)
