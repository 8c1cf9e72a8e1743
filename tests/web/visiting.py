"""How somebody comes to a table in a browser."""

import re
from itertools import count
from pathlib import Path

from diadem_client.settings import Settings, SettingsStore
from diadem_server.gates.players import Players
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.rig.wire import Player
from tests.server import done
from tests.web.browser import DESKTOP, Browser, Device, Window

PICTURES = Path(__file__).parents[2] / "dist" / "browser"
"""What was seen, for whoever wants to look at it."""
NUMBERS = count(1)
BOARDS = {
    "diamoniak": "deck",
    "piratatak": "deck",
    "diadingo": "Rings to come",
    "diamino-rummy": "Reserve",
    "diamino-bonus": "Reserve",
}
"""What stands on each board, in every size."""
AT_ONCE = Settings(pace="instant", motion=False)
"""A tap that ends a motion does nothing else, and whoever taps for a test cannot see one."""
TURN = re.compile("YOUR TURN|waiting for")


def address(port: int, table: str = "") -> str:
    return f"http://127.0.0.1:{port}/{table}"


async def come(window: Window) -> None:
    """Through the form, by hand, as somebody whose name nobody else has."""
    await window.until_true("document.activeElement === document.querySelector('#name')")
    await window.inserts(f"Ana{next(NUMBERS)}")
    await window.tap_on("#go")


async def at_a_table(
    chromium: Browser,
    bob: Player,
    port: int,
    setup: Setup,
    device: Device = DESKTOP,
    quick_at: Path | None = None,
) -> Window:
    """Ana has come to Bob's table, and the round has begun. `quick_at`: the data directory of the server, if her client is
    to show everything at once."""
    table = await bob.make(setup)
    window = await beside(chromium, bob, port, table, device, quick_at)
    await done(bob, protocol.Start)
    await begun(window, setup.game)
    return window


async def beside(
    chromium: Browser, bob: Player, port: int, table: str, device: Device, quick_at: Path | None
) -> Window:
    """Ana has come to a table at which Bob is, as its second player."""
    window = await chromium.open(address(port, table), device)
    if quick_at is not None:
        folder = (
            quick_at / "web" / "players" / Players(quick_at / "web").folder(await window.identity())
        )
        SettingsStore(folder, folder).save(AT_ONCE)
    await come(window)
    await window.reads(table)
    await bob.seen(lambda view: len(view.public["players"]) == 2)
    return window


async def begun(window: Window, game: str) -> None:
    """The round, so that she sees it."""
    await window.until(TURN.search, "the round")
    await window.reads(BOARDS[game])


async def talk(window: Window) -> None:
    """To the line where one says something; there ? is a letter, and help has another key."""
    await window.press("Tab")
    await window.reads("F5 help")
