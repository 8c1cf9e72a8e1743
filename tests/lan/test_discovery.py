"""Servers are found while they are there, and what strangers say does no harm."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diadem_client.net.discovery import MAX_SERVERS
from diadem_shared.announcement import LONGEST_NAME
from tests.lan.hosts import Watcher, line_with, on, server, watcher
from tests.lan.network import Host, Lan

MEBIBYTE = 2**20


@pytest.fixture
def home(lan: Lan) -> Host:
    return lan.host("home")


@pytest.fixture
async def ana(lan: Lan) -> AsyncIterator[Watcher]:
    async with watcher(lan.host("ana")) as looking:
        yield looking


async def test_a_server_comes_changes_and_goes(home: Host, ana: Watcher, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("sesame")
    (tmp_path / "password").chmod(0o600)
    async with server(home, tmp_path / "1", "--port", "7000") as open_to_all:
        (seen,) = await ana.sees("Home")
        assert (seen["address"]["host"], seen["address"]["port"]) == (home.address, 7000)
        assert (seen["tables"], seen["password"], seen["compatible"]) == (0, False, True)
        ana.make_table_on("Home")
        await ana.until(lambda heard: heard and heard[0]["tables"] == 1)
        options = ("--password-file", str(tmp_path / "password"))
        async with server(home, tmp_path / "2", *options, name="Club") as club:
            first, _ = await ana.sees("Club", "Home")
            assert first["password"]
            open_to_all.terminate()
            await ana.sees("Club")
            club.terminate()
            await ana.sees()


async def test_who_comes_to_the_network_later_finds_it_too(
    lan: Lan, home: Host, tmp_path: Path
) -> None:
    """Without so much as an interface at first."""
    late = lan.host("late")
    for interface in ("eth0", "lo"):
        late.ip("addr", "flush", "dev", interface)
    async with server(home, tmp_path) as process, watcher(late) as looking:
        await line_with(process, "announced on the local network")
        late.ip("addr", "add", f"{late.address}/24", "dev", "eth0")
        await looking.sees("Home")


async def test_servers_of_one_name_are_told_apart(
    lan: Lan, home: Host, ana: Watcher, tmp_path: Path
) -> None:
    """Two on one host and one on another, all at the same moment."""
    other = lan.host("other")
    async with (
        server(home, tmp_path / "1"),
        server(home, tmp_path / "2", "--port", "7454"),
        server(other, tmp_path / "3"),
    ):
        seen = await ana.sees("Home", "Home", "Home")
    places = {(each["address"]["host"], each["address"]["port"]) for each in seen}
    assert places == {(home.address, 7453), (home.address, 7454), (other.address, 7453)}


async def test_who_does_not_want_to_be_found_is_not(
    lan: Lan, home: Host, ana: Watcher, tmp_path: Path
) -> None:
    other = lan.host("other")
    async with (
        server(home, tmp_path / "1", "--no-announce", name="Quiet") as quiet,
        server(home, tmp_path / "2", "--host", "127.0.0.1", "--port", "0", name="Alone") as alone,
        server(other, tmp_path / "3"),
    ):
        await line_with(quiet, "taken up again")
        await line_with(alone, "taken up again")
        await ana.sees("Home")
        for each in (quiet, alone):
            each.terminate()
            said = (await each.communicate())[0].decode()
            assert "local network" not in said


async def test_where_nothing_can_be_sent_it_is_said_once_and_served_on(
    home: Host, tmp_path: Path
) -> None:
    home.switch_off()
    async with server(home, tmp_path, "--port", "7000") as process:
        said = await line_with(process, "not announced on the local network")
        assert any("open, port 7000" in line for line in said)
        async with on(home, "-c", PLAYER) as player:
            await line_with(player, "welcome")
        process.terminate()
        rest = (await process.communicate())[0].decode()
        assert "local network" not in rest
        assert "Traceback" not in rest
        assert process.returncode == 0


PLAYER = """
import asyncio
from tests.rig.wire import Player

async def main():
    async with Player(7000):
        print("welcome", flush=True)

asyncio.run(main())
"""


async def test_strangers_do_no_harm(lan: Lan, home: Host, ana: Watcher, tmp_path: Path) -> None:
    """A thousand services, and as much nonsense, to the ears of who looks and of a server."""
    stranger = lan.host("stranger")
    async with server(home, tmp_path) as process:
        await ana.sees("Home")
        before = ana.resident
        async with on(stranger, "-m", "tests.lan.stranger", stranger.address) as storm:
            assert await storm.wait() == 0
        heard = await ana.until(lambda heard: len(heard) > 1)
        assert len(heard) <= MAX_SERVERS
        assert all(len(each["name"]) <= LONGEST_NAME for each in heard)
        assert all(each["name"].isprintable() for each in heard)
        assert all(0 <= each["tables"] < 100_000 for each in heard)
        ana.make_table_on("Home")
        after = await ana.until(lambda heard: any(each["tables"] == 1 for each in heard))
        assert "Home" in [each["name"] for each in after]
        assert ana.resident < before + 50 * MEBIBYTE
        process.terminate()
        said = (await process.communicate())[0].decode()
        assert "Traceback" not in said
        await ana.until(lambda heard: "Home" not in [each["name"] for each in heard])
