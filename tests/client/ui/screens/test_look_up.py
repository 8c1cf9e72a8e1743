"""Looking words up at the table."""

from pathlib import Path

import pytest

import diadem_shared.lexicon.shelf as word_lists
from diadem_client.ui.screens.look_up import LookUpScreen, said_of
from diadem_client.ui.screens.table import TableScreen
from diadem_shared.entries import Setup
from diadem_shared.lexicon import from_text
from diadem_shared.protocol import LookedUp
from tests.client.ui.screens.rig import client
from tests.rig.wire import Player, server

CLUB = "list to look up in"


@pytest.mark.parametrize("shown", [True, False])
async def test_a_word_is_looked_up_where_the_table_agreed_to_that(
    tmp_path: Path, *, shown: bool
) -> None:
    word_lists.put(CLUB, from_text("schon\nschön\n", "de"))
    options: dict[str, str | bool | int | None] = {"word_list": CLUB, "look_up": shown}
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port, table=await bob.make(Setup("diamino-rummy", options))) as seen,
    ):
        await seen.on(TableScreen)
        await seen.press("f4")
        if not shown:
            await seen.on(TableScreen)
            return
        await seen.on(LookUpScreen)
        await seen.types("schön")
        await seen.press("enter")
        await seen.reads("SCHON is in the list: schon, schön.")
        await seen.types("ei")
        await seen.press("enter")
        await seen.reads("EI is not in the list.")
        await seen.press("escape")
        await seen.on(TableScreen)


def test_what_is_said_is_short_whatever_a_server_sends() -> None:
    many = tuple(f"word{number}" for number in range(1000))
    assert said_of(LookedUp(1, "WORD", many)).endswith("word6, word7.")
    assert "no hyphen" in said_of(LookedUp(1, "", many))
