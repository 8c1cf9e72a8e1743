"""All that is written on any screen can be read, in every theme."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.color import ColorSystem
from rich.style import Style
from textual.geometry import Region

from diadem_client.launch import TerminalOptions
from diadem_client.look.palette import Theme, contrast, rgb_of
from diadem_client.look.tiers import Tier
from diadem_client.settings import Settings
from tests.client.scenes.every import SCENES
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import stop_the_clock

pytestmark = pytest.mark.slow

READABLE = 4.5
"""What the guidelines for accessible content ask of text."""


LOOKS = tuple(product(Theme, (Tier.TRUE, Tier.PALETTE)))


@pytest.mark.parametrize("name", SCENES)
async def test_what_is_written_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    stop_the_clock(monkeypatch)
    faint = {}
    # A field keeps the colours in which it was first painted empty, so the palette is opened anew for each.
    for looks in [(look,) for look in LOOKS] if name == "palette" else [LOOKS]:
        settings = _seen_as(Settings(language="en"), *looks[0])
        async with client(
            tmp_path, settings=settings, terminal=TerminalOptions(tier=Tier.TRUE)
        ) as seen:
            await started(seen)
            await SCENES[name](seen)
            for theme, tier in looks:
                seen.app.change_settings(_seen_as(seen.app.settings, theme, tier))
                await settle(seen)
                for text, style in written(seen):
                    if (found := contrast_of(style, tier)) < READABLE:
                        faint[theme.value, tier.value, text] = round(found, 1)
    assert faint == {}


def _seen_as(settings: Settings, theme: Theme, tier: Tier) -> Settings:
    return replace(settings, theme=theme.value, colours=tier.value)


def written(seen: Seen) -> Iterator[tuple[str, Style]]:
    """What has letters or digits; of a dialog only itself, as what lies under it is dimmed."""
    screen = seen.app.screen
    regions = [screen.region]
    if screen.is_modal:
        leaves = [each for each in screen.query("*") if not each.children and each.region]
        regions = [screen.find_widget(each).visible_region for each in leaves]
    for y, strip in enumerate(seen.strips):
        x = 0
        for text, style, _control in strip:
            area = Region(x, y, len(text), 1)
            x += len(text)
            if any(map(str.isalnum, text)) and any(each.overlaps(area) for each in regions):
                yield text.strip(), style or Style()


def contrast_of(style: Style, tier: Tier) -> float:
    colours = []
    for colour in (style.color, style.bgcolor):
        assert colour is not None
        assert not colour.is_default
        if tier is Tier.PALETTE:
            number = colour.downgrade(ColorSystem.EIGHT_BIT).number
            assert number is not None
            colours.append(rgb_of(number))
        else:
            red, green, blue = colour.get_truecolor()
            colours.append((red, green, blue))
    return contrast(*colours)
