"""Muting people, sending them away and banning them, by keys, at 80 columns."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual.screen import Screen
from textual.widgets import Input, OptionList

from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.table import TableScreen
from diadem_client.ui.widgets.dialogs import SelectDialog
from diadem_client.ui.widgets.log import Log
from diadem_client.wording.people import BAN, KICK, LIFT_BAN, MUTE, UNMUTE, measures, people
from diadem_server.table import chat
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.client.ui.screens.rig import Seen, client
from tests.rig.wire import Player, server

pytestmark = pytest.mark.slow

DIAMONIAK = Setup("diamoniak", options={"youngest": 0})


async def picks(seen: Seen, *choices: str) -> None:
    """Open the list of people, and choose by the first letters of a line in each list that comes."""
    await seen.press("f3")
    for choice in choices:
        await seen.on(SelectDialog)
        await seen.reads(choice)
        choosing = seen.app.screen
        options = choosing.query_one(OptionList).options
        at = next(at for at, each in enumerate(options) if str(each.prompt).startswith(choice))
        await seen.press(*["down"] * at, "enter")
        await closed(seen, choosing)


async def closed(seen: Seen, screen: Screen[Any]) -> None:
    await seen.until(lambda: seen.app.screen is not screen)


async def makes_a_table(seen: Seen) -> str:
    await seen.on(LobbyScreen)
    await seen.press("m", "enter")
    await seen.on(TableScreen)
    assert seen.client_state.table is not None
    return seen.client_state.table.code


async def test_the_maker_bans_a_player_and_lets_them_come_again(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await makes_a_table(seen)
        await bob.join(table)
        await seen.reads("2  Bob")
        await picks(seen, "Bob  (plays)", "ban from this table")
        await seen.reads("Bob is banned from this table.")
        await seen.reads("2-4  free")
        assert isinstance(await bob.ask(protocol.Join, table), protocol.Refused)
        await picks(seen, "Bob  (banned)", "lift the ban")
        await seen.reads("Bob may come to this table again.")
        await bob.join(table)
        await seen.reads("2  Bob")
        await picks(seen, "Bob", "send away")
        await seen.reads("Bob was sent away and may come again.")


async def test_who_is_banned_reads_so_in_the_lobby(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await bob.make(DIAMONIAK)
        await seen.reads("Bob")
        await seen.press("w")
        await seen.on(TableScreen)
        await bob.seen(lambda view: view.public["onlookers"] == ["Ana"])
        await bob.ask(protocol.Ban, "Ana", on=True)
        await seen.on(LobbyScreen)
        await seen.reads_whole("Who decides for that table keeps you away from it.")
        await seen.press("enter")
        await seen.reads_whole("keeps you away from it. Choose another one.")
        await seen.on(LobbyScreen)
        assert seen.client_state.table is None
        await bob.ask(protocol.Ban, "Ana", on=False)
        await seen.press("enter")
        await seen.on(TableScreen)
        assert table in seen.screen_text


async def test_an_onlooker_is_muted_and_heard_again(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await makes_a_table(seen)
        await bob.join(table, sit=False)
        await seen.reads("1 looks on: Bob")
        await bob.ask(protocol.Say, "first nonsense")
        talk = seen.app.screen.query_one("#chat", Log)
        await seen.until(lambda: "first nonsense" in talk.text)
        await picks(seen, "Bob  (looks on)", "mute")
        await seen.reads("Bob is muted.")
        await seen.reads("1 looks on: Bob (muted)")
        assert "nonsense" not in talk.text
        await bob.ask(protocol.Say, "second nonsense")
        await picks(seen, "Bob  (looks on, muted)", "unmute")
        await seen.reads("You read again what Bob says.")
        await bob.ask(protocol.Say, "something sensible")
        await seen.until(lambda: "sensible" in talk.text)
        assert "second nonsense" not in talk.text


async def test_a_player_is_shown_as_muted(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        client(tmp_path, app.port, size=(120, 40)) as seen,
    ):
        table = await bob.make(DIAMONIAK)
        await seen.reads("Bob")
        await seen.press("enter")
        await seen.on(TableScreen)
        await picks(seen, "Bob", "mute")
        await seen.reads("decides for the table, muted")
        await bob.ask(protocol.Start)
        await seen.reads("Bob (muted)")
        assert table in seen.screen_text


async def test_who_spoke_and_left_can_still_be_named(tmp_path: Path) -> None:
    """As they call themselves, whatever that looks like."""
    name = "[@click=app.quit]x[/]"[:20]
    async with (
        server(tmp_path) as app,
        Player(app.port, name) as bob,
        client(tmp_path, app.port) as seen,
    ):
        table = await makes_a_table(seen)
        await bob.join(table, sit=False)
        await seen.reads(f"1 looks on: {name}")
        await bob.ask(protocol.Say, "boo")
        await bob.ask(protocol.Part)
        await picks(seen, f"{name}  (was here)", "ban")
        await seen.reads(f"{name} is banned from this table.")
        assert isinstance(await bob.ask(protocol.Join, table), protocol.Refused)
        assert seen.app.is_running


async def test_onlookers_by_the_dozen_stay_on_one_line(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await makes_a_table(seen)
        table = seen.client_state.table
        assert table is not None
        names = tuple(f"Bartholomea Fitz {number:03}" for number in range(20))
        crowd = replace(table, public=replace(table.public, watchers=300, onlookers=names))
        screen = seen.app.screen
        assert isinstance(screen, TableScreen)
        screen.show(replace(seen.client_state, table=crowd))
        await seen.reads("300 look on: Bartholomea Fitz 000, ")
        assert "Fitz 003" not in seen.screen_text
        await seen.reads("One more player is needed")


async def test_what_was_refused_for_haste_can_be_said_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "PERSON_AT_ONCE", 1)
    monkeypatch.setattr(chat, "PERSON_A_SECOND", 0.01)
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await makes_a_table(seen)
        await seen.press("tab")
        await seen.types("hello")
        await seen.press("enter")
        await seen.reads("Ana: hello")
        await seen.types("more")
        await seen.press("enter")
        await seen.reads("That was too fast for the server.")
        assert seen.app.screen.query_one("#say", Input).value == "more"


async def test_the_list_speaks_the_language_of_the_player(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        Player(app.port, "Cem") as cem,
        client(tmp_path, app.port) as seen,
    ):
        table = await makes_a_table(seen)
        for player, language, words, told in (
            (bob, "de", "stummschalten", "Bob ist stummgeschaltet."),
            (cem, "fr", "mettre en", "Cem est en sourdine."),
        ):
            await seen.speaks(language)
            await player.join(table)
            await seen.reads(player.name)
            await picks(seen, player.name, words)
            await seen.reads(told)


async def test_nobody_is_offered_what_would_be_refused(tmp_path: Path) -> None:
    async with (
        server(tmp_path) as app,
        Player(app.port, "Bob") as bob,
        Player(app.port, "Cem") as cem,
        client(tmp_path, app.port) as seen,
    ):
        table = await makes_a_table(seen)
        await seen.press("f3")
        await seen.reads("Nobody else is here.")
        await bob.join(table)
        await cem.join(table, sit=False)
        await seen.reads("1 looks on: Cem")

        def offered() -> dict[str, object]:
            shown = seen.client_state.table
            assert shown is not None
            return {each.name: measures(shown, each) for each in people(shown, "Ana")}

        assert offered() == {"Bob": [MUTE, KICK, BAN], "Cem": [MUTE, KICK, BAN]}
        await bob.ask(protocol.Stand)
        await bob.ask(protocol.Sit)
        await seen.press("s")
        await seen.until(lambda: offered() == {"Bob": [MUTE], "Cem": [MUTE, KICK, BAN]})
        await picks(seen, "Cem", "mute")
        await seen.until(lambda: offered()["Cem"] == [UNMUTE, KICK, BAN])
        await picks(seen, "Cem", "ban")
        await seen.until(lambda: offered()["Cem"] == [LIFT_BAN])
        await seen.press("f2", "enter")
        await seen.until(lambda: offered() == {"Bob": [MUTE]})
