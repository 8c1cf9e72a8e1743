"""The QR code on the host's own terminal: a camera reads it there, and nowhere else anything is written."""

import fcntl
import io
import os
import re
import struct
import termios
from collections.abc import Iterator
from typing import TextIO

import pytest

from diadem_server.terminal_qr import write_code
from tests.rig.qr_reader import read

PAGE = "http://192.0.2.7:7480"
COLOURS = {"TERM": "xterm-256color"}
CELL = re.compile(r"\x1b\[3(\d);4(\d)m▀")
LIGHT = "7"


class Terminal:
    """The near end of a terminal that a server writes to."""

    def __init__(self, columns: int = 80) -> None:
        self._near, far = os.openpty()
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.out: TextIO = os.fdopen(far, "w", encoding="utf-8")

    @property
    def said(self) -> str:
        os.set_blocking(self._near, False)
        found = b""
        try:
            while some := os.read(self._near, 65536):
                found += some
        except BlockingIOError:
            pass
        return found.decode()

    def close(self) -> None:
        self.out.close()
        os.close(self._near)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.close()


def bitmap(said: str) -> list[list[bool]]:
    lines = [CELL.findall(line) for line in said.splitlines()]
    return [[cell[half] != LIGHT for cell in line] for line in lines if line for half in (0, 1)]


def test_a_camera_reads_it(terminal: Terminal) -> None:
    assert write_code(PAGE, terminal.out, COLOURS)
    assert read(bitmap(terminal.said)) == PAGE.upper()


@pytest.mark.parametrize(
    "environment", [{}, {"TERM": "dumb"}, {"TERM": "xterm", "NO_COLOR": "1"}], ids=str
)
def test_a_terminal_that_shows_no_colours_gets_nothing(
    terminal: Terminal, environment: dict[str, str]
) -> None:
    assert not write_code(PAGE, terminal.out, environment)
    assert terminal.said == ""


def test_a_narrow_terminal_gets_nothing() -> None:
    terminal = Terminal(columns=28)
    assert not write_code(PAGE, terminal.out, COLOURS)
    assert terminal.said == ""
    terminal.close()


def test_what_is_no_terminal_gets_nothing() -> None:
    out = io.StringIO()
    assert not write_code(PAGE, out, COLOURS)
    assert out.getvalue() == ""


def test_an_address_that_no_code_holds_is_left_out(terminal: Terminal) -> None:
    assert not write_code(f"http://{'x' * 240}", terminal.out, COLOURS)
    assert terminal.said == ""
