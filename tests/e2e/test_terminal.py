"""The client as a real program in a real terminal: its ends, its sizes and its colours."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.rig import CLIENT, TMUX, Tmux, is_gone, tmux, until
from tests.patience import PATIENCE
from tests.programs import tied

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


def test_a_game_for_one_leaves_nothing_behind(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--solo", "diamoniak", "--name", "Ana", "--lang", "en")
    ana.begins()
    ana.matches("YOUR TURN|waiting for")
    client = ana.process
    children = Path(f"/proc/{client}/task/{client}/children").read_text().split()
    assert children
    ana.press("C-q")
    until(lambda: is_gone(client), "the client to end")
    until(lambda: all(is_gone(int(child)) for child in children), "its server to end")


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGHUP])
def test_a_client_that_is_killed_takes_its_server_along(terminals: Tmux, blow: int) -> None:
    ana = terminals.open("Ana", CLIENT, "--solo", "diamoniak", "--name", "Ana", "--lang", "en")
    ana.begins()
    ana.matches("YOUR TURN|waiting for")
    client = ana.process
    children = Path(f"/proc/{client}/task/{client}/children").read_text().split()
    os.kill(client, blow)
    until(lambda: is_gone(client), "the client to end")
    until(lambda: all(is_gone(int(child)) for child in children), "its server to end")


def test_a_terminal_that_hangs_up_ends_the_client(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--name", "Ana", "--lang", "en")
    ana.reads("Play alone")
    client = ana.process
    ana.close()
    until(lambda: is_gone(client), "the client to end")


BLOCKED = """
import signal
from diadem_client import cli
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
cli.main()
"""


def test_it_ends_the_client_also_where_the_signal_is_blocked(
    terminals: Tmux, tmp_path: Path
) -> None:
    blocking = tmp_path / "blocking.py"
    blocking.write_text(BLOCKED)
    ana = terminals.open("Ana", sys.executable, str(blocking), "--name", "Ana", "--lang", "en")
    ana.reads("Play alone")
    client = ana.process
    ana.close()
    until(lambda: is_gone(client), "the client to end")


GONE_BEFORE_THE_FIRST_SCREEN = """
import os
import pty
from diadem_client import cli
from diadem_client.settings import SettingsStore
ours, theirs = pty.openpty()
for each in range(3):
    os.dup2(theirs, each)
os.close(theirs)
read = SettingsStore.settings
def settings(store):
    os.close(ours)
    return read(store)
SettingsStore.settings = settings
cli.main()
"""


def test_a_terminal_that_is_gone_before_the_first_screen_ends_the_client(tmp_path: Path) -> None:
    folders = dict.fromkeys(("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"), str(tmp_path))
    client = subprocess.Popen(  # noqa: S603
        tied(sys.executable, "-c", GONE_BEFORE_THE_FIRST_SCREEN),
        env={**os.environ, **folders, "TERM": "xterm-256color"},
    )
    try:
        assert client.wait(PATIENCE) == -signal.SIGHUP
    finally:
        client.kill()


def test_answers_that_nobody_asked_for_are_no_keys(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--name", "Ana", "--lang", "en")
    ana.reads("Play alone")
    ana.press("j")
    ana.reads("Where do you play?")
    ana.sends(b"\x1b[24;80R" * 2000 + b"zz")
    text = ana.reads("zz")
    assert not re.search("R|24;80", text.partition("Where do you play?")[2].replace("zz", ""))


def test_bytes_that_are_no_utf_8_are_no_reason_to_stop(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--name", "Ana", "--lang", "en")
    ana.reads("Play alone")
    ana.press("j")
    ana.reads("Where do you play?")
    ana.sends(b"\xff\xe4A")

    def types_on(text: str) -> bool:
        """Keys that are read together with such bytes are lost with them, so it is tried again."""
        ana.types("zz")
        return "zz" in text and "Your name" in text

    ana.until(types_on, "keys that still work")


BROKEN = """
from diadem_client import cli
from diadem_client.app import DiademApp
DiademApp.action_help = lambda self: 1 / 0
cli.main()
"""


def test_who_plays_reads_a_sentence_instead_of_a_traceback(terminals: Tmux, tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(BROKEN)
    # A terminal whose program has ended says so in place of the line at the top: this one goes on.
    command = ("sh", "-c", '"$0" "$@"; cat', sys.executable, str(broken))
    ana = terminals.open("Ana", *command, "--name", "Ana", "--lang", "en")
    ana.reads("Play alone")
    ana.press("F5")
    text = ana.reads("Something broke in Diadem, and it had to stop.")
    assert "Traceback" not in text
    assert "ZeroDivisionError" in next(tmp_path.rglob("*.log")).read_text()


def test_a_small_terminal_is_told_and_recovers(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--name", "Ana", "--lang", "en")
    for too_small in ((59, 20), (60, 19)):
        ana.resize(*too_small)
        ana.reads(f"Diadem needs 60x20, this is {too_small[0]}x{too_small[1]}.")
    for large_enough in ((60, 20), (120, 40)):
        ana.resize(*large_enough)
        ana.reads("Play alone")


def test_ascii_is_ascii(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--ascii", "--name", "Ana", "--lang", "fr")
    assert ana.reads("Quitter").isascii()


def test_colours_can_be_done_without(terminals: Tmux) -> None:
    ana = terminals.open("Ana", "env", "NO_COLOR=1", CLIENT, "--name", "Ana", "--lang", "en")
    ana.reads("Play alone")
    codes = re.findall(r"\x1b\[([0-9;]*)m", ana.coloured)
    numbers = {int(code) for each in codes for code in each.split(";") if code}
    assert not numbers & {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}
