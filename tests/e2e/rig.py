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

PATIENCE = 30.0
POLL = 0.05
TMUX = shutil.which("tmux")
BIN = Path(sys.executable).parent


class Tmux:
    """A tmux server of its own, ended with the test."""

    def __init__(self, home: Path) -> None:
        self._socket = home / "tmux"
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
        return Terminal(self, name)

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

    @property
    def text(self) -> str:
        return self._tmux.do("capture-pane", "-p", "-t", self.name)

    @property
    def coloured(self) -> str:
        """The same with the codes that colour it."""
        return self._tmux.do("capture-pane", "-p", "-e", "-t", self.name)

    def until(self, found: Callable[[str], object], what: str) -> str:
        """Wait until the screen is as wished; the screen."""
        deadline = time.monotonic() + PATIENCE
        while not found(text := self.text):
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {what}:\n{text}")
            time.sleep(POLL)
        return text

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

    def resize(self, width: int, height: int) -> None:
        self._tmux.do("resize-window", "-t", self.name, "-x", str(width), "-y", str(height))

    def close(self) -> None:
        self._tmux.do("kill-session", "-t", self.name)


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
