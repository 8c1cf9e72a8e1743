"""The page behind nginx, as docs/hosting.md sets it up."""

import ssl
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.server.certificate import needs_openssl
from tests.server.test_hosting_page import NGINX, nginx
from tests.web.rig import Window, hello, host, said_to

NAME = "games.example.org"


@needs_openssl
@pytest.mark.skipif(NGINX is None, reason="needs nginx")
async def test_a_player_comes_through_nginx_with_an_address_of_their_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    async with (
        host(data, {"behind_proxy": ip_network("127.0.0.1")}) as at,
        nginx(tmp_path, at.port, written=7480) as port,
    ):
        trust = ssl.create_default_context(cafile=tmp_path / "cert.pem")
        asked = f"GET /K7F3 HTTP/1.1\r\nHost: {NAME}:{port}\r\nConnection: close\r\n\r\n"
        page = await said_to(port, asked.encode(), tls=trust, name=NAME)
        assert page.status == 200
        assert page.headers["set-cookie"].startswith("__Host-diadem=")
        given: dict[str, Any] = {
            "host": "127.0.0.1",
            "port": port,
            "ssl": trust,
            "local_addr": ("127.0.0.7", 0),
            "compression": None,
        }
        headers = {"Cookie": page.cookie, "X-Forwarded-For": "198.51.100.1"}
        there = f"wss://{NAME}:{port}/ws"
        origin = Origin(f"https://{NAME}:{port}")
        async with connect(there, origin=origin, additional_headers=headers, **given) as line:
            await line.send(hello())
            ana = Window(line)
            await ana.reads("Diadem, as ana")
            assert await ana.quit() == 1000
        assert "web: ana came from 127.0.0.7" in caplog.text
        with pytest.raises(InvalidStatus) as foreign:
            await connect(
                there, origin=Origin(f"https://{NAME}"), additional_headers=headers, **given
            )
        assert foreign.value.response.status_code == 403
