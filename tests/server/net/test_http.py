"""What is answered over HTTP, and whom a connection counts for."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from http import HTTPStatus
from ipaddress import ip_network
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from diadem_server.config import Config
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.admission import RETRY_SECONDS, Admission
from diadem_server.net.browser_rules import BrowserRules
from diadem_server.net.http import ClientOrigin, HttpAnswer, PublicRequests
from diadem_server.storage.journal import Journal
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared.protocol import SUBPROTOCOL
from tests.patience import PATIENCE
from tests.rig.wire import server

PEER = "192.0.2.1"
UPGRADE = {"Upgrade": "websocket"}
UPGRADE_LINES = ("Upgrade: websocket", "Connection: Upgrade")


class Transport(asyncio.BaseTransport):
    def __init__(self, peer: str = PEER) -> None:
        super().__init__({"peername": (peer, 1024)})


class Asked:
    """Requests to a server that does not run."""

    def __init__(self, journal: Journal, **given: Any) -> None:
        self.config = Config(Path(), **given)
        self.lobby = Lobby(self.config, journal)
        self.admission = Admission(self.config, self.lobby.metrics)
        browsers = BrowserRules(self.config.allow_hosts, self.config.allow_origins)
        self.requests = PublicRequests(self.config, self.lobby, self.admission, browsers)

    def answer(
        self, path: str = "/", headers: dict[str, str] | None = None, peer: str = PEER
    ) -> HttpAnswer | None:
        return self.requests.answer(Request(path, Headers(headers or {})), Transport(peer))


ToServer: TypeAlias = Callable[..., Asked]


@pytest.fixture
async def to_server(tmp_path: Path) -> AsyncIterator[ToServer]:
    """A server by its settings."""
    journal = SqliteJournal(tmp_path)
    yield partial(Asked, journal)
    await journal.close()


async def test_a_monitor_is_told_whether_all_is_well(
    to_server: ToServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = to_server()
    assert asked.answer("/healthz?deep") == HttpAnswer(HTTPStatus.OK, "ok\n")
    monkeypatch.setattr(asked.lobby.journal, "trouble", "the disk is full")
    answer = asked.answer("/healthz")
    assert answer == HttpAnswer(
        HTTPStatus.SERVICE_UNAVAILABLE, "the journal cannot be written: the disk is full\n"
    )


async def test_a_load_balancer_is_told_whether_newcomers_can_be_let_in(
    to_server: ToServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And who may start the process again, that it answers."""
    asked = to_server()
    for path in ("/readyz", "/livez"):
        assert asked.answer(path) == HttpAnswer(HTTPStatus.OK, "ok\n")
    for name in ("trouble", "read_trouble"):
        with monkeypatch.context() as patch:
            patch.setattr(asked.lobby.journal, name, "too many clients already")
            assert _status(asked, "/readyz") == 503
    asked.admission.is_closed = True
    turned_away = asked.answer(headers=UPGRADE)
    assert turned_away is not None
    assert turned_away[:2] == (503, "the server is closing\n")
    assert turned_away.headers == {"Retry-After": "1"}, "by then another one may let them in"
    assert [_status(asked, path) for path in ("/readyz", "/livez")] == [503, 200]


def _status(asked: Asked, path: str) -> int:
    answer = asked.answer(path)
    assert answer is not None
    return answer.status


async def test_metrics_are_those_of_now(to_server: ToServer) -> None:
    asked = to_server()
    asked.lobby.metrics.refusals = 3
    answer = asked.answer("/metrics")
    assert answer is not None
    assert answer.status == 200
    assert "diadem_refusals_total 3\n" in answer.text
    assert "diadem_tables 0\n" in answer.text


async def test_a_browser_is_told_what_this_is(to_server: ToServer) -> None:
    answer = to_server().answer("/index.html")
    assert answer is not None
    assert answer.status == 426
    assert "game-client" in answer.text


async def test_who_is_admitted_gets_no_answer_and_others_are_told_when_to_come_again(
    to_server: ToServer,
) -> None:
    asked = to_server(max_per_address=1)
    assert asked.answer(headers=UPGRADE) is None
    asked.admission.enter(PEER)
    answer = asked.answer(headers=UPGRADE)
    assert answer is not None
    assert answer[:2] == (503, "too many connections\n")
    assert answer.headers == {"Retry-After": f"{RETRY_SECONDS:g}"}
    assert asked.answer(headers=UPGRADE, peer="192.0.2.2") is None
    assert asked.lobby.metrics.turned_away == 1


@pytest.mark.parametrize("path", ["/", "/metrics", "/healthz"])
async def test_a_page_of_strangers_is_refused_before_all_else(
    to_server: ToServer, path: str
) -> None:
    answer = to_server().answer(path, UPGRADE | {"Origin": "https://evil.example"})
    assert answer is not None
    assert answer.status == 403


@pytest.mark.parametrize(
    ("given", "status"),
    [({}, 403), ({"tls_cert": Path("cert.pem")}, 426), ({"behind_proxy": ip_network(PEER)}, 426)],
)
async def test_the_name_is_looked_at_where_nobody_else_does(
    to_server: ToServer, given: dict[str, Any], status: int
) -> None:
    answer = to_server(**given).answer(headers={"Host": "evil.example"})
    assert answer is not None
    assert answer.status == status


async def test_a_connection_counts_for_whom_our_own_proxy_names(to_server: ToServer) -> None:
    forwarded = Request("/", Headers({"X-Forwarded-For": "198.51.100.7"}))
    for given, prefix in (
        ({}, PEER),
        ({"behind_proxy": ip_network(PEER)}, "198.51.100.7"),
    ):
        client = to_server(**given).requests.client(forwarded, Transport())
        assert client == ClientOrigin(prefix, counts_for=prefix)


async def test_the_schema_is_fetched_plain_or_compressed(to_server: ToServer) -> None:
    asked = to_server()
    plain = asked.answer("/schema.json")
    packed = asked.answer("/schema.json", {"Accept-Encoding": "br;q=1.0, gzip;q=0.8"})
    assert plain is not None
    assert packed is not None
    assert plain.status is HTTPStatus.OK
    assert plain.content is not None
    assert packed.content is not None
    assert json.loads(plain.content)["title"] == SUBPROTOCOL
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    again = asked.answer("/schema.json")
    assert again is not None
    assert again.content is plain.content


async def test_the_schema_is_for_browsers_of_known_sites_and_for_who_is_admitted(
    to_server: ToServer,
) -> None:
    asked = to_server(host="games.example.org")
    strange = asked.answer("/schema.json", {"Origin": "https://elsewhere.example"})
    assert strange is not None
    assert strange.status is HTTPStatus.FORBIDDEN
    asked.admission.is_closed = True
    later = asked.answer("/schema.json")
    assert later is not None
    assert later.status is HTTPStatus.SERVICE_UNAVAILABLE
    assert later.headers["Retry-After"]


async def _asked_raw(port: int, method: str, path: str, *headers: str) -> tuple[bytes, bytes]:
    """The head of what is answered, and the body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *headers, "", ""]
    writer.write("\r\n".join(lines).encode())
    async with asyncio.timeout(PATIENCE):
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    return head, body


async def test_head_has_no_body_and_other_methods_are_refused(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        for path, status in (
            ("/healthz", 200),
            ("/schema.json", 200),
            ("/metrics", 200),
            ("/", 426),
        ):
            whole, body = await _asked_raw(app.port, "GET", path)
            head, nothing = await _asked_raw(app.port, "HEAD", path)
            assert (head.split()[1], whole.split()[1]) == (b"%d" % status,) * 2
            assert body
            assert nothing == b""
            if path != "/metrics":  # which counts these, too
                assert b"Content-Length: %d" % len(body) in head
            for method in ("POST", "DELETE", "PUT", "OPTIONS"):
                refused, _ = await _asked_raw(app.port, method, path)
                assert refused.startswith(b"HTTP/1.1 405 Method Not Allowed")
                assert b"Allow: GET, HEAD" in refused
        with_body = await _asked_raw(app.port, "POST", "/healthz", "Content-Length: 2")
        assert with_body == (b"", b"")
        head, nothing = await _asked_raw(app.port, "HEAD", "/", *UPGRADE_LINES)
        assert (head.split()[1], nothing) == (b"405", b"")
