"""Where a server listens: on every address that it is told to, under one port."""

import asyncio
import errno
import socket
from pathlib import Path
from typing import Any

import pytest

from diadem_server.config import Config
from diadem_server.metrics import Metrics
from diadem_server.net.admission import Admission
from diadem_server.net.entrance import open_entrances

HOME = (socket.AF_INET, ("127.0.0.1", 0))
HOME_6 = (socket.AF_INET6, ("::1", 0, 0, 0))
ELSEWHERE = (socket.AF_INET, ("192.0.2.1", 0))
"""No machine has that address."""
NOT_SPOKEN = (9_999, ("anywhere", 0))
"""A kind of network that there is not."""

Found = tuple[int, tuple[Any, ...]]


async def listening_on(
    monkeypatch: pytest.MonkeyPatch, *found: Found, port: int = 0
) -> list[tuple[Any, ...]]:
    async def getaddrinfo(*_: object, **__: object) -> list[tuple[Any, ...]]:
        return [(family, socket.SOCK_STREAM, 0, "", address) for family, address in found]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    opened = await open_entrances(None, port, Admission(Config(Path()), Metrics()))
    names = [entrance.getsockname() for entrance in opened]
    for entrance in opened:
        entrance.close()
    return names


async def test_all_addresses_have_one_port(monkeypatch: pytest.MonkeyPatch) -> None:
    names = await listening_on(monkeypatch, HOME, HOME_6)
    assert [name[0] for name in names] == ["127.0.0.1", "::1"]
    assert names[0][1] == names[1][1] != 0


@pytest.mark.parametrize("missing", [ELSEWHERE, NOT_SPOKEN])
async def test_a_machine_without_one_kind_of_network_opens_the_other(
    monkeypatch: pytest.MonkeyPatch, missing: Found
) -> None:
    assert [name[0] for name in await listening_on(monkeypatch, missing, HOME)] == ["127.0.0.1"]


async def test_where_nothing_can_be_opened_the_reason_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(OSError, match=str(errno.EADDRNOTAVAIL)):
        await listening_on(monkeypatch, ELSEWHERE)


async def test_a_port_in_use_is_told_whatever_else_could_be_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match=str(errno.EADDRINUSE)):
            await listening_on(monkeypatch, HOME_6, HOME, port=port)
