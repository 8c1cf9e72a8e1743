"""Players come by haproxy, which docs/hosting/cluster.md sets up, to whichever node there is."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from websockets.exceptions import InvalidStatus
from websockets.frames import CloseCode

from diadem_shared import protocol
from diadem_shared.protocol import Welcome
from tests.cluster.haproxy import (
    GAME,
    HAPROXY,
    SSH,
    WEB,
    Haproxy,
    haproxy,
    needs_haproxy,
    written,
)
from tests.cluster.nodes import CASTLES, closed_with, come_back, owners, play, process
from tests.cluster.postgres import Restartable, children, until
from tests.rig.wire import Player, lasting_port
from tests.server import code, done
from tests.web.rig import get, new_cookie, window

pytestmark = needs_haproxy

MOVES = 4
OPTIONS = (
    "--behind-proxy",
    "127.0.0.1",
    "--max-commands",
    "1000",
    "--max-arrivals",
    "1000",
    "--max-newcomers",
    "1000",
)
PAGE_SECRET = b"the same secret at all the nodes"


class Behind(NamedTuple):
    """Two nodes behind haproxy."""

    nodes: Sequence[asyncio.subprocess.Process]
    ports: Sequence[int]
    """Of the nodes themselves."""
    proxy: Haproxy

    @property
    def port(self) -> int:
        return self.proxy.ports[GAME]

    async def come(self, *names: str) -> list[Player]:
        players = [Player(self.port, name) for name in names]
        for each in players:
            assert isinstance(await each.connect(), Welcome)
        return players

    async def owner(self, database: str, table: str) -> int:
        """The index of the node that has this table; the first has the lowest number."""
        return (await owners(database))[table] - 1

    async def with_page(self) -> int:
        """The index of the node at which somebody is in a browser."""
        told = [(await get(port, "/metrics")).body for port in self.ports]
        (found,) = (each for each, metrics in enumerate(told) if b"web_sessions 1" in metrics)
        return found


@asynccontextmanager
async def behind(folder: Path, database: str, *, has_page: bool = False) -> AsyncIterator[Behind]:
    async with AsyncExitStack() as stack:
        nodes, servers = [], []
        for name in ("one", "two"):
            data = folder / name
            secret = data / "web" / "players_secret"
            for each in (data, secret.parent):
                each.mkdir(mode=0o700)
            secret.touch(mode=0o600)
            secret.write_bytes(PAGE_SECRET)
            page = lasting_port()
            options = (*OPTIONS, *(("--web", str(page)) if has_page else ()))
            node, port = await stack.enter_async_context(process(data, database, *options))
            if has_page:
                assert node.stdout is not None
                async for said in node.stdout:
                    if b"In the browser" in said:
                        break
                _keep_up(node.pid)
            nodes.append(node)
            servers.append({GAME: port, WEB: page, SSH: lasting_port()})
        proxy = await stack.enter_async_context(haproxy(folder, servers))
        yield Behind(nodes, [each[GAME] for each in servers], proxy)


def _keep_up(node: int) -> None:
    """Its gate, and that gate's clients, would starve beside many other tests: they give way to all that is not theirs."""
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for gate in children(node):
        for process_ in (gate, *children(gate)):
            with suppress(PermissionError, ProcessLookupError):
                os.setpriority(os.PRIO_PROCESS, process_, own)


async def begun(ana: Player, bob: Player) -> str:
    table = await ana.make(CASTLES)
    await bob.join(table)
    await done(ana, protocol.Start)
    await play([ana, bob], MOVES)
    return table


def test_the_configuration_is_accepted_as_it_is_written(tmp_path: Path) -> None:
    assert HAPROXY is not None
    (tmp_path / "haproxy.cfg").write_text(written())
    checked = subprocess.run(  # noqa: S603
        (HAPROXY, "-c", "-f", str(tmp_path / "haproxy.cfg")), capture_output=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
    assert b"WARNING" not in checked.stderr


async def test_players_of_a_node_that_is_killed_come_by_the_other(
    tmp_path: Path, database: str
) -> None:
    async with behind(tmp_path, database) as made:
        players = ana, bob = await made.come("Ana", "Bob")
        table = await begun(ana, bob)
        killed = await made.owner(database, table)
        made.nodes[killed].kill()
        for each in players:
            await come_back(each, made.port, table)
        await play(players, MOVES)
        assert await made.owner(database, table) != killed
        await until(lambda: all(each.socket and not each.socket.close_code for each in players))
        await made.proxy.become("UP", "DOWN")
        assert (await made.proxy.states()).index("DOWN") == killed
        for each in players:
            await each.disconnect()


async def test_a_node_is_drained_and_nobody_is_turned_away(tmp_path: Path, database: str) -> None:
    async with behind(tmp_path, database) as made:
        players = ana, bob, *_ = await made.come("Ana", "Bob", "Dee", "Eve", "Flo", "Gil")
        table = await begun(ana, bob)
        drained = await made.owner(database, table)
        made.nodes[drained].terminate()
        turned_away, number = [], 0
        while made.nodes[drained].returncode is None:
            number += 1
            other = Player(made.port, f"Cem {number}")
            try:
                await other.connect()
            except InvalidStatus as refused:
                turned_away.append(refused)
            else:
                await other.disconnect()
            await asyncio.sleep(0.05)
        assert number > 1, "its lines are closed one after another"
        assert not turned_away
        for each in (ana, bob):  # one of them at the other node, and connected all the time
            if each.socket is not None and each.socket.close_code is not None:
                assert await closed_with(each) == CloseCode.SERVICE_RESTART
                await come_back(each, made.port, table)
        await play([ana, bob], MOVES)
        for each in players:
            await each.disconnect()


async def test_while_postgresql_is_away_lines_stay_and_say_so(tmp_path: Path) -> None:
    with Restartable.running() as engine:
        async with behind(tmp_path, await engine.postgres.create()) as made:
            ana, bob = await made.come("Ana", "Bob")
            await begun(ana, bob)
            engine.kill()
            await made.proxy.become("NOLB")
            with pytest.raises(InvalidStatus, match="503"):
                await Player(made.port, "Cem").connect()
            for each in (ana, bob):
                assert code(await each.ask(protocol.Resign)) == "journal_unavailable"
            engine.start()
            await made.proxy.become("UP")
            await play([ana, bob], MOVES)
            for each in (ana, bob):
                await each.disconnect()


async def test_a_player_in_a_browser_has_the_same_seat_by_another_node(
    tmp_path: Path, database: str
) -> None:
    async with behind(tmp_path, database, has_page=True) as made:
        page = made.proxy.ports[WEB]
        (bob,) = await made.come("Bob")
        table = await bob.make(CASTLES)
        cookie = await new_cookie(page)
        async with window(page, cookie=cookie, table=table) as ana:
            await ana.reads("ana sits down")
            made.nodes[await made.with_page()].terminate()
            assert await ana.closed() == CloseCode.SERVICE_RESTART
        while True:
            with suppress(InvalidStatus, OSError):
                async with window(page, cookie=cookie) as ana:
                    await ana.reads(f"Diamoniak  {table}")
                    break
        await bob.disconnect()
