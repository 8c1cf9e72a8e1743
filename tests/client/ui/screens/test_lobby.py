"""The lobby: what is there, made, joined and watched, by keys."""

from functools import partial
from pathlib import Path

import diadem_shared.lexicon.shelf as word_lists
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import OWN, MakeScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.choice import Choice
from diadem_shared import protocol
from diadem_shared.entries import GameClock, Setup
from diadem_shared.games import GAMES
from diadem_shared.lexicon import from_text
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import Player, server


async def test_tables_come_and_go_by_themselves(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.reads("No table is open.")
        async with Player(app.port, "Bob") as bob:
            table = await bob.make(Setup("diamoniak", rounds=3))
            await seen.reads(table)
            await seen.reads("Bob")
            assert "1/4" in seen.screen_text
            await bob.ask(protocol.AddBot, "zombie")
            assert bob.view is not None
            await seen.reads(f"Bob, {bob.view.public['players'][1]['name']} (bot)")
            await bob.ask(protocol.Start)
            await seen.reads("playing")


async def test_a_table_is_watched_then_joined_and_then_full(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await bob.make(Setup("diamoniak"))
        await seen.reads(table)
        await seen.press("w")
        await seen.reads("You look on. Sit down to play.")
        await seen.press("t")
        await seen.reads("Press r when you are ready.")
        await seen.press("f10")
        await seen.on(LobbyScreen)
        await seen.reads(table)
        await seen.press("enter")
        await seen.on(TableScreen)
        await seen.until(lambda: seen.client_state.table and seen.client_state.table.seat == 1)
        await seen.press("f10")
        await seen.on(LobbyScreen)
        for _ in range(3):
            await bob.ask(protocol.AddBot, "zombie")
        await seen.reads("4/4")
        await seen.press("enter")
        await seen.reads("All 4 seats are taken.")


async def test_a_private_table_is_found_by_its_code(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await bob.make(Setup("diamoniak", private=True))
        await seen.on(LobbyScreen)
        await seen.press("c")
        await seen.types("nowhere")
        await seen.press("enter")
        await seen.reads("There is no table nowhere.")
        await seen.press("c")
        await seen.types(table.lower())
        await seen.press("enter")
        await seen.on(TableScreen)
        await seen.reads(f"Diamoniak  {table}  ")


async def made(seen: Seen, *keys: str) -> Setup:
    await seen.on(LobbyScreen)
    await seen.press("m")
    await seen.on(MakeScreen)
    await seen.press(*keys, "enter")
    await seen.on(TableScreen)
    assert seen.client_state.table is not None
    return seen.client_state.table.public.setup


async def test_every_term_can_be_chosen(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        setup = await made(
            seen,
            *("down", "right"),  # seat 1 is the youngest
            *("down", "right", "right"),  # three rounds
            *("down", "right", "right"),  # a clock for the round
            *("down", "right"),  # 15 minutes
            *("down", "right"),  # one more for every move
            *("down", "right"),  # the easy bot plays for who is away
            *("down", "left", "left", "left", "left"),  # wait for ever
            *("down", "right"),  # nobody looks on
            *("down", "right"),  # private
        )
        assert setup == Setup(
            "diamoniak",
            options={"youngest": 0},
            rounds=3,
            clock=GameClock(900, 1),
            absent="easy",
            patience=None,
            spectators=False,
            private=True,
        )


async def test_every_option_of_every_game_is_offered_and_making_can_be_left(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("m")
        await seen.on(MakeScreen)
        for game in GAMES:
            await seen.app.screen.query_one("#game", Choice).choose(game)
            names = GAMES[game].options_type.__struct_fields__
            await seen.until(partial(is_offered, seen, names[0]))
            assert {game: [each for each in names if not is_offered(seen, each)]} == {game: []}
        await seen.press("escape")
        await seen.on(LobbyScreen)


def is_offered(seen: Seen, name: str) -> bool:
    return bool(seen.app.screen.query(f"#option-{name}"))


async def test_questions_come_and_go_with_the_answers_they_depend_on(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("m")
        await seen.on(MakeScreen)
        await seen.app.screen.query_one("#game", Choice).choose("diamino-rummy")
        await seen.reads("Who judges words")
        assert "Time to judge" not in seen.screen_text
        await seen.press("down", "down", "right")
        await seen.reads("Time to judge")
        judging = seen.app.screen.query_one("#option-judging", Choice)
        await seen.pilot.click(judging, offset=(0, 0))  # the arrow at the left
        await seen.until(lambda: "Time to judge" not in seen.screen_text)
        await seen.pilot.click(judging, offset=(4, 0))
        await seen.reads("Time to judge")
        await seen.press("down", "right")
        await seen.reads("\u2039 45 seconds \u203a")
        await seen.press("enter")
        await seen.on(TableScreen)
        table = seen.client_state.table
        assert table is not None
        options = {"language": "en", "judging": "table", "judging_time": 45}
        assert table.public.setup.options == options
        await seen.reads("Time to judge: 45 seconds")


async def test_word_lists_are_chosen_among_those_the_server_has(tmp_path: Path) -> None:
    word_lists.put("The club", from_text("ei\nes\n", "de"))
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("m")
        await seen.on(MakeScreen)
        await seen.app.screen.query_one("#game", Choice).choose("diamino-rummy")
        await seen.reads(" that of the language ")
        choice = seen.app.screen.query_one("#option-word_list", Choice)
        choice.focus()
        await seen.press("right")
        size = f"{len(word_lists.take('de')):,}".replace(",", " ")
        await seen.reads(f" German, {size} words ")
        await choice.choose("The club")
        await seen.reads(" The club, German, 2 words ")
        warning = "The list The club is German, but the tiles are English: choose either to match."
        await seen.reads_whole(warning)
        language = seen.app.screen.query_one("#option-language", Choice)
        await language.choose("de")
        assert seen.notice() == ""
        await language.choose("en")
        await seen.reads_whole(warning)
        await seen.press("enter")
        await seen.on(TableScreen)
        table = seen.client_state.table
        assert table is not None
        assert table.public.setup.options == {"language": "en", "word_list": "The club"}


async def test_a_board_of_ones_own_comes_from_a_file(tmp_path: Path) -> None:
    board = tmp_path / "board"
    board.write_text("....." + "\n.....\n..S..\n" + ".....\n.....\n")
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("m")
        await seen.on(MakeScreen)
        await seen.app.screen.query_one("#game", Choice).choose("diamino-rummy")
        await seen.app.screen.query_one("#option-board", Choice).choose(OWN)
        await seen.fill("option-board-file", str(tmp_path / "missing"))
        await seen.press("enter")
        await seen.reads_whole(
            "That file cannot be used (there is none of that name). Name another text file, or none."
        )
        await seen.fill("option-board-file", str(board))
        await seen.press("enter")
        await seen.on(TableScreen)
        await seen.reads("Board: one of its own")
        await seen.press("o")
        await seen.reads("one of its own")
        await seen.press("enter")
        await seen.on(TableScreen)
        table = seen.client_state.table
        assert table is not None
        assert table.public.setup.options == {"language": "en", "board": board.read_text()}


async def test_a_board_that_is_refused_is_not_taken_again(tmp_path: Path) -> None:
    board = tmp_path / "board"
    board.write_text("...\n.S.\n...\n")
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("m")
        await seen.on(MakeScreen)
        await seen.app.screen.query_one("#game", Choice).choose("diamino-rummy")
        await seen.app.screen.query_one("#option-board", Choice).choose(OWN)
        await seen.fill("option-board-file", str(board))
        await seen.press("enter")
        await seen.reads("That board cannot be read (it is too small).")
        await seen.press("m")
        await seen.reads("the usual one")
        await seen.press("enter")
        await seen.on(TableScreen)
