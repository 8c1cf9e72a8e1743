"""The panes where they belong: on the table screen, at a real server."""

from pathlib import Path

import pytest

from diadem import protocol
from diadem.entries import Setup
from diadem.games import GAMES
from diadem_client.panes.diamino import DiaminoPane
from diadem_client.panes.drawn import DrawnPane
from diadem_client.screens.table import TableScreen
from tests.client.panes.host import HUGE, LARGE, SMALL
from tests.client.screens.rig import client
from tests.rig.wire import Player, server


@pytest.mark.parametrize("size", [SMALL, LARGE, HUGE], ids=str)
@pytest.mark.parametrize("game", GAMES)
async def test_every_game_has_a_pane_with_room_enough(
    tmp_path: Path, game: str, size: tuple[int, int]
) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup(game), bots=("zombie",), size=size) as seen,
    ):
        await seen.on(TableScreen)
        await seen.until(lambda: seen.picture.table and seen.picture.table.my_turn)
        await seen.until(lambda: seen.app.screen.query(DrawnPane))
        pane = seen.app.screen.query_one(DrawnPane)
        await seen.until(lambda: pane.size.width > 0)
        assert pane.size.width >= pane.LEAST[0]
        assert pane.size.height >= pane.LEAST[1]
        await seen.reads("> You")


async def test_a_question_that_a_key_brings_up_is_read(tmp_path: Path) -> None:
    setup = Setup("diamino-rummy")
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=setup, bots=("zombie",)) as seen,
    ):
        await seen.until(lambda: seen.picture.table and seen.picture.table.my_turn)
        await seen.until(lambda: isinstance(seen.app.focused, DiaminoPane))
        await seen.press("2")
        await seen.reads("Pass? Enter passes")
        await seen.press("enter")
        await seen.reads("the match is over")


TWO_ROUNDS = Setup("diamoniak", options={"youngest": 0}, rounds=2)


async def test_who_is_played_for_comes_back_for_the_next_round(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=TWO_ROUNDS, bots=("strong",)) as seen,
    ):
        await seen.reads("Draw a card: D.")
        await seen.press("f2", "enter")
        await seen.reads("A bot plays for you. Press F2 to take your seat back, then r.")
        assert seen.word() == ""
        await seen.press("f2")
        await seen.reads("Press r when you are ready for the next round.")
        await seen.press("r")
        await seen.reads("round 2/2")


async def test_who_looks_on_is_told_what_the_next_round_waits_for(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await bob.make(TWO_ROUNDS)
        await bob.ask(protocol.AddBot, "strong")
        await bob.ask(protocol.Start)
        await bob.ask(protocol.HandOver, "strong")
        seen.app.go_to(table, sit=False)
        await seen.reads("All are away: the next round waits until somebody is back.")
        await bob.ask(protocol.TakeBack)
        await seen.reads("Waiting for Bob to be ready.")
