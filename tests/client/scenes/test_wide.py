"""On a very wide terminal what belongs together stands together."""

from pathlib import Path

import pytest

from diadem_client.look import art
from tests.client.scenes.every import SCENES
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import client
from tests.client.ui.screens.staged import stop_the_clock

pytestmark = pytest.mark.slow

BLOCKS = frozenset({art.FULL, art.UPPER, art.LOWER})
FURTHEST = 110


@pytest.mark.parametrize("name", ["result-of-a-castle", "result-of-a-ship"])
async def test_what_was_won_with_stands_beside_who_has_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    stop_the_clock(monkeypatch)
    async with client(tmp_path, size=(200, 50)) as seen:
        await started(seen)
        await SCENES[name](seen)
        await settle(seen)
        rows = seen.screen_text.splitlines()[:12]
        painted = {at for row in rows for at, letter in enumerate(row) if letter in BLOCKS}
        assert len(painted) > 40
        assert max(at for at in painted if at < 160) < FURTHEST, "right of it is the log"
