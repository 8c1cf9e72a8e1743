"""The panes where they belong: on the table screen, at a real server."""

from pathlib import Path

import pytest

from diadem import protocol
from diadem.entries import Setup
from diadem.games import GAMES
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.pane import LEAST
from diadem_client.games.diamino.pane import DiaminoPane
from diadem_client.settings import Settings
from diadem_client.ui.screens.table import TableScreen
from tests.client.board.host import HUGE, LARGE, SMALL
from tests.client.ui.screens.rig import client
from tests.rig.wire import Player, server


@pytest.mark.slow
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
        assert pane.size.width >= LEAST.width
        assert pane.size.height >= LEAST.height
        await seen.reads("\u25ba You")


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


@pytest.mark.slow
async def test_who_is_played_for_comes_back_for_the_next_round(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=TWO_ROUNDS, bots=("strong",)) as seen,
    ):
        await seen.reads("Draw a card: D.")
        await seen.press("f2", "enter")
        await seen.reads("between two rounds")
        await seen.reads("A bot plays for you. Press F2 to take your seat back.")
        assert seen.screen_text.count("A bot plays for you.") == 1
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
        await seen.reads("Bots play for all: they begin the next round in a moment.")
        await bob.ask(protocol.TakeBack)
        await seen.reads("Waiting for Bob to be ready.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "F2 play on"), ("de", "F2 selbst spielen"), ("fr", "F2 reprendre ma place")],
)
@pytest.mark.parametrize("game", GAMES)
async def test_the_way_back_to_ones_seat_is_always_told(
    tmp_path: Path, game: str, language: str, words: str
) -> None:
    async with (
        server(tmp_path, bot_pause=30.0) as app,
        client(
            tmp_path,
            app.port,
            setup=Setup(game),
            bots=("zombie",),
            settings=Settings(language=language),
        ) as seen,
    ):
        await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
        await seen.press("f2", "enter")
        await seen.reads(words)
        await seen.press("f2")
        await seen.until(lambda: words not in seen.screen_text)


async def test_the_end_of_a_round_is_seen_before_its_result(tmp_path: Path) -> None:
    setup = Setup("diamino-rummy", rounds=2)
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=setup, bots=("zombie",), last_look=600.0) as seen,
    ):
        await seen.until(lambda: isinstance(seen.app.focused, DiaminoPane))
        await seen.reads("Your turn: lay a word.")
        await seen.press("2", "enter")
        await seen.reads("between two rounds")
        await seen.reads("F7 result")
        assert "Reserve 32" in seen.screen_text
        await seen.press("f7")
        await seen.reads("Press r when you are ready for the next round.")
        await seen.press("r")
        await seen.reads("round 2/2")
        await seen.reads("Your turn: lay a word.")


async def test_the_result_comes_by_itself(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(
            tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",), last_look=0.01
        ) as seen,
    ):
        await seen.until(lambda: isinstance(seen.app.focused, DiaminoPane))
        await seen.reads("Your turn: lay a word.")
        await seen.press("2", "enter")
        await seen.reads("V table")


async def test_what_lies_there_after_a_round_is_left_by_a_key_that_is_told(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",)) as seen,
    ):
        await seen.until(lambda: isinstance(seen.app.focused, DiaminoPane))
        await seen.reads("Your turn: lay a word.")
        await seen.press("2", "enter")
        await seen.reads("V table")
        await seen.press("v")
        await seen.reads("F7 result")
        assert "Enter lay" not in seen.screen_text
        await seen.press("f7")
        await seen.reads("V table")


async def test_the_last_line_fits_again_after_the_terminal_was_larger(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",)) as seen,
    ):
        await seen.reads("Your turn: lay a word.")
        await seen.reads("4 exchange")
        await seen.pilot.resize_terminal(110, 24)
        await seen.reads("Tab log, chat")
        await seen.pilot.resize_terminal(80, 24)
        await seen.until(lambda: "Tab log, chat" not in seen.screen_text)
        last = seen.screen_text.splitlines()[-1]
        assert len(last) <= 80
        assert last.endswith("? help")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("diamoniak", ("Stapel", "\u25ba Du", "noch nichts")),
        ("piratatak", ("Stapel", "\u25ba Du", "noch nichts")),
        ("diadingo", ("\u25ba Du", "Dollar")),
        ("diamino-rummy", ("\u25ba Du", "Vorrat 32", "Hand ")),
        ("diamino-bonus", ("\u25ba Du", "Vorrat 88", "Hand ")),
    ],
)
async def test_where_moves_are_typed_the_table_is_seen_all_the_same(
    tmp_path: Path, game: str, words: tuple[str, ...]
) -> None:
    async with (
        server(tmp_path) as app,
        client(
            tmp_path,
            app.port,
            setup=Setup(game),
            bots=("zombie",),
            settings=Settings(language="de"),
        ) as seen,
    ):
        await seen.until(lambda: seen.picture.table and seen.picture.table.my_turn)
        await seen.until(lambda: isinstance(seen.app.focused, DrawnPane))
        await seen.press("f6")
        await seen.reads("tippe einen Zug")
        for word in words:
            await seen.reads(word)
        await seen.pilot.resize_terminal(*LARGE)
        await seen.reads("\u25ba Du")
        before = await seen.settled()
        await seen.press("down")
        assert seen.screen_text == before  # there is nothing to scroll to
