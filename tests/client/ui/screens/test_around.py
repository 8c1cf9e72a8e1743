"""Help, settings, the palette, small terminals."""

from pathlib import Path

import pytest
from textual.command import CommandPalette
from textual.widgets import Input

from diadem_client.board import registry
from diadem_client.board.look_of_app import look_of
from diadem_client.games.diadingo import DIADINGO
from diadem_client.games.diadingo.pane import DiadingoPane
from diadem_client.games.diamino import DIAMINO_RUMMY
from diadem_client.games.diamino.pane import DiaminoPane
from diadem_client.launch import TerminalOptions
from diadem_client.look.color_depth import ColorDepth
from diadem_client.settings import Settings
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.help import HelpScreen, RulesScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.make import MakeScreen
from diadem_client.ui.screens.settings import SettingsScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.key_hints import KeyHints
from diadem_client.wording.options import game_name
from diadem_shared import protocol
from diadem_shared.entries import Sat, Setup, Started
from diadem_shared.games import GAMES
from tests.client.scenes.stage import show
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import Sitting, at_server
from tests.rig.wire import Player, server

pytestmark = pytest.mark.slow


async def test_help_tells_what_the_keys_do_here(tmp_path: Path) -> None:
    """And the palette does it."""
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await seen.press("question_mark")
        await seen.on(HelpScreen)
        await seen.reads("Make a table of your own.")
        await seen.press("escape")
        await seen.on(LobbyScreen)
        await seen.press("ctrl+p")
        await seen.on(CommandPalette)
        await seen.types("of your own")
        await seen.reads("make")
        await seen.press("enter")
        await seen.on(MakeScreen)


async def test_f1_shows_the_rules_of_the_game(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        for game in GAMES:
            await show(seen, at_server())
            await show(seen, Sitting(Setup(game)).enter(Sat("Ana"), Sat("Bob"), Started()))
            await seen.on(TableScreen)
            await seen.press("f1")
            await seen.on(RulesScreen)
            await seen.reads(f"{game_name(game)}: the rules")
            await seen.press("f1")
            await seen.on(TableScreen)


async def test_settings_show_at_once_and_are_kept(tmp_path: Path) -> None:
    async with client(tmp_path, name="") as seen:
        await seen.on(ConnectScreen)
        await seen.types("dee.example")
        await seen.press("tab")
        await seen.types("Ana")
        await seen.press("f9")
        await seen.on(SettingsScreen)
        await seen.press("right", "down", "down", "right", *(2 * ("down", "right")), "enter")
        await seen.on(ConnectScreen)

        assert seen.app.settings == Settings(
            theme="light", accent="blue", language="de", bell=False, pace="instant", motion=False
        )
        assert seen.app.theme.startswith("diadem-light")
        assert look_of(seen.app).accent == "blue"
        await seen.reads("Dein Name")
        await seen.reads("dee.example")  # where one wants to go stays
        await seen.reads("Ana")


async def test_a_small_terminal_is_told_calmly_and_goes_on(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port, size=(59, 20)) as seen:
        await seen.reads("this is 59x20.")
        await seen.until(lambda: seen.client_state.welcomed)
        await seen.pilot.resize_terminal(80, 24)
        await seen.on(LobbyScreen)
        await seen.press("m", "enter")
        await seen.on(TableScreen)
        await seen.pilot.resize_terminal(60, 19)
        await seen.reads("Diadem needs 60x20, this is 60x19.")
        await seen.pilot.resize_terminal(40, 10)
        await seen.reads("this is 40x10.")
        await seen.pilot.resize_terminal(80, 24)
        await seen.on(TableScreen)


async def test_words_of_ones_own_are_kept_if_there_are_any(tmp_path: Path) -> None:
    words, nothing = tmp_path / "words.txt", tmp_path / "nothing.txt"
    words.write_text("tor\n")
    nothing.write_text("3D\n")
    async with client(tmp_path, name="") as seen:
        for path, why in (
            (nothing, "no word can be read in it"),
            (tmp_path, "it is no ordinary file"),
            (Path("/dev/zero"), "it is no ordinary file"),
        ):
            await seen.press("f9")
            await seen.on(SettingsScreen)
            await seen.fill("words", str(path))
            await seen.press("enter")
            await seen.reads_whole(why)
            await seen.press("escape")
            assert not seen.app.settings.word_list
        await seen.press("f9")
        await seen.on(SettingsScreen)
        await seen.fill("words", str(words))
        await seen.press("enter")
        await seen.until(lambda: seen.app.settings.word_list == str(words))


async def test_letters_of_ascii_show_at_once_and_the_draft_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "GAMES", {"diadingo": DIADINGO})
    setup = Setup("diadingo", options={"play": "marked"})
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=setup, bots=("zombie",)) as seen,
    ):
        await seen.reads("YOUR TURN")
        pane = seen.app.screen.query_one(DiadingoPane)
        await seen.until(lambda: seen.app.presenter.frame is None)  # what the bot did, if it began
        await seen.press("down")
        aim = pane.aim
        as_it_was = seen.screen_text
        assert not as_it_was.isascii()
        await seen.press("f9", "up", "right", "enter")
        await seen.on(TableScreen)
        # The signs in the header are written otherwise by the driver of the terminal.
        await seen.until(lambda: str(seen.screen_text.partition("\n")[2]).isascii())
        await seen.press("f9", "up", "right", "enter")
        await seen.on(TableScreen)
        await seen.until(lambda: seen.screen_text == as_it_was)
        assert pane.aim == aim


async def test_settings_say_what_cannot_be_chosen_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "linux")
    terminal = TerminalOptions(must_be_ascii=True, tier=ColorDepth.NONE)
    async with client(tmp_path, terminal=terminal) as seen:
        await seen.on(ConnectScreen)
        await seen.press("f9")
        await seen.reads("It is ASCII in any case")
        await seen.reads("NO_COLOR is set")
        await seen.reads("This terminal shows no title.")


async def test_the_title_says_whose_turn_it_is(tmp_path: Path) -> None:
    """And nothing that others have written comes into it."""
    setup = Setup("diamoniak", options={"youngest": 0})
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port) as seen,
        Player(app.port, "Bob") as bob,
    ):
        await seen.on(LobbyScreen)
        assert seen.app.window_title == "Diadem"
        await seen.press("m", "enter")
        await seen.on(TableScreen)
        assert seen.client_state.table is not None
        assert seen.app.window_title == "Diadem"
        await bob.join(seen.client_state.table.code)
        assert seen.app.client is not None
        await seen.app.client.ask(protocol.Change, setup)
        await bob.ask(protocol.Ready, ready=True)  # to what was changed
        await seen.press("s")
        await seen.until(lambda: seen.app.window_title == "Your turn: Diamoniak")
        await seen.reads("YOUR TURN")
        await seen.press("f10")
        await seen.until(lambda: seen.app.window_title == "Diadem")


async def test_the_last_line_can_be_clicked(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        await click_key(seen, "M make")
        await seen.on(MakeScreen)
        await click_key(seen, "Enter agreed")
        await seen.on(TableScreen)
        await click_key(seen, "B bot")
        await seen.reads("Which bot?")
        await click_key(seen, "Esc back")
        await click_key(seen, "? help")
        await seen.on(HelpScreen)


async def click_key(seen: Seen, words: str) -> None:
    await seen.reads(words)
    last = seen.screen_text.splitlines()[-1]
    await seen.pilot.click(KeyHints, offset=(last.index(words), 0))


async def test_on_the_way_to_a_table_no_lobby_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[LobbyScreen] = []
    monkeypatch.setattr(LobbyScreen, "begin", shown.append)
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamoniak"), bots=("zombie",)) as seen,
    ):
        await seen.on(TableScreen)
        assert not shown


async def test_another_language_shows_at_once_and_the_draft_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "GAMES", {"diamino-rummy": DIAMINO_RUMMY})
    async with (
        server(tmp_path) as app,
        client(tmp_path, app.port, setup=Setup("diamino-rummy"), bots=("zombie",)) as seen,
    ):
        await seen.reads("Your turn: lay a word.")
        pane = seen.app.screen.query_one(DiaminoPane)
        assert pane.draft is not None
        await seen.press(pane.draft.order[-1].lower(), "1")
        draft = pane.draft
        assert draft.placed
        await seen.press("f9", "down", "down", "right", "enter")
        await seen.on(TableScreen)
        for words in ("DU BIST DRAN", "Du bist dran: leg ein Wort.", "Vorrat", "Enter legen"):
            await seen.reads(words)
        assert seen.app.screen.query_one(DiaminoPane).draft == draft
        await seen.press("f6")
        await seen.reads("tippe einen Zug")
        await seen.types("lay")
        await seen.press("f9", "down", "down", "left", "enter")
        await seen.on(TableScreen)
        await seen.reads("YOUR TURN")
        await seen.reads("You may: lay FIELD across LETTERS")
        assert seen.app.screen.query_one("LinePane Input", Input).value == "lay"
