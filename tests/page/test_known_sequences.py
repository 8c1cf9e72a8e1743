"""The page knows every sequence that the client's driver can say."""

import ast
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
import textual.app
from rich.style import Style
from textual.drivers import linux_driver

from diadem_client.terminal import driver, round_trip, sgr, writer
from diadem_client.terminal.diff import ScreenBuffer
from tests.cases import cases
from tests.client.emulator import Terminal
from tests.client.scenes.drawn import SYSTEMS
from tests.client.scenes.every import MORE, SCENES
from tests.client.scenes.looks import Look, opened
from tests.e2e.rig import CLIENT
from tests.page.engine import Page
from tests.page.seen import emulated, shown
from tests.thoroughness import times
from tools.bench._screen import on_a_terminal

SPEAKERS = (driver, round_trip, writer, linux_driver, textual.app)
NEVER_SAID = ("\x1b]52;",)
"""The clipboard, which a hosted client has none of; the page leaves it alone."""


def literals(module: ModuleType) -> Iterator[str]:
    """Texts of a program that begin a sequence, with a number for each value that is set in."""
    tree = ast.parse(Path(str(module.__file__)).read_text())
    inside = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            text = node.value
        else:
            continue
        if text.startswith("\x1b") and len(text) > 1:
            yield text


@cases("module", SPEAKERS, ids=lambda each: each.__name__)
def test_of_what_stands_in_the_drivers_sources_none_is_strange(module: ModuleType) -> None:
    page = Page((80, 24))
    assert list(literals(module))
    for text in literals(module):
        if text.startswith(NEVER_SAID):
            continue
        for kind in "ABCD" if text in {"\x1b[1", "\x1b[11"} else ("",):  # the letter is set in last
            page.feed(text.encode() + kind.encode())
            assert page.strange == [], text
        page.feed(b"\x1b\\")


def test_every_mark_that_is_turned_off_is_known() -> None:
    page = Page((80, 24))
    for mark, off in sgr.TURNED_OFF_BY.items():
        page.feed(f"\x1b[{mark}ma\x1b[{off}mb\x1b[m\x1b[H".encode())
        on, gone = page.cells[:2]
        assert on[3]
        assert not gone[3]
    assert page.strange == []


def test_from_its_start_to_its_end_a_client_says_nothing_strange(tmp_path: Path) -> None:
    page = Page((80, 24))
    environment = {"HOME": str(tmp_path), "COLORTERM": "truecolor", "LANGUAGE": "en"}
    with on_a_terminal(CLIENT, **environment) as screen:
        said = screen.all_until(b"step by step")
        for key in (b"\x1b[B", b"?"):
            screen.send(key)
            said += screen.all_until(b"m")
        os.kill(screen.process, signal.SIGTERM)
        said += screen.all_until(b"\x1b[?1004l")
    page.feed(said)
    assert page.strange == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SCENES.keys() - MORE)[:: times(6, 1)])
async def test_every_screen_is_shown_as_it_is_drawn(tmp_path: Path, name: str) -> None:
    size = (80, 24)
    async with opened(tmp_path, name, Look("shown", size=size)) as seen:
        strips = seen.strips[: size[1]]
    page, terminal, buffer = Page(size), Terminal(size), ScreenBuffer()
    for system in SYSTEMS.values():
        rows = (
            "".join(
                (each.style or Style()).render(each.text, color_system=system) for each in strip
            )
            for strip in strips
        )
        frame = "\n".join(f"\x1b[{row};1H{line}" for row, line in enumerate(rows, 1)) + "\x1b[H"
        terminal.feed(frame)
        page.feed(buffer.diff(frame, size).encode())
        assert shown(page) == emulated(terminal)
    assert page.strange == []
