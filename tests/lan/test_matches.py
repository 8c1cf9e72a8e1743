"""Whole matches of every game over a network: a good one, a slow and lossy one, one that goes away.

Server and players are hosts of their own. Nobody is told where the server is.
"""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from diadem_client.state.shuffle_check import Doubt
from diadem_client.wording.shuffle import DOUBTS
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared.entries import Moved
from diadem_shared.games import GAMES
from tests.lan.hosts import excuse, on, server
from tests.lan.network import CannotBeBuilt, Host, Lan

ENTRIES_BEFORE_THE_LOSS = 8


class Playing:
    """A player's process, and what it has told."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.found = ""
        self.entries = dict.fromkeys(GAMES, 0)
        self.links = dict.fromkeys(GAMES, "")
        self.results: dict[str, Any] = {}

    async def until(self, so: Callable[["Playing"], object]) -> None:
        assert self.process.stdout is not None
        while not so(self):
            line = await self.process.stdout.readline()
            assert line, "the player ended too early"
            told = json.loads(line)
            self.found = told.get("found", self.found)
            self.results = told.get("results", self.results)
            if "entry" in told:
                self.entries[told["game"]] = told["entry"]
                self.links[told["game"]] = told["link"]

    async def to_the_end(self) -> dict[str, Any]:
        await self.until(lambda it: it.results)
        assert await self.process.wait() == 0
        return self.results


@asynccontextmanager
async def match(
    lan: Lan, data: Path, ana: Host, bob: Host, pace: float = 0.03
) -> AsyncIterator[list[Playing]]:
    """A server on a host of its own, and two players on theirs."""
    home = lan.host("home")
    async with (
        server(home, data) as hosting,
        on(ana, "-m", "tests.lan.player", "Ana", "Home", "Bob", str(pace)) as first,
        on(bob, "-m", "tests.lan.player", "Bob", "Home", "Ana", str(pace)) as second,
    ):
        players = [Playing(first), Playing(second)]
        yield players
        results = await asyncio.gather(*(player.to_the_end() for player in players))
        hosting.terminate()
        assert await hosting.wait() == 0
        assert {player.found for player in players} == {home.address}
    await check(data, *results)


async def check(data: Path, ana: dict[str, Any], bob: dict[str, Any]) -> None:
    """Nothing is lost, nothing done twice, and both have seen the same."""
    journal = SqliteJournal(data)
    await journal.start()
    try:
        assert await journal.tables(over_since=math.inf) == []
        for game in GAMES:
            first, second = ana[game], bob[game]
            rows = (await journal.load(first["table"])).entries
            moves = [row.number for row in rows if isinstance(row.entry, Moved)]
            assert moves == sorted(first["accepted"] + second["accepted"]), game
            assert first["refused"] == second["refused"] == [], game
            assert [row.number for row in rows] == list(range(1, len(rows) + 1)), game
            assert first["entries"] == second["entries"] == len(rows), game
            assert first["scores"] == second["scores"], game
            assert len(_told_to_all(first)) == len(_told_to_all(second)), game
            assert "Closed" not in first["links"] + second["links"], game
    finally:
        await journal.close()


def _told_to_all(result: dict[str, Any]) -> list[str]:
    """The log without what a client adds of its own: that its player's part of a shuffle came too late."""
    return [line for line in result["log"] if line != DOUBTS[Doubt.LEFT_OUT]]


async def test_on_a_good_network(lan: Lan, tmp_path: Path) -> None:
    async with match(lan, tmp_path, lan.host("ana"), lan.host("bob")) as players:
        pass
    for player in players:
        assert all(each["links"] == ["Connecting", "Connected"] for each in player.results.values())


async def test_with_200_ms_each_way_and_every_20th_packet_lost(lan: Lan, tmp_path: Path) -> None:
    try:
        ana = lan.far_host("ana", delay=0.2, loss=0.05)
        bob = lan.far_host("bob", delay=0.1, loss=0.05)
    except CannotBeBuilt as error:
        excuse(error)
    async with match(lan, tmp_path, ana, bob):
        pass


async def test_links_that_go_away_in_the_midst_of_it(lan: Lan, tmp_path: Path) -> None:
    """Ana's cable is pulled out of the switch; Bob's own interface goes down a little later."""
    ana, bob = lan.host("ana"), lan.host("bob")
    async with match(lan, tmp_path, ana, bob, pace=0.1) as players:
        for player in players:
            await player.until(lambda it: min(it.entries.values()) >= ENTRIES_BEFORE_THE_LOSS)
        ana.unplug()
        bob.switch_off()
        for player in players:
            await player.until(lambda it: {*it.links.values()} == {"Reconnecting"})
        ana.plug()
        bob.switch_on()
    for player in players:
        for game, result in player.results.items():
            assert "Reconnecting" in result["links"], game
            assert result["links"][-1] == "Connected", game
