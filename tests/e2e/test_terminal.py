"""Server and clients as real programs in real terminals, played by keys alone."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.rig import BIN, TMUX, Terminal, Tmux, is_gone, tmux, until

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")

SERVER = str(BIN / "game-server")
CLIENT = str(BIN / "game-client")
MINE = re.compile(r"> YOUR TURN")
OVER = re.compile(r"has won!|share the win!")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


def serve(terminals: Tmux, tmp_path: Path) -> str:
    """Start a server; its port."""
    shown = terminals.open(
        "server",
        *(SERVER, "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "matches")),
    )
    return shown.matches(r"open, port (\d+)")[1]


def join(terminals: Tmux, port: str, name: str) -> Terminal:
    return terminals.open(
        name, *(CLIENT, "--host", f"127.0.0.1:{port}", "--name", name, "--lang", "en")
    )


def type_moves(terminal: Terminal) -> None:
    """Where a game has a pane of its own, moves are typed after F6."""
    if "type a move" not in terminal.until(lambda text: "deck" in text.casefold(), "the table"):
        terminal.press("F6")
        terminal.reads("type a move")


def move(terminal: Terminal, text: str) -> None:
    """One move of a player who draws three cards, and gives up what costs least."""
    found = re.search(r"You may(?:, for example)?: (\w+)", text)
    if found is None:
        return
    drawn = re.search(r"^drawn: (.*)$", text, re.MULTILINE)
    enough = drawn is not None and drawn[1].count(",") >= 2
    chosen = "stop" if enough and "draw, stop" in text else found[1]
    if chosen == "pay":
        chosen = " ".join(["pay", *cheapest(terminal.name, text)])
    terminal.types(chosen)
    terminal.press("Enter")
    terminal.until(lambda now: lying(now) != lying(text), f"what {chosen} does")


def cheapest(name: str, text: str) -> list[str]:
    """Three cards to give up: what lies in the reserve first."""
    held = re.search(
        rf"{name}: castle (.*?); reserve (.*?) (?:\w+: castle|turn:)", " ".join(text.split())
    )
    assert held is not None
    castle, reserve = (row.replace("-", "").replace(",", " ").split() for row in held.groups())
    words = {"currency": "diamond", "shield": "fairy"}
    return [words.get(card, card) for card in (*reserve, *castle)][:3]


def lying(text: str) -> list[str]:
    """What lies on the table, and whose turn it is."""
    return [row for row in text.splitlines()[:-6] if not row.startswith(("You may", "type a"))]


def play(first: Terminal, second: Terminal, done: int) -> bool:
    """Up to so many moves, whoever is on; True once the match is over."""
    for _ in range(done):
        text = first.until(
            lambda text: MINE.search(text) or MINE.search(second.text) or OVER.search(text),
            "somebody to be on",
        )
        if OVER.search(text):
            return True
        mover = first if MINE.search(text) else second
        shown = mover.until(
            lambda text: (MINE.search(text) and "You may" in text) or OVER.search(text),
            "the moves there are",
        )
        if OVER.search(shown):
            return True
        move(mover, shown)
    return False


def test_two_play_a_match_and_one_is_killed_and_comes_back(terminals: Tmux, tmp_path: Path) -> None:
    port = serve(terminals, tmp_path)
    ana, bob = join(terminals, port, "Ana"), join(terminals, port, "Bob")
    ana.reads("No table is open.")
    ana.press("m")
    ana.reads("What is played here?")
    ana.press("Enter")
    ana.reads("before the start")
    bob.reads("gathering")
    bob.press("Enter")
    bob.reads("Press r when you are ready.")
    bob.press("r")
    ana.matches(r"Bob +ready")
    ana.press("r")
    ana.matches("YOUR TURN|waiting for Bob")
    type_moves(ana)
    type_moves(bob)
    assert not play(ana, bob, 8)
    os.kill(bob.process, signal.SIGKILL)
    ana.reads("Bob (line lost)")
    bob.close()
    bob = join(terminals, port, "Bob")
    bob.matches("YOUR TURN|waiting for Ana")
    ana.until(lambda text: "line lost" not in text, "Bob to be back")
    type_moves(bob)
    assert play(ana, bob, 600)
    bob.matches(OVER.pattern)


def test_a_game_for_one_leaves_nothing_behind(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--solo", "diamoniak", "--name", "Ana", "--lang", "en")
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
    ana.matches("YOUR TURN|waiting for")
    client = ana.process
    children = Path(f"/proc/{client}/task/{client}/children").read_text().split()
    os.kill(client, blow)
    until(lambda: is_gone(client), "the client to end")
    until(lambda: all(is_gone(int(child)) for child in children), "its server to end")


def test_a_terminal_that_hangs_up_ends_the_client(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--name", "Ana", "--lang", "en")
    ana.reads("Where do you play?")
    client = ana.process
    ana.close()
    until(lambda: is_gone(client), "the client to end")


def test_a_small_terminal_is_told_and_recovers(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--name", "Ana", "--lang", "en")
    ana.resize(72, 20)
    ana.reads("Diadem needs 80x24, this is 72x20.")
    ana.resize(120, 40)
    ana.reads("Where do you play?")


def test_ascii_is_ascii(terminals: Tmux) -> None:
    ana = terminals.open("Ana", CLIENT, "--ascii", "--name", "Ana", "--lang", "fr")
    assert ana.reads("Serveur").isascii()


def test_colours_can_be_done_without(terminals: Tmux) -> None:
    ana = terminals.open("Ana", "env", "NO_COLOR=1", CLIENT, "--name", "Ana", "--lang", "en")
    ana.reads("Where do you play?")
    codes = re.findall(r"\x1b\[([0-9;]*)m", ana.coloured)
    numbers = {int(code) for each in codes for code in each.split(";") if code}
    assert not numbers & {*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)}
