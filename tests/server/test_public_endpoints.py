"""What a welcome says of how others come here."""

from pathlib import Path
from typing import Any

import pytest

from diadem_server.config import SshConfig, WebConfig
from diadem_server.host_names import PublicAddress
from diadem_shared.protocol import CLIENT, SSH, WEB, Door, Welcome
from tests.rig.wire import Player, server

EVERYWHERE = "0.0.0.0"  # noqa: S104, other machines are told of
OTHER = PublicAddress("other.example")
GIVEN = PublicAddress("games.example", 443, secure=True)


async def doors(data: Path, **config: Any) -> tuple[Door, ...]:
    """As a stranger is told, who names another host."""
    async with server(data, **config) as app:
        stranger = Player(app.port)
        stranger.headers = {"X-Forwarded-Host": "evil.example", "X-Forwarded-For": "198.51.100.7"}
        welcome = await stranger.connect()
        await stranger.disconnect()
        assert isinstance(welcome, Welcome)
        return tuple(
            Door(each.kind, 0 if each.port == app.port else each.port, each.host, each.secure)
            for each in welcome.doors
        )


async def test_a_server_for_this_machine_has_no_door(tmp_path: Path) -> None:
    assert await doors(tmp_path, host="127.0.0.1") == ()


async def test_without_a_name_of_the_host_s_own_none_is_told(tmp_path: Path) -> None:
    assert await doors(tmp_path, host=EVERYWHERE) == (Door(CLIENT, 0),)


@pytest.mark.parametrize("host", ["127.0.0.1", EVERYWHERE])
async def test_the_host_s_own_name_is_told(tmp_path: Path, host: str) -> None:
    found = await doors(tmp_path, host=host, public_address=GIVEN)
    assert found == (Door(CLIENT, 443, "games.example", secure=True),)


async def test_a_name_without_a_port_has_the_server_s(tmp_path: Path) -> None:
    found = await doors(tmp_path, public_address=PublicAddress("games.example"))
    assert found == (Door(CLIENT, 0, "games.example"),)


async def test_a_page_is_a_door_where_it_is_served_to_others(tmp_path: Path) -> None:
    alone: dict[str, Any] = {"host": "127.0.0.1"}
    assert await doors(tmp_path, **alone, web=WebConfig(7480)) == ()
    found = await doors(tmp_path, **alone, web=WebConfig(7480, host=EVERYWHERE))
    assert found == (Door(WEB, 7480),)
    hidden = await doors(tmp_path, host=EVERYWHERE, web=WebConfig(7480, host="127.0.0.1"))
    assert [door.kind for door in hidden] == [CLIENT]


async def test_a_page_is_found_where_a_proxy_has_it(tmp_path: Path) -> None:
    origins = ("https://games.example:443", "https://old.example:443")
    web = WebConfig(7480, host="127.0.0.1", origins=origins)
    found = await doors(tmp_path, host="127.0.0.1", public_address=OTHER, web=web)
    assert found[0] == Door(WEB, 443, "games.example", secure=True)


async def test_ssh_is_a_door_under_the_same_name(tmp_path: Path) -> None:
    found = await doors(tmp_path, public_address=GIVEN, ssh=SshConfig(7422))
    assert Door(SSH, 7422, "games.example") in found
