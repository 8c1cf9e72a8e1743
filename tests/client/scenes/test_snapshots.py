"""Every screen as it is drawn: small, large, in every number of colours, in ASCII, in all languages."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from rich.color import ColorSystem
from textual.command import CommandPalette
from textual.screen import Screen

import diadem_client
from diadem_client.launch import TerminalOptions
from diadem_client.look.tiers import Tier
from diadem_client.settings import Settings
from diadem_client.terminal.driver import to_ascii
from diadem_client.ui.widgets.dialogs import SelectDialog
from tests.client.scenes.drawn import colours, marks
from tests.client.scenes.every import MORE, SCENES, SHOWN
from tests.client.scenes.stage import settle, started
from tests.client.snapshots import matches
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import stop_the_clock

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "snapshots"
NARROW, SMALL, LARGE = (60, 20), (80, 24), (110, 36)
COLOUR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m")


class Look(Struct, frozen=True):
    """How a screen is looked at."""

    name: str
    size: tuple[int, int] = SMALL
    language: str = "en"
    ascii_only: bool = False
    tier: Tier = Tier.PALETTE

    def __str__(self) -> str:
        return self.name


LOOKS = (
    Look("narrow", size=NARROW),
    Look("large", size=LARGE),
    Look("ascii", language="fr", ascii_only=True),
    Look("plain", tier=Tier.NONE),
    Look("de", language="de"),
    Look("fr", language="fr"),
)
COLOURED = (Tier.TRUE, Tier.PALETTE, Tier.SIXTEEN)


FEW = LOOKS[:4]
"""Without the other languages, for scenes that show other things on a table."""


def looks() -> Iterator[tuple[str, Look]]:
    for name in SCENES:
        yield from product([name], FEW if name in MORE else LOOKS)


@asynccontextmanager
async def opened(folder: Path, name: str, look: Look) -> AsyncIterator[Seen]:
    terminal = TerminalOptions(must_be_ascii=look.ascii_only, tier=look.tier)
    settings = Settings(language=look.language)
    async with client(folder, size=look.size, settings=settings, terminal=terminal) as seen:
        await started(seen)
        await SCENES[name](seen)
        await settle(seen)
        yield seen


def codes(seen: Seen) -> str:
    """As a terminal with all colours would be sent it."""
    return "".join(
        segment.style.render(segment.text, color_system=ColorSystem.TRUECOLOR)
        for strip in seen.strips
        for segment in strip
        if segment.style
    )


@pytest.fixture(autouse=True)
def a_terminal_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_the_clock(monkeypatch)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize(("name", "look"), list(looks()), ids=str)
async def test_it_is_drawn_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, look: Look
) -> None:
    if look.tier is Tier.NONE:
        monkeypatch.setenv("NO_COLOR", "1")
    async with opened(tmp_path, name, look) as seen:
        assert len(seen.screen_text.splitlines()) <= seen.app.size.height
        assert bool(COLOUR.search(codes(seen))) is (look.tier is not Tier.NONE)
        text = seen.screen_text + "\n"
        if look.ascii_only:
            text = to_ascii(text)
        if look.tier is Tier.NONE:
            text += f"\n{marks(seen.strips)}"
        matches(FOLDER, f"{name}-{look.name}", text)


@pytest.mark.parametrize("name", SCENES)
async def test_it_is_coloured_as_it_was(tmp_path: Path, name: str) -> None:
    """The same text in every number of colours, and each cell as it was in each."""
    seen_so = []
    async with opened(tmp_path, name, Look("small", tier=Tier.TRUE)) as seen:
        assert type(seen.app.screen) is SHOWN[name]
        text = seen.screen_text
        for tier in COLOURED:
            seen.app.change_settings(replace(seen.app.settings, colours=tier.value))
            await settle(seen)
            assert seen.screen_text == text
            seen_so.append(f"{tier}\n{colours(seen.strips, tier)}")
        matches(FOLDER, f"{name}-small", f"{text}\n")
        matches(FOLDER, f"{name}-colours", "\n".join(seen_so))


def test_no_picture_is_left_of_what_is_gone() -> None:
    there = {path.stem for path in FOLDER.iterdir()}
    drawn = {f"{name}-{look}" for name, look in looks()}
    assert there <= drawn | {f"{name}-{look}" for name in SCENES for look in ("small", "colours")}


def test_every_screen_has_a_scene() -> None:
    """In `SHOWN` is what each scene is seen to show above."""
    for module in walk_packages(diadem_client.__path__, "diadem_client."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    screens = {each for each in derived_from(Screen) if each.__module__.startswith("diadem_client")}
    parts = {base for screen in screens for base in screen.__mro__[1:]} - {SelectDialog}
    assert screens - parts == set(SHOWN.values()) - {CommandPalette}


def derived_from(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from derived_from(each)
