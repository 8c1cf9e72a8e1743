"""Words stand apart from the scroll bar beside them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widget import Widget

from diadem_client.settings import Settings
from tests.client.scenes.every import SCENES
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import stop_the_clock

pytestmark = pytest.mark.slow

SCROLLED = {
    "rules": (80, 24),
    "rules-at-a-clause": (60, 20),
    "help-at-the-table": (60, 20),
    "why-bots-moved-so": (60, 20),
    "diamoniak-for-three": (110, 36),
    "result-of-a-ship": (110, 36),
}
"""Scenes with more words than there is room for, and where that is so."""


def scrolled_rows(seen: Seen) -> Iterator[str]:
    """What stands left of each scroll bar, row by row, up to it."""
    rows = [strip.text for strip in seen.strips]
    for widget in seen.app.screen.query(Widget):
        if widget.show_vertical_scrollbar and widget.scrollable_content_region:
            area = widget.scrollable_content_region
            end = widget.region.x + widget.gutter.left + area.width
            top = widget.content_region.y
            yield from (row[:end] for row in rows[top : top + area.height])


@pytest.mark.parametrize(("name", "size"), SCROLLED.items(), ids=str)
async def test_words_are_apart_from_a_scroll_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: tuple[int, int]
) -> None:
    stop_the_clock(monkeypatch)
    async with client(tmp_path, size=size, settings=Settings(language="en")) as seen:
        await started(seen)
        await SCENES[name](seen)
        await settle(seen)
        rows = list(scrolled_rows(seen))
        assert len(rows) > 5
        assert [row for row in rows if row[-1] != " "] == []
