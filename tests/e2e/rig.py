"""Real terminals: programs in tmux, driven by keys, read by what stands on the screen."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from tests.patience import PATIENCE

T = TypeVar("T")

POLL = 0.05
TMUX = shutil.which("tmux")
BIN = Path(sys.executable).parent
SERVER = str(BIN / "game-server")
CLIENT = str(BIN / "game-client")


class Tmux:
    """A tmux server of its own, ended with the test."""

    def __init__(self, home: Path) -> None:
        self._socket = home / "tmux"
        self.buffer = home / "buffer"
        self._open: dict[str, Terminal] = {}
        self._environment = {
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

    def do(self, *arguments: str) -> str:
        done = subprocess.run(  # noqa: S603
            [str(TMUX), "-S", str(self._socket), "-f", "/dev/null", *arguments],
            capture_output=True,
            text=True,
            check=True,
            env=self._environment,
            timeout=PATIENCE,
        )
        return done.stdout

    def open(self, name: str, *command: str, size: tuple[int, int] = (80, 24)) -> "Terminal":
        width, height = map(str, size)
        self.do("new-session", "-d", "-s", name, "-x", width, "-y", height, *command)
        self.do("set-option", "-t", name, "remain-on-exit", "on")
        self._open[name] = Terminal(self, name)
        return self._open[name]

    def until(self, found: Callable[[], T | None], what: str) -> T:
        """Wait for something that shows on a screen; in vain, all screens are told."""
        deadline = time.monotonic() + PATIENCE
        while (it := found()) is None:
            if time.monotonic() > deadline:
                screens = (f"{each.name}:\n{each.text}" for each in self._open.values())
                raise AssertionError("\n".join((f"waited in vain for {what}", *screens)))
            time.sleep(POLL)
        return it

    def close_one(self, name: str) -> None:
        self.do("kill-session", "-t", name)
        del self._open[name]

    def close(self) -> None:
        with suppress(subprocess.CalledProcessError):  # nothing may be left open
            self.do("kill-server")


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
        before = ""

        def look() -> str | None:
            nonlocal before
            before, text = self.text, before
            return text if text == before and found(text) else None

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
