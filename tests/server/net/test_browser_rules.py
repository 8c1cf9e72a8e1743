"""Web pages of strangers cannot use the server from a player's browser, under whatever name."""

import socket
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from diadem_server.host_names import BadName, read_host, read_origin
from diadem_server.net.browser_rules import BrowserRules
from diadem_shared.protocol import SUBPROTOCOL
from tests.rig.wire import server
from tests.server.certificate import certificate, needs_openssl
from tests.server.net.test_admission import answer

HERE = ip_network("127.0.0.1")


@asynccontextmanager
async def coming(
    port: int, name: str = "127.0.0.1", origin: str | None = None, **given: Any
) -> AsyncIterator[None]:
    scheme = "wss" if "ssl" in given else "ws"
    async with connect(
        f"{scheme}://{name}:{port}",
        host="127.0.0.1",
        port=port,
        origin=Origin(origin) if origin else None,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        **given,
    ):
        yield


async def refused(port: int, name: str = "127.0.0.1", origin: str | None = None) -> str:
    with pytest.raises(InvalidStatus) as turned:
        async with coming(port, name, origin):
            pass
    response = turned.value.response
    assert response.status_code == 403
    assert response.body is not None
    return response.body.decode()


async def test_a_page_of_strangers_is_not_let_in(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        said = await refused(app.port, origin="https://evil.example")
        assert "--allow-origin https://evil.example" in said
        assert "evil" not in await refused(app.port, origin="null")
        async with coming(app.port):
            pass


async def test_a_page_of_this_server_and_those_that_are_named_are_let_in(tmp_path: Path) -> None:
    allowed = ("https://games.example", "http://localhost:8080")
    async with server(tmp_path, allow_origins=allowed) as app:
        for origin in (f"http://127.0.0.1:{app.port}", *allowed):
            async with coming(app.port, origin=origin):
                pass
        await refused(app.port, origin="http://127.0.0.1:1")
        await refused(app.port, origin="http://games.example")


async def test_a_name_that_is_not_ours_is_refused_and_says_how_it_can_be_ours(
    tmp_path: Path,
) -> None:
    async with server(tmp_path) as app:
        said = await refused(app.port, "rebound.example")
        assert "--allow-host rebound.example" in said
    async with (
        server(tmp_path, allow_hosts=("Rebound.Example",)) as app,
        coming(app.port, "rebound.example"),
    ):
        pass


async def test_what_is_for_the_host_is_read_by_no_page_of_strangers(tmp_path: Path) -> None:
    answers = {}
    async with server(tmp_path) as app:
        for path in ("metrics", "healthz", ""):
            for header in ("Host: rebound.example", "Host: box\r\nOrigin: https://evil.example"):
                question = f"GET /{path} HTTP/1.1\r\n{header}\r\n\r\n".encode()
                answers[path, header] = (await answer(app.port, question))[:13]
    assert answers == dict.fromkeys(answers, b"HTTP/1.1 403 ")


@needs_openssl
async def test_with_a_certificate_the_name_proves_itself(tmp_path: Path) -> None:
    made, key = certificate(tmp_path, "DNS:games.example")
    trust = ssl.create_default_context(cafile=made)
    async with (
        server(tmp_path, tls_cert=made, tls_key=key) as app,
        coming(app.port, "games.example", ssl=trust),
    ):
        pass


async def test_a_proxy_answers_for_the_names_it_is_called_by(tmp_path: Path) -> None:
    async with server(tmp_path, behind_proxy=HERE) as app:
        async with coming(app.port, "games.example", origin=f"https://games.example:{app.port}"):
            pass
        assert "evil" in await refused(app.port, "games.example", "https://evil.example")


def is_ours(host: str, *allowed: str) -> bool:
    rules = BrowserRules(allowed, ())
    return rules.refusal(Headers(Host=host), checks_host=True) is None


OURS = [
    "192.0.2.1",
    "192.0.2.1:7453",
    "[2001:db8::1]:7453",
    "[fe80::1%25eth0]",
    "localhost:7453",
    "box",
    "Box:7453",
    "box.local",
    "box.local.",
    "BOX.Home.Arpa:80",
    "box.lan",
    "",
]


def test_names_that_no_stranger_can_own_need_no_option() -> None:
    assert {host for host in OURS if not is_ours(host)} == set()


OF_OTHERS = [
    "evil.example",
    "192.0.2.1.evil.example",
    "local.evil.example",
    "evillocal.example",
    "box.local.evil.example:7453",
    "evil.example:x",
    "[::1",
    "[]",
    "a b",
    "evil..example",
    "é" * 300,
    "x." * 4_000,
    "box/..",
]


def test_other_names_are_refused_unless_they_are_allowed() -> None:
    assert {host for host in OF_OTHERS if is_ours(host)} == set()


def test_the_machines_own_name_and_those_that_were_given_are_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "play.example.org")
    assert is_ours("play.example.org:7453")
    assert is_ours("straße.example", "straße.example")
    assert is_ours("xn--bcher-kva.example", "bücher.example")
    assert not is_ours("games.example", "games.example.org")


def test_the_full_name_of_the_machine_is_ours_once_it_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(socket, "getfqdn", lambda: "box.example.org")
    rules = BrowserRules((), ())
    assert rules.refusal(Headers(Host="box.example.org"), checks_host=True) is not None
    rules.learn_own_name()
    assert rules.refusal(Headers(Host="box.example.org"), checks_host=True) is None


def test_two_headers_of_a_kind_are_refused() -> None:
    for name in ("Host", "Origin"):
        headers = Headers([("Host", "box"), (name, "box"), (name, "http://box")])
        assert BrowserRules((), ()).refusal(headers, checks_host=False) is not None, name


PAGES = [
    ("http://box:7453", "box:7453", True),
    ("http://box", "box", True),
    ("http://box:80", "box", True),
    ("https://games.example", "games.example", True),
    ("https://games.example", "games.example:443", True),
    ("http://[2001:db8::1]:7453", "[2001:db8::1]:7453", True),
    ("http://box:7454", "box:7453", False),
    ("http://box", "box:7453", False),
    ("http://box.evil.example:7453", "box:7453", False),
    ("file://", "box", False),
    ("null", "box", False),
    ("", "box", False),
    ("http://box", "", False),
    ("http://user@box", "box", False),
    ("ws://box", "box", False),
]
"""Origin, host, and whether the page is of this server."""


def test_a_page_is_of_this_server_if_name_and_port_are_the_same() -> None:
    wrong = []
    for origin, host, is_same in PAGES:
        headers = Headers([("Host", host), ("Origin", origin)])
        is_let_in = BrowserRules((), ()).refusal(headers, checks_host=False) is None
        if is_let_in != is_same:
            wrong.append((origin, host))
    assert wrong == []


NO_NAMES = ("", "a b", "http://box", "box:80", "box/x", "*.example", "-")
NO_ORIGINS = ("", "games.example", "ftp://x", "https://x/play", "https://", "https://x:port")


@pytest.mark.parametrize(("read", "texts"), [(read_host, NO_NAMES), (read_origin, NO_ORIGINS)])
def test_what_is_no_name_or_origin_cannot_be_allowed(
    read: Callable[[str], object], texts: Sequence[str]
) -> None:
    taken = set()
    for text in texts:
        with suppress(BadName):
            taken.add((text, read(text)))
    assert taken == set()
