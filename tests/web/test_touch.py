"""Whole games by nothing but fingers, on a phone that lies on its side."""

import re
from typing import Any

import pytest

from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.games.diadingo.table import Decline, Take
from diadem_shared.games.diadingo.table import TurnPhase as DiadingoPhase
from diadem_shared.games.diamino.table import Accept, Exchange, Give, Pass, TurnPhase
from tests.rig.gates import GateHost
from tests.rig.wire import Player
from tests.web.browser import CHROMIUM, COARSE_PHONE, Browser, Window
from tests.web.fingers import LETTERS_KEY, Choose, Fingers, as_a_bot, is_over
from tests.web.visiting import PICTURES, at_a_table

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
    window = await at_a_table(chromium, bob, at.port, Setup(game), COARSE_PHONE, at.app.config.data)
    fingers = Fingers(window, bob, game)
    await fingers.play(as_a_bot(game, "easy", "Ana"), as_a_bot(game, "bold", "Bob"), is_over)
    await at_the_end(window, game)


async def test_diadingo(chromium: Browser, at: GateHost, bob: Player) -> None:
    """Ana tries each diamond once, and robs nobody."""
    game = "diadingo"
    window = await at_a_table(chromium, bob, at.port, Setup(game), COARSE_PHONE, at.app.config.data)
    tried = set()

    def choose(view: Any, _: int) -> Take | Decline:
        if view.public.phase is DiadingoPhase.STEAL:
            return Decline()
        spot = next(each for each in view.public.board if each not in tried)
        tried.add(spot)
        return Take(spot)

    fingers = Fingers(window, bob, game)
    await fingers.play(choose, as_a_bot(game, "zombie", "Bob"), is_over)
    await at_the_end(window, game)


@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
async def test_diamino(chromium: Browser, at: GateHost, bob: Player, game: str) -> None:
    """Both lay some words; then Ana exchanges a tile, and they pass until the round ends."""
    setup = Setup(game, options={"language": "en"})
    window = await at_a_table(chromium, bob, at.port, setup, COARSE_PHONE, at.app.config.data)
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
