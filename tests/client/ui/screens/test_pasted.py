"""What somebody pastes, or was made to paste, into fields that take addresses, names and codes."""

from collections.abc import AsyncIterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.events import Paste
from textual.widgets import Input

from diadem_client.net.address import BadAddress, read_address
from diadem_client.ui.screens.connect import LONGEST_HOST, ConnectScreen
from diadem_client.ui.screens.lobby import LONGEST_CODE, LobbyScreen
from diadem_client.ui.widgets.dialogs import TextDialog
from diadem_shared.protocol import LONGEST_NAME
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import server
from tests.thoroughness import times

HOSTILE = (
    "A" * 1_000_000,
    "\x1b]52;c;cm0gLXJm\x07\x1b[2J\x1b[?1049l",
    "\x9b31mred\x00\x7f\u202eevil\u200b",
    "[@click=app.quit]x[/]",
    "\n\n\nsecond line",
    "",
    "\ud7ff\U000e0001" * 999,
)


@pytest.fixture
async def asked(tmp_path: Path) -> AsyncIterator[Seen]:
    async with client(tmp_path, name="") as seen:
        await seen.on(ConnectScreen)
        yield seen


async def paste(seen: Seen, field: Input, text: str) -> str:
    field.focus()
    await seen.idle()
    field.value = ""
    field.post_message(Paste(text))
    await seen.idle()
    return field.value


async def test_a_paste_leaves_only_what_can_be_shown(asked: Seen) -> None:
    for (id_, most), text in product((("host", LONGEST_HOST), ("name", LONGEST_NAME)), HOSTILE):
        field = asked.app.screen.query_one(f"#{id_}", Input)
        value = await paste(asked, field, text)
        assert (id_, text[:99], len(value)) <= (id_, text[:99], most)
        assert [each for each in value if not each.isprintable()] == []
        await asked.press("enter")
        assert isinstance(asked.app.screen, ConnectScreen)
        assert asked.app.is_running
        asked.app.screen.query_one(f"#{id_}", Input).value = ""


async def test_a_paste_takes_the_place_of_what_is_selected(asked: Seen) -> None:
    field = asked.app.screen.query_one("#host", Input)
    await paste(asked, field, "old.example")
    field.select_all()
    field.post_message(Paste("new.example:7453\nrm -rf"))
    await asked.pilot.pause()
    assert field.value == "new.example:7453"


async def test_no_code_that_is_pasted_does_harm(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        for text in HOSTILE:
            await seen.on(LobbyScreen)
            await seen.press("c")
            await seen.on(TextDialog)
            value = await paste(seen, seen.app.screen.query_one(Input), text)
            assert (text[:99], len(value)) <= (text[:99], LONGEST_CODE)
            await seen.press("enter")
            await seen.on(LobbyScreen)
            assert seen.client_state.table is None


@settings(max_examples=times(25, 1000))
@given(st.text(max_size=300))
def test_whatever_is_typed_is_an_address_or_none(text: str) -> None:
    try:
        address = read_address(text)
    except BadAddress:
        return
    assert address.host
    assert 0 < address.port < 65536
    assert address.opened_by is None
