"""Every screen as it is drawn: small, large, in every number of colours, in ASCII, in all languages."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace
from rich.color import ColorSystem

from diadem_client.launch import TerminalOptions
from diadem_client.look.tiers import Tier
from diadem_client.settings import Settings
from diadem_client.terminal.driver import to_ascii
from tests.client.scenes.drawn import colours, marks
from tests.client.scenes.every import SCENES
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


LOOKS = (
    Look("narrow", size=NARROW),
    Look("large", size=LARGE),
    Look("ascii", language="fr", ascii_only=True),
    Look("plain", tier=Tier.NONE),
    Look("de", language="de"),
    Look("fr", language="fr"),
)
COLOURED = (Tier.TRUE, Tier.PALETTE, Tier.SIXTEEN)


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


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
@pytest.mark.parametrize("name", SCENES)
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
    looks = [look.name for look in LOOKS]
    assert there <= {f"{name}-{look}" for name in SCENES for look in (*looks, "small", "colours")}
