"""Where clients come in: who is counted, and what is left when it closes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from diadem_server.app import App
from diadem_server.lobby.lobby import Lobby
from diadem_shared import protocol
from diadem_shared.protocol import SUBPROTOCOL, Bye
from tests.patience import PATIENCE
from tests.rig.wire import UPGRADE, Player, server
from tests.server import NUMBERS, code

pytestmark = pytest.mark.usefixtures("numbers")


async def test_who_is_here_is_counted_however_they_go(app: App) -> None:
    ana, bob = Player(app.port, "Ana"), Player(app.port, "Bob")
    await ana.connect()
    await bob.connect()
    assert app.lobby.metrics.connections == 2
    await ana.disconnect()
    bob.cut()
    await bob.disconnect()
    async with Player(app.port, "Cem") as cem:
        async with asyncio.timeout(PATIENCE):
            while app.lobby.metrics.connections > 1:
                await cem.ask(protocol.Ping)


@pytest.mark.parametrize("compresses", [True, False])
async def test_compression_is_agreed_to_where_the_host_wants_it(
    tmp_path: Path,
    compresses: bool,  # noqa: FBT001
) -> None:
    async with (
        server(tmp_path, compress=compresses) as app,
        connect(f"ws://127.0.0.1:{app.port}", subprotocols=[Subprotocol(SUBPROTOCOL)]) as line,
    ):
        assert line.response is not None
        assert ("Sec-WebSocket-Extensions" in line.response.headers) == compresses


async def test_a_close_tells_everybody_and_leaves_nothing(tmp_path: Path) -> None:
    async with server(tmp_path) as app, asyncio.timeout(PATIENCE):
        ana = Player(app.port, "Ana")
        await ana.connect()
        _, silent = await asyncio.open_connection("127.0.0.1", app.port)
        before = asyncio.all_tasks()
    assert code(ana.messages[-1]) == "server_closing"
    assert isinstance(ana.messages[-1], Bye)
    assert ana.socket is not None
    assert ana.socket.close_code == 1001
    assert app.lobby.metrics.connections == 0
    ports = range(app.config.max_per_address)
    assert all(app.admission.begin(("127.0.0.1", port)) for port in ports), "none is pending"
    assert not [task for task in asyncio.all_tasks() - before if not task.done()]
    silent.close()
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", app.port)


async def test_what_was_begun_is_done_before_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though the connection it came over is gone by then."""
    begun, may_end, made = asyncio.Event(), asyncio.Event(), list[Any]()
    make = Lobby.make_table

    async def slow(lobby: Lobby, *given: Any, **named: Any) -> Any:
        begun.set()
        await may_end.wait()
        made.append(await make(lobby, *given, **named))
        return made[0]

    monkeypatch.setattr(Lobby, "make_table", slow)
    async with server(tmp_path) as app, asyncio.timeout(PATIENCE):
        ana = Player(app.port, "Ana")
        await ana.connect()
        assert ana.socket is not None
        await ana.socket.send(protocol.pack(protocol.Make(1, NUMBERS)))
        await begun.wait()
        ana.cut()
        await ana.disconnect()
        closing = asyncio.create_task(app.__aexit__())
        await asyncio.sleep(0)
        may_end.set()
        await closing
    assert len(made) == 1


async def test_who_asks_while_it_closes_is_told_to_come_again(app: App) -> None:
    app.admission.is_closed = True
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(UPGRADE)
    assert b" 503 " in await reader.readline()
    writer.close()
