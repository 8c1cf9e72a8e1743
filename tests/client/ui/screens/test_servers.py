"""Servers that are found on the local network, and those used before: to be chosen by a key."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_client.net.address import Address
from diadem_client.net.discovery import DiscoveredServer
from diadem_client.settings import MAX_RECENT_SERVERS, RecentServer, Settings
from diadem_client.ui.screens.connect import ConnectScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.widgets.servers import Servers
from tests.client.ui.screens.rig import FakeServerBrowser, Seen, client
from tests.rig.wire import server

HOME = DiscoveredServer("Home", Address("192.0.2.7"), "0.1.0", 3, password=False, compatible=True)
CLUB = DiscoveredServer(
    "Club", Address("192.0.2.8", 7000), "0.1.0", 1, password=True, compatible=True
)
OLD = DiscoveredServer("Attic", Address("192.0.2.9"), "0.0.9", 0, password=False, compatible=False)
SAFE = DiscoveredServer(
    "Safe", Address("192.0.2.6", secure=True), "0.1.0", 0, password=False, compatible=True
)


@pytest.fixture
async def asked(tmp_path: Path) -> AsyncIterator[Seen]:
    async with client(tmp_path) as seen:
        await seen.until(lambda: FakeServerBrowser.running)
        yield seen


def hear(*servers: DiscoveredServer) -> None:
    FakeServerBrowser.running[-1].discovers(*servers)


async def test_what_is_heard_is_listed_while_one_looks_and_what_is_marked_stays_so(
    asked: Seen,
) -> None:
    await asked.reads("Looking for servers on this network ...")
    hear(HOME, CLUB, OLD, SAFE)
    await asked.reads("Servers on this network:")
    await asked.reads("Home                 192.0.2.7:7453              3 tables")
    await asked.reads("Club                 192.0.2.8:7000              1 table, password")
    await asked.reads("Attic                192.0.2.9:7453              another version (0.0.9)")
    await asked.reads("Safe                 wss://192.0.2.6:7453        0 tables")
    hear(CLUB)
    await asked.until(lambda: "Home" not in asked.screen_text)
    hear()
    await asked.reads("Looking for servers on this network ...")
    assert "Club" not in asked.screen_text
    hear(CLUB, HOME)
    await asked.reads("Home")
    await asked.press("f3", "down")
    hear(OLD, CLUB, HOME)
    await asked.reads("Attic")
    servers = asked.app.screen.query_one(Servers)
    assert servers.host_at(servers.highlighted) == "192.0.2.7:7453"


async def test_a_key_leads_there_and_looking_ends(tmp_path: Path) -> None:
    async with server(tmp_path, name="Home") as app, client(tmp_path) as seen:
        await seen.until(lambda: FakeServerBrowser.running)
        here = DiscoveredServer(
            "Home", Address("127.0.0.1", app.port), "1", 0, password=False, compatible=True
        )
        hear(here)
        await seen.reads("Home")
        await seen.press("f3", "enter")
        await seen.on(LobbyScreen)
        await seen.until(lambda: not FakeServerBrowser.running)
        assert seen.app.settings.servers == (RecentServer(f"127.0.0.1:{app.port}", "Home"),)
        await seen.press("d")
        await seen.on(ConnectScreen)
        await seen.until(lambda: FakeServerBrowser.running)
        await seen.reads(f"Home                 127.0.0.1:{app.port}")
        await seen.reads("used before")
        hear(here)
        await seen.reads("0 tables")
        assert "used before" not in seen.screen_text, "what is there is not listed twice"


async def test_a_server_of_this_machine_is_listed_once(tmp_path: Path) -> None:
    used = [RecentServer(host, "Home") for host in ("localhost:7453", "127.0.0.1:7453", "[::1]")]
    elsewhere = RecentServer("192.0.2.8:7000", "Club")
    async with client(tmp_path, settings=Settings(servers=(*used, elsewhere))) as seen:
        await seen.until(lambda: FakeServerBrowser.running)
        await seen.reads("Club")
        assert seen.screen_text.count("used before") == 2
        hear(replace(HOME, is_here=True))
        await seen.reads("192.0.2.7:7453")
        assert seen.screen_text.count("Home") == 1


async def test_a_name_is_asked_for_first(tmp_path: Path) -> None:
    async with client(tmp_path, name="") as seen:
        await seen.until(lambda: FakeServerBrowser.running)
        hear(HOME)
        await seen.reads("Home")
        await seen.press("f3", "enter")
        await seen.reads("Type a name that the others will know you by.")
        assert seen.app.focused is seen.app.screen.query_one("#name")


async def test_who_says_where_to_go_listens_to_nobody(tmp_path: Path) -> None:
    async with server(tmp_path) as app, client(tmp_path, app.port) as seen:
        await seen.on(LobbyScreen)
        assert not FakeServerBrowser.was_started


async def test_where_nobody_answers_one_looks_for_others(tmp_path: Path) -> None:
    async with client(tmp_path, 1) as seen:
        await seen.reads("Nobody answers at 127.0.0.1:1.")
        await seen.until(lambda: FakeServerBrowser.running)


async def test_a_crowd_of_servers_leaves_room_and_names_from_strangers_are_letters(
    asked: Seen,
) -> None:
    hear(
        *(
            DiscoveredServer(
                f"No {n}", Address(f"192.0.2.{n}"), "1", 0, password=False, compatible=True
            )
            for n in range(24)
        )
    )
    await asked.reads("No 0")
    assert "Your name" in asked.screen_text
    assert "F2 connect" in asked.screen_text
    await asked.press("f3", *["down"] * 23)
    await asked.reads("No 23")
    stranger = DiscoveredServer(
        "[@click=app.quit]x[/]",
        Address("192.0.2.5"),
        "[b]",
        0,
        password=False,
        compatible=False,
    )
    hear(HOME, stranger)
    await asked.reads("[@click=app.quit]x[/ 192.0.2.5:7453              another version ([b])")


async def test_up_and_down_go_through_the_list_and_on(asked: Seen) -> None:
    host = asked.app.focused
    hear(HOME, CLUB)
    await asked.reads("Club")
    servers = asked.app.screen.query_one(Servers)
    await asked.press("down", "down")
    assert servers.has_focus
    assert servers.highlighted == 0
    await asked.press("down")
    assert servers.highlighted == 1
    await asked.press("down")
    assert asked.app.focused is host
    await asked.press("up", "up", "up")
    assert asked.app.focused is asked.app.screen.query_one("#name")


def test_only_the_last_servers_are_remembered() -> None:
    settings = Settings()
    for number in [*range(9), 7]:
        settings = settings.with_recent_server(RecentServer(f"host{number}"))
    assert settings.host == "host7"
    assert [each.host for each in settings.servers] == ["host7", "host8", "host6", "host5", "host4"]
    assert len(settings.servers) == MAX_RECENT_SERVERS
