"""Two real clients in terminals on hosts of their own: they find the server, and one loses its link."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.rig import BIN, TMUX, Terminal, Tmux, tmux
from tests.lan.network import Host, Lan

pytestmark = pytest.mark.skipif(TMUX is None, reason="needs tmux")

SERVER = str(BIN / "game-server")
CLIENT = str(BIN / "game-client")
DRAFT = "dra"
"""Of the word "draw"."""


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Tmux]:
    with tmux(tmp_path) as it:
        yield it


def join(terminals: Tmux, host: Host) -> Terminal:
    """Nobody is told where the server is: it stands in the list."""
    command = (*host.inside, CLIENT, "--name", host.name, "--lang", "en")
    shown = terminals.open(host.name, *command)
    shown.reads("Play alone")
    shown.press("j")
    shown.matches(r"Club +10\.77\.0\.\d+:7453 +\d tables?")
    shown.press("F3", "Enter")
    shown.reads(f"Club, as {host.name}")
    return shown


def test_a_link_that_goes_away_in_the_midst_of_a_turn(
    lan: Lan, terminals: Tmux, tmp_path: Path
) -> None:
    home, hosts = lan.host("home"), {name: lan.host(name) for name in ("Ana", "Bob")}
    data = str(tmp_path / "matches")
    terminals.open("server", *home.inside, SERVER, "--data", data, "--name", "Club")
    ana, bob = (join(terminals, host) for host in hosts.values())
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
    mover, other = (ana, bob) if "YOUR TURN" in ana.text else (bob, ana)

    mover.press("F6")
    mover.reads("type a move")
    mover.types(DRAFT)
    mover.matches(rf"\b{DRAFT}\b")
    hosts[mover.name].unplug()
    mover.matches(r"server heard \d+ s ago")
    mover.matches(r"reconnecting in \d+ s")
    assert re.search(rf"\b{DRAFT}\b", mover.text), "the draft stays"
    hosts[mover.name].plug()
    mover.matches("(?m)[*\u25cf] connected")
    assert re.search(rf"\b{DRAFT}\b", mover.text), "the draft stays"
    other.until(lambda text: "line lost" not in text, f"{mover.name} to be back")
    mover.types("w")
    mover.press("Enter")
    other.matches(rf"{mover.name}: (drew|began)")
    mover.matches(r"You: (drew|began)")
