"""The looks a scene is compared in: sizes, colour depths, languages, and ASCII."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct

from diadem_client.launch import TerminalOptions
from diadem_client.look.color_depth import ColorDepth
from diadem_client.settings import Settings
from tests.client.scenes.every import MORE, SCENES
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import Seen, client

NARROW, SMALL, LARGE, TOO_SMALL = (60, 20), (80, 24), (110, 36), (40, 10)


class Look(Struct, frozen=True):
    name: str
    size: tuple[int, int] = SMALL
    language: str = "en"
    ascii_only: bool = False
    tier: ColorDepth = ColorDepth.TRUE


USUAL = Look("small")
SIZES = (Look("large", size=LARGE), Look("narrow", size=NARROW), USUAL)
LANGUAGES = (Look("de", language="de"), Look("fr", language="fr"))
ASCII = Look("ascii", language="fr", ascii_only=True)
PLAIN = Look("plain", tier=ColorDepth.NONE)


def translations(name: str) -> tuple[Look, ...]:
    """Languages a scene is compared in; none if it differs from another only by what is on the table."""
    return () if name in MORE else LANGUAGES


def names_of_pictures(name: str) -> set[str]:
    looks = (*SIZES, *translations(name), ASCII, *(() if name in MORE else (PLAIN,)))
    return {f"{name}-{look.name}" for look in looks} | {f"{name}-colours"}


@asynccontextmanager
async def opened(folder: Path, name: str, look: Look) -> AsyncIterator[Seen]:
    """A client that was started in a look, at a scene."""
    terminal = TerminalOptions(must_be_ascii=look.ascii_only, tier=look.tier)
    settings = Settings(language=look.language)
    async with client(folder, size=look.size, settings=settings, terminal=terminal) as seen:
        await started(seen)
        await SCENES[name](seen)
        await settle(seen)
        yield seen
