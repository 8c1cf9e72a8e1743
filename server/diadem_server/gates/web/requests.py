"""How requests to the web gate are answered: with the page and its files, and with a websocket for the page."""

from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import ip_network
from urllib.parse import urlsplit

from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Request

from diadem_server.gates.admission import CROWDED
from diadem_server.gates.messages import WebSettings
from diadem_server.gates.web import cookies
from diadem_server.gates.web.page_files import INDEX, PageFile, linked
from diadem_server.host_names import is_loopback
from diadem_server.net.addresses import client_address, is_from
from diadem_server.net.browser_rules import BrowserRules
from diadem_server.net.http import HttpAnswer
from diadem_server.net.own_addresses import reached_address
from diadem_shared.forkserver_protocol import TABLE_CODE

SOCKET = "/ws"
LOOPBACK = "127.0.0.1"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Visitor(Struct, frozen=True):
    """Whose browser opens a websocket."""

    identity: str | None
    """None for a browser that keeps no cookies."""
    address: str
    reached: str
    """The name or address by which they came, for those whom they invite; they alone are told."""
    page: str
    """The page's origin, as their browser says."""


class WebRequests:
    def __init__(self, settings: WebSettings, files: Mapping[str, PageFile]) -> None:
        self._files = files
        self._linked = linked(files[INDEX])
        self._has_tls = settings.tls_cert is not None
        self._proxy = ip_network(settings.behind_proxy) if settings.behind_proxy else None
        origins = settings.web.origins
        names = [urlsplit(each).hostname or "" for each in origins]
        self.browsers = BrowserRules((settings.host or "", *settings.allow_hosts, *names), origins)

    def is_from_proxy(self, peer: str) -> bool:
        return is_from(self._proxy, peer)

    def address_of(self, request: Request, peer: str) -> str:
        """Where the player is."""
        return client_address(peer, request.headers, self._proxy)

    def visitor(self, request: Request, peer: str) -> Visitor:
        secure = self._is_secure(request.headers, peer)
        identity = cookies.identity_in(request.headers, secure=secure)
        origin = urlsplit(request.headers.get("Origin", "").strip())
        reached = origin.hostname or ""
        page = origin.geturl()
        if is_loopback(reached):
            # They sit at this machine, or at the end of a tunnel to it; others come by its address.
            reached, page = reached_address(LOOPBACK), ""
        return Visitor(identity, self.address_of(request, peer), reached, page)

    def _is_secure(self, headers: Headers, peer: str) -> bool:
        """Whether the browser came over TLS, as far as this gate or its proxy knows."""
        is_told = headers.get_all("X-Forwarded-Proto") == ["https"]
        return self._has_tls or (is_told and self.is_from_proxy(peer))

    def answer(self, request: Request, peer: str) -> HttpAnswer | None:
        """None for the page's websocket."""
        if request.method != "GET":
            return _text(HTTPStatus.METHOD_NOT_ALLOWED, "only GET is answered here\n")
        # A certificate proves the name as well, and a proxy of ours passes on what it was called.
        checks_host = not self._has_tls and not self.is_from_proxy(peer)
        if said := self.browsers.refusal(request.headers, checks_host=checks_host):
            return _text(HTTPStatus.FORBIDDEN, f"{said}\n")
        path = request.path.partition("?")[0]
        if path == SOCKET:
            return self._answer_socket(request.headers)
        name = path.removeprefix("/")
        if not name or TABLE_CODE.fullmatch(name):
            return self._page(request, peer)
        if name != INDEX and name in self._files:
            return _file(self._files[name], request.headers, HEADERS)
        return _text(HTTPStatus.NOT_FOUND, "there is no such page here\n")

    def crowded(self) -> HttpAnswer:
        return _text(HTTPStatus.SERVICE_UNAVAILABLE, f"{CROWDED}\n")

    def _answer_socket(self, headers: Headers) -> HttpAnswer | None:
        if "Upgrade" not in headers:
            return _text(HTTPStatus.UPGRADE_REQUIRED, "this is for the page\n")
        if "Origin" not in headers:
            return _text(HTTPStatus.FORBIDDEN, "this is for pages in a browser\n")
        return None

    def _page(self, request: Request, peer: str) -> HttpAnswer:
        """The page, and with it the cookie; also one that is there already, for as long again."""
        secure = self._is_secure(request.headers, peer)
        identity = cookies.identity_in(request.headers, secure=secure) or cookies.new_identity()
        cookie = {"Set-Cookie": cookies.set_cookie(identity, secure=secure)}
        page = self._linked if self._is_linked(request) else self._files[INDEX]
        return _file(page, request.headers, HEADERS | cookie)

    def _is_linked(self, request: Request) -> bool:
        """Whether a page of another site may have opened this one, which would take over the player's game.

        Browsers tell by Sec-Fetch-Site, but not where there is no TLS. There an address with a table in it counts as a link, and
        so does whatever has a Referer, as no page of ours sends one.
        """
        if sites := request.headers.get_all("Sec-Fetch-Site"):
            return not {*sites} <= {"none", "same-origin"}
        return request.path.partition("?")[0] != "/" or "Referer" in request.headers


def _file(file: PageFile, asked: Headers, headers: dict[str, str]) -> HttpAnswer:
    headers = headers | {"Content-Type": file.kind, "Vary": "Accept-Encoding"}
    if "gzip" not in ",".join(asked.get_all("Accept-Encoding")):
        return HttpAnswer(HTTPStatus.OK, "", headers, file.content)
    return HttpAnswer(HTTPStatus.OK, "", headers | {"Content-Encoding": "gzip"}, file.gzipped)


def _text(status: HTTPStatus, said: str) -> HttpAnswer:
    return HttpAnswer(status, said, HEADERS)
