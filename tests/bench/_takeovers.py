"""How soon players see their tables again after the node that had them is killed, or hangs."""

import asyncio
import os
import signal
import time
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from statistics import median

from diadem import protocol
from diadem.entries import Setup
from diadem.protocol import Accepted, Welcome
from tests.bench._cluster import Engine, node
from tests.bench._serving import Serving
from tests.rig.wire import Player

PAUSE = 0.02


async def takeovers(postgres: Engine, times: int, tables: int, end: signal.Signals) -> str:
    """Players come back by the node that is left; each time another node gets this signal."""
    database = await postgres.postgres.create()
    seconds: list[float] = []
    with ExitStack() as left:
        surviving = left.enter_context(node(database))
        for number in range(times):
            async with AsyncExitStack() as stack:
                ended = left.enter_context(node(database))
                players = [
                    await stack.enter_async_context(Player(ended.port, f"p {number} {each}"))
                    for each in range(tables)
                ]
                codes = [await begun(player) for player in players]
                seconds += await _until_back(players, codes, ended, surviving.port, end)
                for player in players:
                    await player.ask(protocol.Resign)
    return (
        f"players saw their tables again at another node after {median(seconds):.2f} s (median),"
        f" {max(seconds):.2f} s at most"
    )


async def _until_back(
    players: list[Player], codes: list[str], ended: Serving, port: int, end: signal.Signals
) -> list[float]:
    os.kill(ended.pid, end)
    began = time.perf_counter()
    coming = [
        _seconds_until_back(player, port, code, began)
        for player, code in zip(players, codes, strict=True)
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
