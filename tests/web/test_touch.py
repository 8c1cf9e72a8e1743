"""Whole games by nothing but fingers, on a phone that lies on its side."""

import asyncio
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from diadem import protocol
from diadem.chance import Chance
from diadem.entries import Setup
from diadem.games import GAMES
from diadem.games.diadingo.table import Decline, Take
from diadem.games.diadingo.table import TurnPhase as DiadingoPhase
from diadem.games.diamino.table import Accept, Exchange, Give, Pass, TurnPhase
from diadem_client.settings import Settings, SettingsStore
from tests.e2e.rig import CLIENT, TMUX, Terminal, tmux
from tests.rig.gates import GateHost
from tests.rig.wire import Player
from tests.server import done
from tests.web.browser import CHROMIUM, COARSE_PHONE, Browser, Window
from tests.web.fingers import LETTERS_KEY, Choose, Fingers, as_a_bot, is_over
from tests.web.visiting import PICTURES, at_a_table, begun, beside

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
    pytest.mark.xdist_group("touch"),
]

RESULT = re.compile("won!|wins|share the win!")
WORDS = 1
"""As many moves each makes in Diamino before all pass, which ends the round (M-17)."""


async def at_the_end(window: Window, game: str) -> None:
    await window.until(RESULT.search, "the result")
    await window.picture(PICTURES / f"{game}-over-phone.png")
    await window.tap("leave")
    await window.reads("Diadem, as Ana")
    assert window.complaints == []


async def test_castles(chromium: Browser, at: GateHost, bob: Player) -> None:
    """Piratatak is played by the same pane."""
    game = "diamoniak"
    window = await at_a_table(chromium, bob, at.port, Setup(game), COARSE_PHONE)
    fingers = Fingers(window, bob, game)
    await fingers.play(as_a_bot(game, "easy", "Ana"), as_a_bot(game, "bold", "Bob"), is_over)
    await at_the_end(window, game)


@pytest.mark.skipif(TMUX is None, reason="needs tmux")
async def test_diadingo(chromium: Browser, at: GateHost, bob: Player, tmp_path: Path) -> None:
    """Ana tries each diamond once, and robs nobody. The other is Cem, in a real terminal; Bob looks on."""
    table = await bob.make(Setup("diadingo"))
    await done(bob, protocol.Stand)
    at_once = Settings(pace="instant", motion=False)
    SettingsStore(tmp_path / "config" / "diadem", tmp_path / "state").save(at_once)
    with tmux(tmp_path) as terminals:
        cem = terminals.open("Cem", *cem_at(f"127.0.0.1:{at.app.port}", table))
        await bob.seen(lambda view: len(view.public["players"]) == 1)
        window = await beside(chromium, bob, at.port, table, COARSE_PHONE)
        await asyncio.to_thread(cem.press, "s")
        await begun(window, "diadingo")
        await play_diadingo(window, bob, cem)
        await at_the_end(window, "diadingo")
        await asyncio.to_thread(cem.matches, RESULT.pattern)


def cem_at(server: str, table: str) -> tuple[str, ...]:
    return CLIENT, "--host", server, "--name", "Cem", "--table", table, "--lang", "en"


def type_move(terminal: Terminal, move: str) -> None:
    terminal.settled(lambda text: "YOUR TURN" in text, "their turn")
    terminal.press("F6")
    terminal.reads("type a move")
    terminal.types(move)
    terminal.press("Enter")


async def play_diadingo(window: Window, bob: Player, cem: Terminal) -> None:
    tried = set()

    def choose(view: Any, _: int) -> Take | Decline:
        if view.public.phase is DiadingoPhase.STEAL:
            return Decline()
        spot = next(each for each in view.public.board if each not in tried)
        tried.add(spot)
        return Take(spot)

    async def types(move: str) -> None:
        # A key that ends a motion does nothing else; it is typed again.
        with suppress(AssertionError):
            await asyncio.to_thread(type_move, cem, move)

    fingers = Fingers(window, bob, "diadingo", types)
    await fingers.play(choose, as_a_bot("diadingo", "zombie", "Cem"), is_over)


@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
async def test_diamino(chromium: Browser, at: GateHost, bob: Player, game: str) -> None:
    """Both lay some words; then Ana exchanges a tile, and they pass until the round ends."""
    setup = Setup(game, options={"language": "en"})
    window = await at_a_table(chromium, bob, at.port, setup, COARSE_PHONE)
    await window.tap_on(LETTERS_KEY)  # for a joker's letter
    await window.until_true("abc.clientHeight > 0")
    fingers = Fingers(window, bob, game)
    anas, bobs = words_and_passes(game, "Ana", exchanges=1), words_and_passes(game, "Bob")
    await fingers.play(anas, bobs, is_over)
    await at_the_end(window, game)


def words_and_passes(game: str, name: str, exchanges: int = 0) -> Choose:
    mind = GAMES[game].bots["easy"](Chance(name.encode()))

    def choose(view: Any, made: int) -> Any:
        if made < WORDS:
            return mind.choose(view)
        match view.public.phase:
            case TurnPhase.GIVE:
                return Give("")
            case TurnPhase.JUDGE:
                return Accept()
            case _:
                exchange = Exchange(view.private.tiles[0])
                may = made < WORDS + exchanges and GAMES[game].explain(view, exchange) is None
                return exchange if may else Pass()

    return choose
