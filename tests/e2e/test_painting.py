"""What stands in a real terminal is what the client means to stand there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.client.emulator import Terminal as Model
from tests.e2e.rig import BIN, TMUX, Terminal, Tmux, tmux

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")

CLIENT = str(BIN / "game-client")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


def at_a_board(terminals: Tmux) -> Terminal:
    ana = terminals.open("Ana", CLIENT, "--solo", "diamino-bonus", "--name", "Ana", "--lang", "en")
    ana.begins()
    ana.reads("YOUR TURN")
    return ana


def seen(ana: Terminal) -> dict[tuple[int, int], tuple[str, str]]:
    """Every cell, and how it is written."""
    model = Model((80, 24))
    model.feed(ana.coloured.rstrip("\n"))
    return model.cells


def paint_anew(ana: Terminal) -> None:
    """Junk, so that it can be seen when all of it has been painted over."""
    ana.device.write_text("\x1b[m\x1b[5;12HJUNK\x1b[20;3HJUNK")
    ana.until(lambda text: text.count("JUNK") == 2, "junk")
    ana.press("C-l")
    ana.until(lambda text: "JUNK" not in text, "the junk to be painted over")


def test_what_is_left_out_is_there(terminals: Tmux) -> None:
    ana = at_a_board(terminals)
    ana.press("Up", "Right", "Space", "Down", "1", "4", "4", "Left")
    ana.press("F5")
    ana.reads("Keys that do something here")
    ana.press("Escape")
    ana.reads("Reserve")
    diffed = seen(ana)
    paint_anew(ana)
    assert seen(ana) == diffed


def test_esc_is_heard_by_itself(terminals: Tmux) -> None:
    ana = at_a_board(terminals)
    ana.press("Tab")
    ana.reads("chat, or /word")
    ana.press("Escape")
    ana.until(lambda text: "chat, or /word" not in text, "the chat to close")
