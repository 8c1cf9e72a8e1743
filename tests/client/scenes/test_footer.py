"""What the footer tells is what it would tell if every action were asked anew, whatever was pressed."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from diadem_client.ui.widgets.key_hints import KeyHints
from tests.client.scenes.every import SCENES
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import stop_the_clock
from tests.thoroughness import times

KEYS = (
    *("full_stop", "space", "backspace", "delete", "escape", "enter", "left", "down"),
    *("tab", "1", "2", "3", "4", "5", "6", "7"),
)
STEPS = 25


def hand_of(seen: Seen) -> list[str]:
    """As keys."""
    table = seen.client_state.table
    assert table is not None
    assert table.view is not None
    assert table.view.private is not None
    return [letter.lower() for letter in table.view.private.tiles if letter.isalpha()]


@pytest.mark.parametrize("name", ["diamino-rummy", "diamino-bonus-draft"])
async def test_the_footer_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """After each key it is what it is once all actions are asked again by a signal."""
    stop_the_clock(monkeypatch)
    for walk in range(times(1, 20)):
        chance, stale = Random(f"{name} {walk}"), {}
        async with client(tmp_path) as seen:
            await started(seen)
            await SCENES[name](seen)
            keys = [*KEYS, *hand_of(seen), *hand_of(seen)]
            for step in range(STEPS + 1):
                if step < STEPS:
                    await seen.press(chance.choice(keys))
                else:
                    seen.app.change_settings(replace(seen.app.settings, language="de"))
                await settle(seen)
                shown = footers(seen)
                seen.app.screen.refresh_bindings()
                await settle(seen)
                if footers(seen) != shown:
                    stale[step] = shown
        assert stale == {}


def footers(seen: Seen) -> list[str]:
    return [each.text for each in seen.app.screen.query(KeyHints)]
