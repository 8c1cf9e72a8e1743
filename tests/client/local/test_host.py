"""A server of one's own for others: where it listens, and what they type."""

import asyncio
import socket
import threading
from pathlib import Path

import pytest

from diadem_client.local import host
from diadem_client.local.host import HostServer, addresses
from diadem_shared.protocol import CLIENT, WEB, Door
from tests.patience import PATIENCE
from tests.rig.wire import Player
from tests.web.rig import get


def test_others_are_told_addresses_that_they_can_reach() -> None:
    found = addresses(7453, ["127.0.0.1", "11.22.33.44", "169.254.1.2", "192.168.1.17"])
    assert [each.host for each in found] == ["192.168.1.17", "11.22.33.44", "169.254.1.2"]


def test_no_more_are_told_than_can_be_read() -> None:
    assert len(addresses(7453, [f"10.0.0.{last}" for last in range(1, 50)])) == 3


@pytest.mark.slow
async def test_where_the_usual_port_is_taken_another_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("", 0)) as taken:
        usual = taken.getsockname()[
            1
        ]  # the real one may be somebody else's, and free a moment later
        monkeypatch.setattr(host, "DEFAULT_PORT", usual)
        is_there = threading.Event()
        server = HostServer(tmp_path / "host", "Ana's", page_opened=is_there.set)
        try:
            port = await server.port()
            assert port != usual
            assert server.open_port == port
            assert server.doors[0] == Door(CLIENT, port)
            assert await asyncio.to_thread(is_there.wait, PATIENCE)
            assert [door.kind for door in server.doors] == [CLIENT, WEB]
            assert (await get(server.web_port or 0)).status == 200
            async with Player(port) as bob:
                assert bob.token
        finally:
            await asyncio.to_thread(server.close)
