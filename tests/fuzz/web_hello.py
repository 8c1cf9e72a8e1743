"""Whatever a browser asks for and says first, the web gate answers it, refuses it, or knows who comes and how large they are."""

from contextlib import suppress
from pathlib import Path

from websockets.http11 import Request
from websockets.server import ServerProtocol

from diadem_server.config import WebConfig
from diadem_server.gates.messages import WebSettings
from diadem_server.gates.terminal_session import player_name
from diadem_server.gates.web import cookies, page_files
from diadem_server.gates.web.messages import (
    HIGHEST,
    LOWEST,
    NARROWEST,
    WIDEST,
    BadMessage,
    Size,
    bounded,
    read_hello,
    read_resized,
)
from diadem_server.gates.web.requests import WebRequests
from diadem_server.sessions import names
from diadem_shared.protocol import LONGEST_NAME

INSTRUMENTED = (
    *(
        "diadem_server.gates.web",
        "diadem_server.gates.terminal_session",
        "diadem_server.net.browser_rules",
    ),
    *("diadem_server.net.addresses", "diadem_server.host_names", "diadem_server.sessions.names"),
)
PEER, PROXY = "192.0.2.1", "198.51.100.9"
SETTINGS = WebSettings(0, Path("unused"), None, web=WebConfig(0), name="Diadem", behind_proxy=PROXY)
REQUESTS = WebRequests(SETTINGS, page_files.load())
COOKIE = b"Cookie: diadem=" + b"a" * 43
SOCKET = b"/ws\nHost: 192.0.2.9:7480\nUpgrade: websocket\nOrigin: http://192.0.2.9:7480\n" + COOKIE
SEEDS = [
    SOCKET + b'\n\n{"v":1,"size":[80,24],"name":"Ana","lang":"de-DE","table":"K7F3","resume":true}',
    SOCKET + b'\nX-Forwarded-For: 192.0.2.1\nX-Forwarded-Proto: https\n\n{"size":[1e3,-1]}',
    b"/K7F3?x=1\nHost: games.example.org\nAccept-Encoding: gzip\nSec-Fetch-Site: cross-site\n\n",
    b"/page.mjs\nHost: [::1]:7480\nOrigin: https://[\n\n{",
]


def one_input(data: bytes) -> None:
    """A path, a line each header, an empty line, and the first message."""
    head, _, said = data.partition(b"\n\n")
    for peer in (PEER, PROXY):
        for request in _requests(head):
            _ask(request, peer)
    text = said.decode(errors="replace")
    with suppress(BadMessage):
        _look_at_size(read_resized(text))
    try:
        hello = read_hello(text)
    except BadMessage:
        return
    _look_at_size(bounded(hello.size))
    name = player_name(hello.name)
    assert 0 < len(name) <= LONGEST_NAME
    assert name == names.clean(name).strip() or name == "Player"


def _requests(head: bytes) -> list[Request]:
    """What the transport reads of it; none where it is no request of HTTP."""
    path, *lines = head.split(b"\n")
    protocol = ServerProtocol()
    protocol.receive_data(b"\r\n".join([b"GET " + path + b" HTTP/1.1", *lines, b"", b""]))
    return [event for event in protocol.events_received() if isinstance(event, Request)]


def _ask(request: Request, peer: str) -> None:
    answer = REQUESTS.answer(request, peer)
    REQUESTS.address_of(request, peer)
    if answer is None:
        visitor = REQUESTS.visitor(request, peer)
        assert visitor.identity is None or cookies.IDENTITY.fullmatch(visitor.identity)
        assert not visitor.page or visitor.page.startswith(("http://", "https://")), visitor.page
    else:
        cookie = answer.headers.get("Set-Cookie", "")
        assert not {"\r", "\n"} & set(cookie)


def _look_at_size(size: Size) -> None:
    columns, rows = size
    assert NARROWEST <= columns <= WIDEST
    assert LOWEST <= rows <= HIGHEST
