"""How soon players see their tables again after the node that had them is killed, or hangs."""

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from statistics import median

from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Accepted, Welcome
from tests.rig.wire import Player
from tools.bench._cluster import Engine, node
from tools.bench._serving import Serving

PAUSE = 0.02


async def takeovers(
    postgres: Engine, times: int, tables: int, end: signal.Signals, others: int = 1
) -> str:
    """Players come back by the nodes that are left; each time another node gets this signal."""
    database = await postgres.postgres.create()
    seconds: list[float] = []
    with ExitStack() as left:
        ports = [left.enter_context(node(database)).port for _ in range(others)]
        for number in range(times):
            async with AsyncExitStack() as stack:
                ended = left.enter_context(node(database))
                players = [_player(ended.port, number, each) for each in range(tables)]
                await asyncio.gather(*map(stack.enter_async_context, players))
                codes = await asyncio.gather(*map(begun, players))
                seconds += await _until_back(players, codes, ended, ports, end)
                await asyncio.gather(*(player.ask(protocol.Resign) for player in players))
    return (
        f"players saw their tables again at another node after {median(seconds):.2f} s (median),"
        f" {max(seconds):.2f} s at most"
    )


def _player(port: int, number: int, each: int) -> Player:
    """From an address of their own, or they would be as many as may come from one."""
    return Player(port, f"p {number} {each}", address=f"10.{number}.{each // 250}.{each % 250}")


async def _until_back(
    players: Sequence[Player],
    codes: Sequence[str],
    ended: Serving,
    ports: Sequence[int],
    end: signal.Signals,
) -> list[float]:
    os.kill(ended.pid, end)
    began = time.perf_counter()
    coming = [
        _seconds_until_back(player, ports[number % len(ports)], code, began)
        for number, (player, code) in enumerate(zip(players, codes, strict=True))
    ]
    return await asyncio.gather(*coming)


async def begun(player: Player) -> str:
    """A table at which nothing goes on without this player."""
    code = await player.make(Setup("diadingo"))
    await player.ask(protocol.AddBot, "zombie")
    await player.ask(protocol.Start)
    await player.seen(lambda view: view.public["phase"] != "gathering")
    return code


async def _seconds_until_back(player: Player, port: int, code: str, began: float) -> float:
    player.cut()
    player.url, player.view = f"ws://127.0.0.1:{port}", None
    while not await _is_back(player, code):
        await player.disconnect()
        await asyncio.sleep(PAUSE)
    await player.seen(partial(_is_of, code))
    return time.perf_counter() - began


async def _is_back(player: Player, code: str) -> bool:
    """Not if the connection is lost again, with the link to the node that does not answer."""
    if not isinstance(await player.connect(), Welcome):
        return False
    assert player.socket is not None
    joining = asyncio.create_task(player.ask(protocol.Join, code))
    lost = asyncio.create_task(player.socket.wait_closed())
    await asyncio.wait({joining, lost}, return_when=asyncio.FIRST_COMPLETED)
    for task in (joining, lost):
        task.cancel()
    await asyncio.wait({joining, lost})
    return not joining.cancelled() and isinstance(joining.result(), Accepted)


def _is_of(code: str, view: protocol.TableView) -> bool:
    return view.table == code
