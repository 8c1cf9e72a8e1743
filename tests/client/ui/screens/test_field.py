"""Keys that come in one piece, as they do over a slow line, do what they do one by one."""

from pathlib import Path

from textual.events import Key

from diadem_client.ui.widgets.field import Field
from tests.client.ui.screens.rig import client


async def test_letters_behind_keys_that_delete_are_kept(tmp_path: Path) -> None:
    async with client(tmp_path, name="Anabel") as seen:
        await seen.until(lambda: isinstance(seen.app.focused, Field))
        name = seen.app.screen.query_one("#name", Field)
        name.focus()
        await seen.until(lambda: name.has_focus)
        await seen.press("end")
        for key in [*["backspace"] * 3, "i", "left", "t", "home", *["delete"] * 2, "X", "end", "e"]:
            seen.app.post_message(Key(key, key if len(key) == 1 else None))
        await seen.until(lambda: name.value.endswith("e"))
        assert name.value == "Xatie"
