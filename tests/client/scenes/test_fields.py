"""Where one writes can be seen before anything is written there."""

from pathlib import Path

import pytest
from textual.widgets import Input

from diadem_client.launch import TerminalOptions
from diadem_client.look.tiers import Tier
from diadem_client.settings import Settings
from tests.client.scenes.every import SCENES
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import stop_the_clock

pytestmark = pytest.mark.slow


def is_seen(seen: Seen, field: Input) -> bool:
    """By a ground of its own or by a line, from one end to the other."""
    area = field.content_region
    strip = seen.strips[area.y].crop(area.x, area.right)
    around = seen.app.screen.rich_style.bgcolor
    return all(
        segment.style and (segment.style.underline or segment.style.bgcolor != around)
        for segment in strip
    )


@pytest.mark.parametrize("tier", Tier)
@pytest.mark.parametrize(
    "name",
    ["settings", "make-with-everything", "connect", "refused-by-password", "code-of-a-table"],
)
async def test_a_field_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, tier: Tier
) -> None:
    stop_the_clock(monkeypatch)
    if tier is Tier.NONE:
        monkeypatch.setenv("NO_COLOR", "1")
    terminal = TerminalOptions(tier=tier)
    async with client(tmp_path, settings=Settings(language="en"), terminal=terminal) as seen:
        await started(seen)
        await SCENES[name](seen)
        await settle(seen)
        fields = [each for each in seen.app.screen.query(Input) if each.region]
        assert fields
        assert [each.id for each in fields if not is_seen(seen, each)] == []
