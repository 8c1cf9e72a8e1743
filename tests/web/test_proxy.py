"""The page behind nginx, as docs/hosting/browser.md sets it up."""

import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from tests.rig.gates import GateHost
from tests.server.certificate import needs_openssl
from tests.web.nginx import NAME, WEB, needs_nginx, nginx
from tests.web.rig import Got, Window, get, hello, host, said_to

pytestmark = [needs_openssl, needs_nginx]

ELSEWHERE, ELSEWHERE_TOO = "127.0.0.7", "127.0.0.8"
"""Addresses of players, which are not that of nginx."""
MADE_UP = {"X-Forwarded-For": "198.51.100.1", "X-Forwarded-Proto": "https"}


class Proxied:
    """A gate, and nginx before it."""

    def __init__(self, at: GateHost, port: int, trust: ssl.SSLContext | None) -> None:
        """Without TLS, if there is nobody to trust."""
        self.at = at
        self.port = port
        self._trust = trust
        self._tls = "s" if trust else ""
        self.origin = f"http{self._tls}://{NAME}:{port}"

    async def page(self, path: str = "/") -> Got:
        asked = f"GET {path} HTTP/1.1\r\nHost: {NAME}:{self.port}\r\nConnection: close\r\n\r\n"
        name = NAME if self._trust else None
        return await said_to(self.port, asked.encode(), tls=self._trust, name=name)

    @asynccontextmanager
    async def window(
        self,
        cookie: str,
        name: str = "ana",
        source: str = ELSEWHERE,
        origin: str = "",
        **said: Any,
    ) -> AsyncIterator[Window]:
        """As the page of this origin opens it, which is that of nginx."""
        async with connect(
            f"ws{self._tls}://{NAME}:{self.port}/ws",
            host="127.0.0.1",
            port=self.port,
            local_addr=(source, 0),
            ssl=self._trust,
            origin=Origin(origin or self.origin),
            additional_headers={"Cookie": cookie} | MADE_UP,
            compression=None,
        ) as line:
            await line.send(hello(name, **said))
            shown = Window(line)
            yield shown
        await shown.closed()


@asynccontextmanager
async def proxied(
    folder: Path, without: str = "", *, has_tls: bool = True, **web: Any
) -> AsyncIterator[Proxied]:
    """With one of the site's headers left out, if it is named."""
    data = folder / "data"
    data.mkdir()
    async with (
        host(data, {"behind_proxy": ip_network("127.0.0.1")}, **web) as at,
        nginx(folder, at.port, WEB, without, has_tls=has_tls) as port,
    ):
        trust = ssl.create_default_context(cafile=folder / "cert.pem") if has_tls else None
        yield Proxied(at, port, trust)


async def test_a_player_comes_through_nginx(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By its name, over TLS, and from the address that nginx has seen, whatever they say it is."""
    async with proxied(tmp_path) as there:
        page = await there.page("/K7F3")
        assert page.status == 200
        cookie, *attributes = page.headers["set-cookie"].split("; ")
        assert cookie.startswith("__Host-diadem=")
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= {*attributes}
        async with there.window(page.cookie) as ana:
            await ana.reads("Diadem, as ana")
            assert f"web: ana came from {ELSEWHERE}" in caplog.text
            await ana.press("i")
            await ana.reads(f"https://{NAME}:{there.port}")
            ana.forget()
            await ana.press("\x1b")
            await ana.reads("Diadem, as ana")
            assert await ana.quit() == 1000


async def test_a_player_comes_through_nginx_without_tls(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """At home, say: the cookie is then for plain http, whatever the player says of how they came."""
    async with proxied(tmp_path, has_tls=False) as there:
        page = await there.page()
        assert page.cookie.startswith("diadem=")
        assert "Secure" not in page.headers["set-cookie"]
        async with there.window(page.cookie) as ana:
            await ana.reads("Diadem, as ana")
            assert f"web: ana came from {ELSEWHERE}" in caplog.text
            await ana.press("i")
            await ana.reads(f"http://{NAME}:{there.port}")


async def test_no_page_of_another_origin_comes_through_nginx(tmp_path: Path) -> None:
    """Also not that of the same name at another port, which `$host` would take for this one."""
    async with proxied(tmp_path) as there:
        page = await there.page()
        evil = "https://evil.example", f"https://{NAME}:{there.port}.evil.example"
        for origin in (f"https://{NAME}", *evil):
            with pytest.raises(InvalidStatus) as foreign:
                async with there.window(page.cookie, origin=origin):
                    pass
            assert foreign.value.response.status_code == 403, origin


async def test_where_nginx_passes_another_name_on_the_pages_own_is_to_be_said(
    tmp_path: Path,
) -> None:
    """As `--web-origin` does."""
    origin = f"https://{NAME}"
    async with proxied(tmp_path, without="Host", origins=(origin,)) as there:
        page = await there.page()
        async with there.window(page.cookie, origin=origin) as ana:
            await ana.reads("Diadem, as ana")
        with pytest.raises(InvalidStatus) as unknown:
            async with there.window(page.cookie):
                pass
        assert unknown.value.response.status_code == 403


async def test_players_behind_nginx_are_limited_each_by_their_own_address(tmp_path: Path) -> None:
    async with proxied(tmp_path, most_per_address=1) as there, AsyncExitStack() as windows:

        async def comes(name: str, source: str) -> Window:
            cookie = (await there.page()).cookie
            return await windows.enter_async_context(there.window(cookie, name, source))

        ana = await comes("ana", ELSEWHERE)
        await ana.reads("Diadem, as ana")
        eve = await comes("eve", ELSEWHERE)
        assert await eve.closed() == 1013
        bob = await comes("bob", ELSEWHERE_TOO)
        await bob.reads("Diadem, as bob")


async def test_nobody_is_believed_who_comes_past_nginx(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither that they come from elsewhere nor that they come over TLS."""
    async with proxied(tmp_path) as there:
        port = there.at.port
        page = await get(port, headers=MADE_UP, source=ELSEWHERE)
        assert page.cookie.startswith("diadem=")
        assert "Secure" not in page.headers["set-cookie"]
        async with connect(
            f"ws://127.0.0.1:{port}/ws",
            local_addr=(ELSEWHERE, 0),
            origin=Origin(f"http://127.0.0.1:{port}"),
            additional_headers={"Cookie": page.cookie} | MADE_UP,
            compression=None,
        ) as line:
            await line.send(hello())
            await Window(line).reads("Diadem, as ana")
        assert f"web: ana came from {ELSEWHERE}" in caplog.text
        named = await get(port, headers={"Host": "evil.example"}, source=ELSEWHERE)
        assert named.status == 403


async def test_a_line_that_breaks_before_nginx_finds_the_same_client(tmp_path: Path) -> None:
    async with proxied(tmp_path) as there:
        cookie = (await there.page()).cookie
        async with there.window(cookie) as ana:
            await ana.reads("Diadem, as ana")
            await ana.press("c")
            await ana.reads("The code of the table")
            await ana.press("777")
            await ana.reads("777")
            await ana.cut()
        async with there.window(cookie, resume=True, source=ELSEWHERE_TOO) as ana:
            await ana.reads("777")


async def test_behind_nginx_too_the_page_is_told_to_come_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    async with AsyncExitStack() as outer:
        async with host(data, {"behind_proxy": ip_network("127.0.0.1")}) as at:
            port = await outer.enter_async_context(nginx(tmp_path, at.port, WEB))
            trust = ssl.create_default_context(cafile=tmp_path / "cert.pem")
            there = Proxied(at, port, trust)
            ana = await outer.enter_async_context(there.window((await there.page()).cookie))
            await ana.reads("Diadem, as ana")
        assert await ana.closed() == 1012
        assert (await there.page()).status == 502
