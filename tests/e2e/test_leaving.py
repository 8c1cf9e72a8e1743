"""Ctrl+C and Ctrl+Z in a real terminal, under a shell that knows jobs and without one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.rig import BIN, TMUX, Tmux, is_gone, tmux, until

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")

CLIENT = str(BIN / "game-client")
ALONE = (CLIENT, "--solo", "diamoniak", "--name", "Ana", "--lang", "en")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


def test_ctrl_c_says_how_to_leave_and_leaves_the_second_time(terminals: Tmux) -> None:
    ana = terminals.open("Ana", *ALONE[:-1], "de")
    ana.reads("Drücke Enter, um anzufangen.")
    ana.press("C-c")
    ana.reads("Drücke noch einmal Strg+C, um Diadem zu verlassen.")
    process = ana.process
    ana.press("C-c")
    until(lambda: is_gone(process), "the client to end")


def test_ctrl_z_leads_to_the_shell_and_fg_back(terminals: Tmux) -> None:
    """Also where a program between the two waits for the client, as make does."""
    ana = terminals.open("Ana", "bash", "--norc", "-i")
    ana.types(f"sh -c '{' '.join(ALONE)}; echo and make goes on'")
    ana.press("Enter")
    ana.begins()
    ana.reads("In reserve")
    ana.press("C-z")
    ana.reads("Stopped")
    ana.types("echo $((6 * 7)) is here")
    ana.press("Enter")
    ana.reads("42 is here")
    ana.types("fg")
    ana.press("Enter")
    ana.reads("In reserve")
    ana.until(lambda text: "42 is here" not in text, "the shell's lines to be gone")
    ana.press("C-q")
    ana.reads("and make goes on")


def test_without_a_shell_ctrl_z_says_so(terminals: Tmux) -> None:
    ana = terminals.open("Ana", *ALONE)
    ana.reads("Press Enter to begin.")  # where nothing that happens takes the sentence's place
    ana.press("C-z")
    ana.reads("was not started from a shell")
