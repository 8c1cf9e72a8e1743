"""What a real terminal is sent: no colours where none are wanted, ASCII, a title, and all put back."""

import os
import re
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.rig import BIN, TMUX, Terminal, Tmux, is_gone, tmux, until

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")

CLIENT = str(BIN / "game-client")
ALONE = (CLIENT, "--solo", "diamoniak", "--name", "Ana", "--lang", "en")
COLOUR = re.compile(rb"\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


def overheard(terminals: Tmux, heard: Path, *command: str) -> Terminal:
    """A program of which every byte that it sends to its terminal is written down."""
    typed = shlex.join(command)
    shown = terminals.open("Ana", "sh", "-c", f"read go; exec {typed}")
    terminals.do("pipe-pane", "-t", "Ana", f"cat > {shlex.quote(str(heard))}")
    shown.press("Enter")
    return shown


def see_every_screen(ana: Terminal) -> None:
    """From the table of a game for one."""
    ana.begins()
    ana.matches("YOUR TURN|waiting for")
    for key, words in (
        ("F1", "the rules"),
        ("F9", "Letters of ASCII only"),
        ("F2", "Which bot plays on for you?"),
        ("F8", "Give up this match?"),
        ("C-p", "What do you want to do?"),
    ):
        open_and_close(ana, key, words)
    ana.press("Tab")
    ana.reads("chat, or /word")
    ana.press("F10")
    ana.reads("Your match of Diamoniak is kept")
    open_and_close(ana, "l", "What do you want to learn?")
    open_and_close(ana, "?", "Learn a game by playing it.")
    ana.resize(59, 20)
    ana.reads("needs 60x20")
    ana.resize(60, 20)
    ana.reads("Play alone")
    ana.resize(80, 24)
    ana.reads("Your match of Diamoniak is kept")
    ana.press("j")
    ana.reads("Where do you play?")


def open_and_close(ana: Terminal, key: str, words: str) -> None:
    ana.press(key)
    ana.reads(words)
    ana.press("Escape")
    ana.until(lambda text: words not in text, f"{words!r} to be gone")


@pytest.mark.parametrize("colours", [False, True], ids=["NO_COLOR", "colours"])
def test_no_colour_is_sent_where_none_is_wanted(
    terminals: Tmux,
    tmp_path: Path,
    colours: bool,  # noqa: FBT001
) -> None:
    heard = tmp_path / "heard"
    ana = overheard(terminals, heard, *(() if colours else ("env", "NO_COLOR=1")), *ALONE)
    see_every_screen(ana)
    client = ana.process
    ana.press("C-q")
    until(lambda: is_gone(client), "the client to end")
    assert bool(COLOUR.search(heard.read_bytes())) is colours


def test_ascii_is_all_that_is_sent(terminals: Tmux, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    ana = overheard(terminals, heard, *ALONE, "--ascii")
    see_every_screen(ana)
    assert heard.read_bytes().isascii()


def test_ascii_can_be_chosen_on_the_spot(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--name", "Ana", "--lang", "fr")
    assert not ana.reads("Réglages").isascii()
    for found in (str.isascii, lambda text: "Réglages" in text):
        ana.press("F9")
        ana.reads("Lettres ASCII seulement")
        ana.press("Up", "Right", "Enter")
        ana.until(found, "the other letters")


def title(terminals: Tmux) -> str:
    return terminals.do("display-message", "-p", "-t", "Ana", "#{pane_title}").strip()


def switch(ana: Terminal, setting: str) -> None:
    """Turn on what is off, or off what is on: each setting has a row of its own."""
    ana.press("F9")
    rows = ana.settled(lambda text: "Colours" in text and setting in text, setting).splitlines()
    first, wanted = (
        next(number for number, row in enumerate(rows) if label in row)
        for label in ("Colours", setting)
    )
    ana.press(*["Down"] * (wanted - first), "Right", "Enter")


def test_the_title_is_ours_while_it_runs(terminals: Tmux) -> None:
    ana = terminals.open("Ana", "sh", "-c", f"{shlex.join(ALONE)}; cat")
    before = title(terminals)
    ana.begins()
    ana.matches("YOUR TURN|waiting for")
    until(lambda: title(terminals) in {"Your turn: Diamoniak", "Diadem"}, "our title")
    switch(ana, "Title when it is my turn")
    until(lambda: title(terminals) == before, "the title of before")
    switch(ana, "Title when it is my turn")
    until(lambda: title(terminals) != before, "our title again")
    ana.press("C-q")
    until(lambda: title(terminals) == before, "the title of before")


def test_a_client_that_is_told_to_end_gives_the_terminal_back(terminals: Tmux) -> None:
    ana = terminals.open("Ana", "sh", "-c", f"trap : TERM; {shlex.join(ALONE)}; echo over; cat")
    before = title(terminals)
    ana.begins()
    ana.matches("YOUR TURN|waiting for")
    shell = ana.process
    (client,) = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
    os.kill(int(client), signal.SIGTERM)
    ana.reads("over")
    assert "Diamoniak" not in ana.text
    assert title(terminals) == before


def test_a_terminal_without_titles_is_sent_none(terminals: Tmux, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    ana = overheard(terminals, heard, "env", "TERM=linux", *ALONE)
    ana.begins()
    ana.matches("YOUR TURN|waiting for")
    ana.press("C-q")
    client = ana.process
    until(lambda: is_gone(client), "the client to end")
    assert b"\x1b]2;" not in heard.read_bytes()


def test_a_game_for_one_goes_on_another_day(terminals: Tmux) -> None:
    ana = terminals.open("Ana", *ALONE)
    ana.begins()
    ana.matches("YOUR TURN|waiting for")
    code = ana.matches(r"Diamoniak  (\w{8})  ")[1]
    client = ana.process
    ana.close()
    until(lambda: is_gone(client), "the client to end")
    ana = terminals.open("Ana", *ALONE)
    ana.reads("You left a match of Diamoniak")
    ana.press("Enter")
    ana.reads(f"Diamoniak  {code}  ")
