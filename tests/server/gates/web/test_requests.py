"""Requests to the web gate: what gets the page, what gets its websocket, and what gets neither."""

from http import HTTPStatus
from pathlib import Path
from typing import Any

from websockets.datastructures import Headers
from websockets.http11 import Request

from diadem_server.config import WebConfig
from diadem_server.gates.messages import WebSettings
from diadem_server.gates.web.page_files import PageFile
from diadem_server.gates.web.requests import WebRequests
from diadem_server.net.http import HttpAnswer

PEER, PROXY, PLAYER = "192.0.2.1", "198.51.100.1", "203.0.113.7"
HERE = "192.0.2.9:7480"
FILES = {
    "index.html": PageFile("text/html; charset=utf-8", b'<html lang="en"><p>', b"packed"),
    "page.mjs": PageFile("text/javascript; charset=utf-8", b"1", b"packed too"),
}
LINKED = b'<html data-linked lang="en"><p>'
UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade"}


def requests(*origins: str, **settings: Any) -> WebRequests:
    web = WebConfig(7480, origins=origins)
    given = WebSettings(0, Path(), None, web=web, name="Diadem", **settings)
    return WebRequests(given, FILES)


def asked(
    path: str = "/",
    headers: dict[str, str] | None = None,
    at: WebRequests | None = None,
    peer: str = PEER,
    method: str = "GET",
) -> HttpAnswer | None:
    sent = {"Host": HERE} | (headers or {})
    return (at or requests()).answer(Request(path, Headers(sent), method), peer)


def status(*given: Any, **named: Any) -> int:
    answer = asked(*given, **named)
    return 101 if answer is None else answer.status


# The page


OF_THE_PAGE = ["/", "/?utm=1", "/K7F3", "/k7f3abcd?x", "/ABCDEFGHJKLM"]


def test_the_page_is_the_same_for_every_code() -> None:
    """It tells nobody which tables there are."""
    for path in OF_THE_PAGE:
        answer = asked(path)
        assert answer is not None, path
        assert answer[:2] == (HTTPStatus.OK, ""), path
        content = {"/": b'<html lang="en"><p>'}.get(path.partition("?")[0], LINKED)
        assert answer.content == content, path
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8", path


ARRIVALS: list[tuple[str, dict[str, str], bool]] = [
    ("/", {}, False),
    ("/", {"Sec-Fetch-Site": "none"}, False),
    ("/K7F3", {"Sec-Fetch-Site": "none"}, False),
    ("/K7F3", {"Sec-Fetch-Site": "same-origin"}, False),
    ("/", {"Sec-Fetch-Site": "cross-site"}, True),
    ("/K7F3", {"Sec-Fetch-Site": "cross-site"}, True),
    ("/", {"Sec-Fetch-Site": "same-site"}, True),  # another port of this machine
    ("/", {"Sec-Fetch-Site": "of a later browser"}, True),
    # Without TLS browsers do not say
    ("/K7F3", {}, True),
    ("/", {"Referer": "http://203.0.113.9/"}, True),
]


def test_a_page_that_another_site_may_have_opened_waits_for_a_click() -> None:
    wrong = []
    for path, headers, is_linked in ARRIVALS:
        answer = asked(path, headers)
        assert answer is not None
        if (answer.content == LINKED) is not is_linked:
            wrong.append((path, headers))
    assert wrong == []


NOWHERE = [
    "/index.html",
    "/other.mjs",
    "/K7F3/",
    "/ABCDEFGHJKLMN",
    "//",
    "/../config.py",
    "/%2e%2e/config.py",
    "/page.mjs/../../x",
    "/healthz.txt",
    "http://192.0.2.9/",
    "*",
]


def test_there_is_nothing_else() -> None:
    assert {path: status(path) for path in NOWHERE} == dict.fromkeys(NOWHERE, 404)


def test_what_is_asked_for_gzipped_is_sent_so() -> None:
    answer = asked("/page.mjs", {"Accept-Encoding": "br;q=1, gzip"})
    assert answer is not None
    assert answer.content == b"packed too"
    assert answer.headers["Content-Encoding"] == "gzip"
    plain = asked("/page.mjs", {"Accept-Encoding": "br"})
    assert plain is not None
    assert plain.content == b"1"
    assert "Content-Encoding" not in plain.headers


PATHS = ["/", "/K7F3", "/page.mjs", "/nothing.mjs", "/ws"]


HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def test_every_answer_says_what_a_page_may_do() -> None:
    for path in PATHS:
        answer = asked(path)
        assert answer is not None, path
        policy = answer.headers["Content-Security-Policy"].split("; ")
        assert "default-src 'none'" in policy, path
        assert "frame-ancestors 'none'" in policy, path
        assert "require-trusted-types-for 'script'" in policy, path
        assert not any("unsafe" in each or "*" in each or "data:" in each for each in policy), path
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS, path


def test_only_get_is_answered() -> None:
    methods = ("POST", "PUT", "HEAD", "OPTIONS", "CONNECT", "get", "BREW")
    answers = {
        (method, path): status(path, UPGRADE, method=method)
        for method in methods
        for path in ("/", "/ws")
    }
    assert answers == dict.fromkeys(answers, 405)


# Who it is


def test_a_browser_gets_a_cookie_and_keeps_it() -> None:
    first = asked("/")
    assert first is not None
    cookie = first.headers["Set-Cookie"].partition(";")[0]
    again = asked("/", {"Cookie": cookie})
    assert again is not None
    assert again.headers["Set-Cookie"] == first.headers["Set-Cookie"]
    visitor = requests().visitor(Request("/ws", Headers({"Cookie": cookie})), PEER)
    assert visitor.identity == cookie.partition("=")[2]
    assert visitor.address == PEER


def test_files_bring_no_cookie() -> None:
    answer = asked("/page.mjs")
    assert answer is not None
    assert "Set-Cookie" not in answer.headers


def test_over_tls_the_cookie_is_for_tls_alone() -> None:
    with_tls = requests(tls_cert=Path("cert.pem"))
    behind = requests(behind_proxy=PROXY)
    forwarded = {"X-Forwarded-Proto": "https"}
    for answer in (asked(at=with_tls), asked("/", forwarded, behind, PROXY)):
        assert answer is not None
        assert answer.headers["Set-Cookie"].startswith("__Host-diadem=")
    for answer in (asked("/", forwarded), asked("/", forwarded, behind, PEER), asked(at=behind)):
        assert answer is not None
        assert answer.headers["Set-Cookie"].startswith("diadem=")


def test_only_what_our_own_proxy_added_is_believed() -> None:
    headers = Headers({"X-Forwarded-For": f"10.0.0.1, {PLAYER}"})
    behind = requests(behind_proxy=PROXY)
    assert behind.visitor(Request("/ws", headers), PROXY).address == PLAYER
    assert behind.visitor(Request("/ws", headers), PEER).address == PEER
    assert requests().visitor(Request("/ws", headers), PROXY).address == PROXY


# Which pages may open the websocket, and under which names


def origin(value: str) -> dict[str, str]:
    return UPGRADE | {"Origin": value}


def test_the_page_of_this_very_host_may_open_the_websocket() -> None:
    answers = {scheme: status("/ws", origin(f"{scheme}://{HERE}")) for scheme in ("http", "https")}
    assert answers == {"http": 101, "https": 101}


OTHER_PAGES = [
    "https://evil.example",
    "http://192.0.2.9",
    "http://192.0.2.9:7481",
    "http://192.0.2.9.evil.example:7480",
    "http://192.0.2.9:7480@evil.example",
    "null",
    "file://",
    "",
]


def test_no_other_page_may() -> None:
    answers = {page: status("/ws", origin(page)) for page in OTHER_PAGES}
    assert answers == dict.fromkeys(OTHER_PAGES, 403)


def test_what_is_no_browser_may_not_either() -> None:
    assert status("/ws", UPGRADE) == 403
    assert status("/ws", {"Origin": f"http://{HERE}"}) == 426


def test_two_origins_are_none() -> None:
    headers = Headers([("Host", HERE), ("Upgrade", "websocket")])
    headers["Origin"] = f"http://{HERE}"
    headers["Origin"] = "https://evil.example"
    answer = requests().answer(Request("/ws", headers), PEER)
    assert answer is not None
    assert answer.status == 403


def test_a_name_that_strangers_may_own_leads_nowhere() -> None:
    """DNS rebinding: a page of theirs, under a name of theirs that leads here."""
    answers = {
        (path, name): status(path, {"Host": name, "Origin": f"http://{name}"} | UPGRADE)
        for path in ("/", "/page.mjs", "/ws")
        for name in ("evil.example", "evil.example:7480", "192.0.2.9.evil.example", "a b")
    }
    assert answers == dict.fromkeys(answers, 403)


def test_addresses_and_names_of_the_house_lead_here() -> None:
    answers = {
        name: (
            status("/", {"Host": name}),
            status("/ws", {"Host": name} | origin(f"http://{name}")),
        )
        for name in ("localhost:7480", "[::1]:7480", "kitchen.local", "192.0.2.9")
    }
    assert answers == dict.fromkeys(answers, (200, 101))


def test_a_name_that_the_host_knows_leads_here() -> None:
    named = requests("https://games.example")
    assert status("/", {"Host": "games.example"}, named) == 200
    assert status("/ws", {"Host": "10.0.0.1:7480"} | origin("https://games.example"), named) == 101
    allowed = requests(allow_hosts=("games.example",))
    assert status("/", {"Host": "games.example:7480"}, allowed) == 200


def test_a_proxy_and_a_certificate_answer_for_the_name() -> None:
    for at, peer in ((requests(behind_proxy=PROXY), PROXY), (requests(tls_cert=Path("c")), PEER)):
        assert status("/", {"Host": "games.example"}, at, peer) == 200
        there = {"Host": "games.example"}
        assert status("/ws", there | origin("https://games.example"), at, peer) == 101
        assert status("/ws", there | origin("https://evil.example"), at, peer) == 403
