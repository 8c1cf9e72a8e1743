"""Of servers that are one, an address has as many sessions in browsers as at one of them."""

import os
import signal
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection

from diadem_server.config import WebConfig
from diadem_server.gates import kinds, supervisor
from diadem_server.gates.admission import CROWDED
from diadem_server.gates.supervisor import Supervisor
from tests.rig.gates import until
from tests.server.cluster.nodes import Node, cluster
from tests.web.rig import PLENTY, hello, new_cookie, socket

ONE = WebConfig(0, **(PLENTY | {"most_per_address": 1}))


async def test_who_has_a_session_at_one_server_gets_none_at_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the gate there is gone."""
    monkeypatch.setattr(supervisor, "BACKOFF", (3600.0,))
    async with cluster(tmp_path, 2) as made, AsyncExitStack() as stack:
        gates = []
        for node in made.nodes:
            node.app.config.data.mkdir(mode=0o700)
            gates.append(
                await stack.enter_async_context(Supervisor(kinds.web(ONE, node.app), node.app))
            )
        (first, here), (second, there) = zip(made.nodes, gates, strict=True)
        await _comes_until(None, first, here, stack)
        await _comes_until(CROWDED, second, there, stack)
        assert here.pid is not None
        os.kill(here.pid, signal.SIGKILL)
        await until(lambda: not second.app.lobby.metrics.web_sessions, "nobody to be let in there")
        await _comes_until(None, second, there, stack)


async def _comes_until(
    why: str | None, node: Node, gate: Supervisor, stack: AsyncExitStack
) -> None:
    """This is said: the gate may have yet to hear what there is at the other. None where there is a session now."""
    cookie = await new_cookie(gate.port)
    while True:
        line = await stack.enter_async_context(await socket(gate.port, cookie))
        await line.send(hello())
        await until(partial(_is_answered, line, node), "an answer")
        if line.close_reason == why:
            return
        await line.close()


def _is_answered(line: ClientConnection, node: Node) -> bool:
    return bool(line.close_code or node.app.lobby.metrics.web_sessions)
