"""What is answered over HTTP: to a monitor, to a browser, and to a client that is not let in."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import NamedTuple, Protocol

from websockets.http11 import Request

from diadem_server.config import Config
from diadem_server.limits.rate_limits import whole_seconds
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.addresses import client_address, is_from, peer_of, prefix_of
from diadem_server.net.admission import Admission
from diadem_server.net.browser_rules import BrowserRules
from diadem_server.net.schema_file import SchemaFile

CLOSING = "the server is closing\n"


class HttpAnswer(NamedTuple):
    status: HTTPStatus
    text: str
    headers: Mapping[str, str] = MappingProxyType({})
    content: bytes | None = None
    """What is sent instead of the text; a header says what it is."""


class ClientOrigin(NamedTuple):
    """Who asks to be let in."""

    prefix: str
    """Of the address where the player is."""
    counts_for: str
    """The prefix whose connections this is one of."""
    token: str = ""
    """The player's, whatever they say, where a gate of this server has let them in; one that nobody has is theirs from then on."""


class Requests(Protocol):
    """How the requests are answered that come to one kind of socket."""

    def answer(self, request: Request, transport: asyncio.BaseTransport) -> HttpAnswer | None:
        """None lets a client in."""

    def client(self, request: Request, transport: asyncio.BaseTransport) -> ClientOrigin: ...


class PublicRequests:
    def __init__(
        self, config: Config, lobby: Lobby, admission: Admission, browsers: BrowserRules
    ) -> None:
        self._config = config
        self._lobby = lobby
        self._admission = admission
        self._browsers = browsers
        self._schema = SchemaFile()
        self._probes = {"/healthz": self._health, "/readyz": self._readiness, "/livez": _liveness}

    def answer(self, request: Request, transport: asyncio.BaseTransport) -> HttpAnswer | None:
        # A certificate proves the name as well, and a proxy of ours passes on what it was called.
        is_proxy = is_from(self._config.behind_proxy, peer_of(transport))
        checks_host = self._config.tls_cert is None and not is_proxy
        if said := self._browsers.refusal(request.headers, checks_host=checks_host):
            return HttpAnswer(HTTPStatus.FORBIDDEN, f"{said}\n")
        if request.method not in {"GET", "HEAD"}:
            return HttpAnswer(
                HTTPStatus.METHOD_NOT_ALLOWED, "only GET is answered here\n", {"Allow": "GET, HEAD"}
            )
        path = request.path.partition("?")[0]
        if path in self._probes:
            return self._probes[path]()
        if path == "/metrics":
            return self._metrics()
        if path == "/schema.json":
            too_many = unless_admitted(self._admission, self.client(request, transport))
            return too_many or self._schema_for(request)
        if "Upgrade" not in request.headers:
            return HttpAnswer(
                HTTPStatus.UPGRADE_REQUIRED,
                "This is a Diadem server. Play with: .venv/bin/game-client --host HOST\n",
            )
        return unless_admitted(self._admission, self.client(request, transport))

    def client(self, request: Request, transport: asyncio.BaseTransport) -> ClientOrigin:
        origin = client_address(peer_of(transport), request.headers, self._config.behind_proxy)
        prefix = prefix_of(origin)
        return ClientOrigin(prefix, counts_for=prefix)

    def _health(self) -> HttpAnswer:
        trouble = self._lobby.journal.trouble
        if self._admission.is_closed:
            return HttpAnswer(HTTPStatus.SERVICE_UNAVAILABLE, CLOSING)
        if trouble is None:
            return HttpAnswer(HTTPStatus.OK, "ok\n")
        return HttpAnswer(
            HTTPStatus.SERVICE_UNAVAILABLE, f"the journal cannot be written: {trouble}\n"
        )

    def _readiness(self) -> HttpAnswer:
        """Whether newcomers can be let in: what `_health` looks at, and whether questions of theirs are answered."""
        health, trouble = self._health(), self._lobby.journal.read_trouble
        if health.status is not HTTPStatus.OK or trouble is None:
            return health
        return HttpAnswer(
            HTTPStatus.SERVICE_UNAVAILABLE, f"the journal cannot be read: {trouble}\n"
        )

    def _schema_for(self, request: Request) -> HttpAnswer:
        headers, content = self._schema.answer(request.headers)
        return HttpAnswer(HTTPStatus.OK, "", headers, content)

    def _metrics(self) -> HttpAnswer:
        self._lobby.metrics.tables = len(self._lobby.tables)
        self._lobby.metrics.journal_waiting = self._lobby.journal.waiting
        return HttpAnswer(HTTPStatus.OK, str(self._lobby.metrics))


def _liveness() -> HttpAnswer:
    """The process answers: to start it again would mend nothing."""
    return HttpAnswer(HTTPStatus.OK, "ok\n")


def unless_admitted(admission: Admission, client: ClientOrigin) -> HttpAnswer | None:
    wait = admission.wait(client.counts_for)
    if wait is None:
        return None
    return HttpAnswer(
        HTTPStatus.SERVICE_UNAVAILABLE,
        CLOSING if admission.is_closed else "too many connections\n",
        {"Retry-After": str(whole_seconds(wait))},
    )
