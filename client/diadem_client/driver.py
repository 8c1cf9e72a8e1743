"""Terminals as they are: those without Unicode, and those that hang up."""

import os
import re
import select
import signal
import sys
import threading
import unicodedata
from typing import Any, BinaryIO, TextIO

from rich.cells import cell_len
from textual.drivers.linux_driver import LinuxDriver

DRAWN = {
    "|": "│║┃╎╏┆┇┊┋▎▌▐▍▊▔▕▏",
    "-": "─━═╌╍┄┅┈┉…–—",  # noqa: RUF001, that is what this is about
    "+": "┌┐└┘├┤┬┴┼╭╮╰╯",
    "#": "█▀▄▆▇▅",
    "_": "▁▂▃",
    "'": "‘’",  # noqa: RUF001
    '"': "“”„«»",
    "*": "•·✓×",  # noqa: RUF001
    ">": "→",
    "<": "←",
    "^": "↑",
    "v": "↓",
}
BOXES = str.maketrans({letter: plain for plain, letters in DRAWN.items() for letter in letters})
LINES = frozenset(map(chr, range(0x2500, 0x2580)))
BLOCKS = frozenset(map(chr, range(0x2580, 0x25A0)))
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def to_ascii(text: str) -> str:
    """The same in as many cells, without a letter that ASCII does not have."""
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


class AsciiDriver(LinuxDriver):
    def write(self, data: str) -> None:
        super().write(to_ascii(data))


class Closed(LinuxDriver):
    """For whoever plays on a machine that is not hers: nothing here reaches beyond the terminal."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # the other driver would sleep

    @property
    def can_suspend(self) -> bool:
        return False

    def open_url(self, url: str, new_tab: bool = True) -> None:  # noqa: FBT001, FBT002
        pass

    def deliver_binary(self, binary: BinaryIO | TextIO, **named: Any) -> None:
        binary.close()


class ClosedAscii(Closed, AsciiDriver):
    pass


def end_when_hung_up() -> None:
    """A terminal that is gone ends the process, even where no signal comes for it."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if sys.stdin.isatty():
        threading.Thread(target=_wait_for_hang_up, args=(sys.stdin.fileno(),), daemon=True).start()


def _wait_for_hang_up(terminal: int) -> None:
    poll = select.poll()
    poll.register(terminal, 0)  # only what is always told: that it hung up
    poll.poll()
    os.kill(os.getpid(), signal.SIGHUP)
