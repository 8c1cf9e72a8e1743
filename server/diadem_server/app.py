"""The server as a whole: it listens, lets in, and ends politely."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

from websockets.frames import CloseCode

from diadem_server.config import Config
from diadem_server.limits.gate_limits import RelayedLimits
from diadem_server.lobby.lobby import Lobby
from diadem_server.lobby.prune import keep_tidy
from diadem_server.lobby.restore import restore
from diadem_server.lobby.results import sum_up
from diadem_server.net.admission import Admission
from diadem_server.net.browser_rules import BrowserRules
from diadem_server.net.endpoint import Endpoint, Forwarding
from diadem_server.net.http import PublicRequests
from diadem_server.net.listener import Peer, open_sockets
from diadem_server.net.mdns import Announcer, Place
from diadem_server.storage.journal import Journal
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared.protocol import CLIENT

ANNOUNCER_SECONDS = 5.0
"""For which the network is told that the server is gone."""


class App:
    """One server. `async with App(config) as app:` runs it; `app.port` says where."""

    def __init__(
        self,
        config: Config,
        journal: Journal | None = None,
        lobby: Lobby | None = None,
        begin: Callable[[Lobby], Awaitable[None]] = restore,
    ) -> None:
        """Alone, or with a lobby that shares its tables with those of others: `begin` looks for them."""
        self.config = config
        self.lobby = lobby or Lobby(config, journal or SqliteJournal(config.data))
        self._journal = self.lobby.journal
        self._begin = begin
        self.forwarding: Forwarding | None = None
        """To other nodes, if there are any; whoever runs one of them sets it before this begins."""
        self.gate_limits: Mapping[str, RelayedLimits] = {}
        """By gate, those that hold for other nodes as well; set like `forwarding`."""
        self.admission = Admission(config, self.lobby.metrics)
        self._browsers = BrowserRules(
            (config.host or "", *config.allow_hosts), config.allow_origins
        )
        self._addresses: list[Peer] = []
        """Where it listens."""
        self._public: Endpoint | None = None
        self._announcing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "App":
        await self._journal.start()
        try:
            certificate = tls(self.config.tls_cert, self.config.tls_key)
            with ExitStack() as unless_all_went_well:
                sockets = await open_sockets(self.config.host, self.config.port)
                for each in sockets:
                    unless_all_went_well.enter_context(each)
                # Before anybody is let in, who may look for theirs.
                await self._begin(self.lobby)
                unless_all_went_well.pop_all()
        except BaseException:
            await self._journal.close()
            raise
        self._addresses = [each.getsockname()[:2] for each in sockets]
        self.lobby.doors.is_seen_from_outside = self.is_seen_from_outside
        self.lobby.doors.open(CLIENT, self.port)
        self._public = Endpoint(
            self.lobby,
            self.admission,
            PublicRequests(self.config, self.lobby, self.admission, self._browsers),
            tls=certificate,
            compresses=self.config.compress,
            forwarding=self.forwarding,
        )
        self._public.accept(sockets)
        self.lobby.spawn(keep_tidy(self.lobby))
        self.lobby.spawn(sum_up(self.lobby))
        if self.is_seen_from_outside:
            # A thread that nobody waits for: a network without DNS answers after many seconds.
            Thread(target=self._browsers.learn_own_name, name="own name", daemon=True).start()
            if self.config.announce:
                self._announcing = asyncio.create_task(Announcer(self.lobby, self._place()).run())
        return self

    def hosted_endpoint(self) -> Endpoint:
        """For the clients that a gate of this server runs for players whom it has let in and counted."""
        return Endpoint(self.lobby, self.admission, forwarding=self.forwarding)

    async def __aexit__(self, *_: object) -> None:
        # Who comes from now on is told to try later.
        self.admission.is_closed = True
        if self._announcing:
            self._announcing.cancel()
        await self.lobby.close()
        if self._public is not None:
            await self._public.close()
        if self._announcing:
            await asyncio.wait({self._announcing}, timeout=ANNOUNCER_SECONDS)
        await self._journal.close()

    async def close_lines(self, seconds: float = 0.0) -> None:
        """All clients are to come again, at once or spread over some seconds; none is let in meanwhile."""
        self.admission.is_closed = True
        if self._public is not None:
            await self._public.close_lines(CloseCode.SERVICE_RESTART, seconds)

    @property
    def port(self) -> int:
        return self._addresses[0][1] if self._addresses else self.config.port

    @property
    def is_seen_from_outside(self) -> bool:
        """Whether other machines can connect, if no firewall stands between."""
        return self._place().is_seen_from_outside

    def _place(self) -> Place:
        hosts = [address for address, _ in self._addresses]
        return Place(hosts, self.port, tls=self.config.tls_cert is not None)


def tls(certificate: Path | None, key: Path | None) -> ssl.SSLContext | None:
    if certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # A key that is locked is refused: there is nobody to ask for its password.
    context.load_cert_chain(certificate, key, password="")
    return context
