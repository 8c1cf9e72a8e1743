"""Pictures of the real screens for the README: python -m tools.pictures

Every picture is a client in this process at a server in this process, half-way through a game that
bots have played for it.
"""

import asyncio
import re
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from diadem.entries import Entry, Returned, Setup, TakenOver
from diadem_client import i18n
from diadem_client.app import DiademApp
from diadem_client.launch import LaunchOptions
from diadem_client.settings import Settings, SettingsStore
from diadem_server.app import App
from diadem_server.config import Config
from diadem_server.table.table import Table
from tools.pictures.blocks import with_shapes

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
BOTS = ("strong", "strong")
ELSEWHERE = re.compile(r",?\s*url\([^)]*\)(\s*format\([^)]*\))?")
"""Fonts fetched from some other site: a page should show our pictures without asking anybody."""
MINE = 0
BOT_PAUSE = 0.05
"""Seconds: slow enough to stop the game where the picture is wanted."""


class Shot(Struct, frozen=True):
    name: str
    setup: Setup
    bots: tuple[str, ...]
    entries: int
    """How far the bots play before the picture is taken."""
    size: tuple[int, int] = (80, 24)


SHOTS = (
    Shot("diamoniak", Setup("diamoniak"), BOTS, 60, (110, 36)),
    Shot("piratatak", Setup("piratatak"), BOTS, 50),
    Shot("diadingo", Setup("diadingo"), ("perfect", "human"), 26),
    Shot(
        "diamino",
        Setup("diamino-bonus", options={"language": "en", "words_score": True}),
        BOTS,
        14,
        (110, 36),
    ),
)


async def take(shot: Shot, folder: Path) -> None:
    config = Config(data=folder, host="127.0.0.1", port=0, bot_pause=BOT_PAUSE)
    async with App(config) as server:
        launch = LaunchOptions(
            host=f"127.0.0.1:{server.port}",
            name="Ana",
            connect_at_once=True,
            setup=shot.setup,
            bots=shot.bots,
        )
        client = DiademApp(launch, SettingsStore(folder, folder), settings=Settings(language="en"))
        async with client.run_test(size=shot.size) as pilot:
            while (
                not server.lobby.tables or not next(iter(server.lobby.tables.values())).match.state
            ):
                await pilot.pause(0.05)
            table = next(iter(server.lobby.tables.values()))
            table.post(partial(enter, table, TakenOver(MINE, shot.bots[0])))
            while table.match.entries < shot.entries or MINE not in table.match.actors:
                await pilot.pause(0.01)
            table.post(partial(enter, table, Returned(MINE)))
            await pilot.pause(2.0)
            picture = with_shapes(ELSEWHERE.sub("", client.export_screenshot()))
            (FOLDER / f"{shot.name}.svg").write_text(picture, encoding="utf-8")
            await client.action_quit()


async def enter(table: Table, entry: Entry) -> None:
    await table.enter(entry)


def main() -> None:
    i18n.set_language("en")
    FOLDER.mkdir(parents=True, exist_ok=True)
    get_context(
        "forkserver"
    ).Lock()  # while the error output is still a file, as a bot worker needs it
    for shot in SHOTS:
        with TemporaryDirectory() as folder:
            asyncio.run(take(shot, Path(folder)))
        print(FOLDER / f"{shot.name}.svg")


if __name__ == "__main__":
    main()
