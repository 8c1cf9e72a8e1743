"""What clients write on terminals of different kinds, read off again as screens."""

import codecs
import os
import pty
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fcntl import ioctl
from tempfile import TemporaryFile
from termios import TIOCSWINSZ

from msgspec import Struct

from tools.pictures.terminal import ON_DARK, ON_LIGHT, Cell, Terminal

KINDS: dict[str, dict[str, str]] = {
    "true": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
    "256": {"TERM": "xterm-256color"},
    "16": {"TERM": "xterm"},
    "none": {"TERM": "xterm-256color", "NO_COLOR": "1"},
    "ascii": {"TERM": "xterm-256color", "LC_ALL": "C", "PYTHONUTF8": "0"},
    "console": {"TERM": "linux"},
}
"""What terminals of each kind say of themselves."""
NOT_SAID = ("COLORTERM", "NO_COLOR", "TEXTUAL_COLOR_SYSTEM", "COLUMNS", "LINES")
THEMES = ("dark", "light", "contrast", "safe")
SIZES = ("80x24", "60x20", "110x36", "200x50")


class Shot(Struct, frozen=True):
    scene: str
    kind: str
    theme: str
    size: str
    rows: Sequence[Sequence[Cell]]

    def __str__(self) -> str:
        return f"{self.scene}-{self.kind}-{self.theme}-{self.size}"


class PlayerFailed(Exception):
    """What the client said before it ended."""


def shots(scenes: Sequence[str], kind: str, themes: Sequence[str], size: str) -> Iterator[Shot]:
    """The scenes in all of the themes, as one after another stands on a terminal."""
    columns, rows = map(int, size.split("x"))
    groups = [["light"]] if "light" in themes else []
    groups += [others] if (others := [each for each in themes if each != "light"]) else []
    for group in groups:  # a terminal has a ground of its own, dark or light
        terminal = Terminal((columns, rows), ON_LIGHT if group == ["light"] else ON_DARK)
        for data in _written(kind, (columns, rows), [",".join(group), *scenes]):
            for title in terminal.read(data):
                scene, theme = title.split()
                yield Shot(scene, kind, theme, size, terminal.rows)


def _written(kind: str, size: tuple[int, int], arguments: Sequence[str]) -> Iterator[str]:
    """All that a client writes, as it comes."""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    said = {name: value for name, value in os.environ.items() if name not in NOT_SAID}
    environment = said | {"LC_ALL": "C.UTF-8"} | KINDS[kind]
    with TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-c", STARTED, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            pass_fds=[errors.fileno()],
            env=environment | {"ERRORS": str(errors.fileno())},
            start_new_session=True,
        )
        os.close(theirs)
        decoder = codecs.getincrementaldecoder("utf-8")()
        with suppress(OSError):  # the end of a terminal
            while some := os.read(ours, 1 << 16):
                yield decoder.decode(some)
        os.close(ours)
        if process.wait():
            errors.seek(0)
            raise PlayerFailed(errors.read().decode(errors="replace"))


# Textual is loaded once it is known what the terminal can show.
STARTED = """
import os, sys, traceback
try:
    from diadem_client.cli import terminal_options
    terminal = terminal_options(os.environ)
    from tools.pictures.player import main
    main(terminal)
except BaseException:
    os.write(int(os.environ["ERRORS"]), traceback.format_exc().encode())
    sys.exit(1)
"""
