"""A table may play with a word list that the host has brought along, and that no client has."""

from functools import partial
from pathlib import Path

import pytest

from diadem_client.board.typed import LinePane
from diadem_client.state.client_state import TableState
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from tests.client.ui.screens.rig import Seen, client
from tests.server.test_cli import running

CLUB = "words of our club"


def table_of(seen: Seen) -> TableState:
    assert seen.client_state.table is not None
    return seen.client_state.table


@pytest.mark.slow
@pytest.mark.parametrize("game", ["diamino-rummy", "diamino-bonus"])
async def test_moves_can_be_typed_at_a_table_with_a_word_list_of_the_host(
    tmp_path: Path, game: str
) -> None:
    words = tmp_path / "words"
    words.write_text("zzz\n")
    setup = Setup(game, options={"word_list": CLUB})
    async with (
        running("--data", str(tmp_path / "data"), "--word-list", f"{CLUB}={words}") as (_, port, _),
        client(tmp_path, port, setup=setup, bots=("zombie",)) as seen,
    ):
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.my_turn)
        rules = table_of(seen).game
        await seen.press("f6")
        for _ in range(3):  # the second turn comes while moves are typed
            await seen.until(lambda: seen.app.screen.query(LinePane))
            view = table_of(seen).view
            assert view is not None
            assert view.private is not None
            assert not rules.can_judge(view.public)
            await typed(seen, "dance")
            await seen.reads("I cannot read that.")
            await typed(seen, "lay H8 across ZZZ")
            await seen.reads("You do not hold")
            entries = table_of(seen).entry
            await typed(seen, f"exchange {view.private.tiles[0]}")
            await seen.until(partial(has_gone_round, seen, entries))
        await seen.reads("the match is over")  # M-17


def has_gone_round(seen: Seen, entries: int) -> bool:
    """Whether our turn has come again, or will not come any more."""
    table = table_of(seen)
    return table.entry > entries and (table.my_turn or table.public.phase is Phase.OVER)


async def typed(seen: Seen, words: str) -> None:
    await seen.press("end", "ctrl+u")
    await seen.types(words)
    await seen.press("enter")
