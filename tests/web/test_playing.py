"""Players in a browser: they come, sit down, come back, and are who they were."""

from contextlib import AsyncExitStack
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.typing import Origin

from diadem_server.net.own_addresses import reached_address
from diadem_shared import protocol
from diadem_shared.entries import Setup
from tests.rig.gates import command_of, until
from tests.rig.wire import Player
from tests.server import code, done
from tests.web.rig import Window, get, hello, host, new_cookie, window


async def test_a_player_sits_down_at_the_table_that_the_address_names(tmp_path: Path) -> None:
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        async with window(at.port, table=table.lower()) as ana:
            await ana.reads("ana sits down")
            assert ana.welcome == {"v": 1, "server": "Diadem", "table": table}
            await done(bob, protocol.Start)
            await ana.reads("deck")
            assert await ana.quit() == 1000
        await bob.seen(lambda view: not view.public["players"][1]["present"])


async def test_a_player_invites_by_the_name_that_their_own_browser_came_by(tmp_path: Path) -> None:
    async with host(tmp_path, {"host": "0.0.0.0"}) as at, window(at.port, "bob") as bob:  # noqa: S104
        page = f"http://kitchen.local:{at.port}"
        line = await connect(
            f"ws://kitchen.local:{at.port}/ws",
            host="127.0.0.1",
            port=at.port,
            origin=Origin(page),
            additional_headers={"Cookie": await new_cookie(at.port)},
            compression=None,
        )
        async with line:
            await line.send(hello())
            ana = Window(line)
            await ana.reads("Diadem, as ana")
            await ana.press("i")
            await ana.reads(page)
            await ana.reads(f"kitchen.local:{at.app.port}")
            assert "copy" not in ana.screen
        await bob.reads("Diadem, as bob")
        await bob.press("i")
        await bob.reads(
            "Invite to this server" if reached_address("127.0.0.1") else "Only its host"
        )
        assert "kitchen" not in bob.screen
        assert "127.0.0.1" not in bob.screen


async def test_the_page_is_told_whose_turn_it_is(tmp_path: Path) -> None:
    async with (
        host(tmp_path) as at,
        Player(at.app.port, "Bob") as bob,
    ):
        table = await bob.make(Setup("diamoniak", options={"youngest": 0}))
        async with window(at.port, table=table) as ana:
            await ana.reads("ana sits down")
            await done(bob, protocol.Start)
            await until(
                lambda: b"\x1b]2;Diamoniak: waiting for Bob\x1b\\" in ana.bytes, "whose turn it is"
            )


async def test_a_reload_finds_the_seat(tmp_path: Path) -> None:
    async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
        table = await bob.make(Setup("diamoniak"))
        cookie = await new_cookie(at.port)
        async with window(at.port, cookie=cookie, table=table) as ana:
            await ana.reads("ana sits down")
            await done(bob, protocol.Start)
            await ana.reads("deck")
        async with window(at.port, cookie=cookie) as ana:
            await ana.reads(f"Diamoniak  {table}")
        await bob.seen(lambda view: view.public["players"][1]["present"])


async def test_another_browser_is_another_player(tmp_path: Path) -> None:
    async with host(tmp_path) as at, window(at.port) as ana, window(at.port, "bob") as bob:
        await ana.reads("Diadem, as ana")
        await bob.reads("Diadem, as bob")
        assert at.app.lobby.metrics.web_sessions == 2


JOIN = {"de-AT": "Mitspielen", "fr": "Rejoindre", "en-GB": "Join", "tlh": "Join", "": "Join"}
"""What a button says, by the language of the browser."""


async def test_the_language_is_the_browsers(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        for number, (lang, said) in enumerate(JOIN.items()):
            async with window(at.port, f"ana{number}", lang=lang) as ana:
                await ana.reads(said)


async def test_the_screen_is_as_large_as_the_window_and_grows_with_it(tmp_path: Path) -> None:
    async with host(tmp_path) as at, window(at.port, size=[59, 20]) as ana:
        await ana.reads("this is 59x20.")
        await ana.resize(10**9, 2)
        await ana.reads("this is 300x5.")


async def test_the_server_is_told_where_players_come_from(tmp_path: Path) -> None:
    async with (
        host(tmp_path, {"max_tables_per_address": 1}) as at,
        Player(at.app.port, "Bob") as bob,
        window(at.port) as ana,
    ):
        await ana.reads("Diadem, as ana")
        await ana.press("m")
        await ana.reads("What is played here?")
        await ana.press("\r")
        await ana.reads("ana sits down")
        assert code(await bob.ask(protocol.Make, Setup("diamoniak"))) == (
            "too_many_tables_from_address"
        )


async def test_the_page_and_its_files_are_served_from_memory(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        page = await get(at.port, headers={"Accept-Encoding": "br, gzip"})
        assert page.status == 200
        assert page.headers["content-encoding"] == "gzip"
        assert (await get(at.port)).body.startswith(b"<!doctype html>")


async def test_when_the_host_closes_players_are_told_to_come_back(tmp_path: Path) -> None:
    async with AsyncExitStack() as outer:
        async with host(tmp_path) as at:
            ana = await outer.enter_async_context(window(at.port))
            await ana.reads("Diadem, as ana")
            processes = at.processes
        assert await ana.closed() == 1012
        assert ana.text.endswith("The host closes Diadem for now.\r\n")
    await until(lambda: not any(map(command_of, processes)), "all processes to be gone")


async def test_nobody_is_counted_who_has_left(tmp_path: Path) -> None:
    async with host(tmp_path) as at:
        async with window(at.port) as ana:
            await ana.reads("Diadem, as ana")
            await ana.quit()
        await until(lambda: at.app.lobby.metrics.web_sessions == 0, "it to be counted out")
        await until(lambda: not at.clients, "its process to be gone")
