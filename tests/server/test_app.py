"""The server as a whole: whom it answers how, and that nothing is left of it when it ends."""

import asyncio
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.config import Config
from diadem_shared import protocol
from diadem_shared.protocol import Bye
from tests.patience import PATIENCE
from tests.rig.wire import Player, server
from tests.server import fill_disk, make_room


async def asked(port: int, path: str) -> tuple[int, str]:
    """What a monitor is answered: status and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    return int(head.split()[1]), body


async def test_a_monitor_is_told_that_all_is_well(app: App) -> None:
    assert await asked(app.port, "/healthz") == (200, "ok\n")
    assert await asked(app.port, "/healthz?from=here") == (200, "ok\n")


async def test_a_monitor_is_told_when_nothing_can_be_written(app: App, ana: Player) -> None:
    fill_disk(app)
    await ana.ask(protocol.SetListed, on=True)
    status, said = await asked(app.port, "/healthz")
    assert status == 503
    assert said.startswith("the journal cannot be written: ")
    make_room(app)


async def test_metrics_count_who_is_here(app: App) -> None:
    async with Player(app.port):
        status, said = await asked(app.port, "/metrics")
    assert status == 200
    assert "\ndiadem_connections 1\n" in said


async def test_a_browser_is_told_what_this_is(app: App) -> None:
    status, said = await asked(app.port, "/")
    assert status == 426
    assert "game-client --host" in said


async def test_who_is_here_when_it_ends_is_told_so(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        ana = Player(app.port)
        await ana.connect()
    await ana.disconnect()
    (bye,) = (each for each in ana.messages if isinstance(each, Bye))
    assert bye.why.code == "server_closing"


async def test_nobody_listens_any_more_when_it_has_ended(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        port = app.port
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_one_that_cannot_start_lets_go_of_what_it_held(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    async with server(first) as there:
        with pytest.raises(OSError, match="in use"):
            await App(Config(second, host="127.0.0.1", port=there.port)).__aenter__()
    async with server(second):
        pass
