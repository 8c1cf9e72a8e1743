"""Listens for ssh connections, and sets the algorithms and limits they get."""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import NamedTuple

import asyncssh

from diadem_server.gates.admission import GateAdmission
from diadem_server.gates.client_pool import ClientPool
from diadem_server.gates.messages import FromGate, Listening, SessionCount, SshSettings
from diadem_server.gates.players import BadFile, Players
from diadem_server.gates.privileges import drop
from diadem_server.gates.server_link import ServerLink, inherited
from diadem_server.gates.ssh.auth import Auth, Ends
from diadem_server.gates.ssh.byte_limits import ByteLimiter, HostKey
from diadem_server.gates.ssh.keys import FOLDER, allowed_keys, host_key
from diadem_server.gates.ssh.relay import CHUNK_IN, LAST_WORDS_SECONDS, Relay
from diadem_server.gates.ssh.session import SshSession
from diadem_server.net.listener import Listener, Peer, open_sockets, port_of
from diadem_server.net.own_addresses import reached_address

log = logging.getLogger(__name__)

KEEPALIVES = 3
WINDOW = 1 << 13
"""The channel's window: bytes that a player may send ahead."""
KEY_EXCHANGES = "*25519-sha*"
"""X25519, by itself or together with ML-KEM or sntrup761, as far as this machine has them."""
CIPHERS = (
    "chacha20-poly1305@openssh.com",
    "aes256-gcm@openssh.com",
    "aes128-gcm@openssh.com",
    "aes256-ctr",
    "aes128-ctr",
)
MACS = (
    "hmac-sha2-256-etm@openssh.com",
    "hmac-sha2-512-etm@openssh.com",
    "hmac-sha2-256",
    "hmac-sha2-512",
)


class PendingLogin(NamedTuple):
    """A connection that may be evicted as long as it has no session."""

    auth: Auth
    meter: ByteLimiter
    transport: asyncio.WriteTransport

    @property
    def has_session(self) -> bool:
        return self.auth.has_session

    @property
    def is_silent(self) -> bool:
        return self.meter.is_silent

    def evict(self) -> None:
        self.transport.abort()


class SshListener:
    """`async with SshListener(settings, tell) as listening:` runs it."""

    def __init__(self, settings: SshSettings, tell: Callable[[FromGate], object]) -> None:
        self.settings = settings
        self.config = settings.ssh
        self._key = host_key(settings.data)
        (self._key_pair,) = asyncssh.load_keypairs(self._key)
        self._options = asyncssh.SSHServerConnectionOptions(
            server_host_keys=[self._key_pair],
            server_version="Diadem",
            config=None,
            kex_algs=KEY_EXCHANGES,
            encryption_algs=CIPHERS,
            mac_algs=MACS,
            compression_algs=["none"],
            encoding=None,
            line_editor=False,
            allow_scp=False,
            agent_forwarding=False,
            x11_forwarding=False,
            password_auth=False,
            gss_host=None,
            gss_kex=False,
            login_timeout=self.config.login_seconds,
            keepalive_interval=self.config.keepalive_seconds,
            keepalive_count_max=KEEPALIVES,
            window=WINDOW,
        )
        self.players = Players(settings.data / FOLDER)
        if self.config.keys is not None:
            allowed_keys(self.config.keys)
        self.admission = GateAdmission(self.config, lambda count: tell(SessionCount(count)))
        self.server = ServerLink(inherited(settings.handing), tell)
        self.clients = ClientPool("ssh", self.server)
        self.connections: set[asyncssh.SSHServerConnection] = set()
        self._sessions: dict[asyncio.Task[None], SshSession] = {}
        self._listeners: list[Listener] = []
        self._exits = AsyncExitStack()

    async def __aenter__(self) -> Listening:
        asyncssh.set_log_level(logging.CRITICAL)
        async with self._exits as exits:
            sockets = await open_sockets(self.settings.host, self.config.port)
            needed = [self.config.keys] if self.config.keys is not None else []
            drop(self.settings.user, self.settings.most_processes, needed)
            exits.push_async_callback(self.clients.close)
            await self.clients.start()
            for each in sockets:
                self._listeners.append(Listener(each, self.admission.begin, self._connect))
            exits.push_async_callback(self._leave)
            self._exits = exits.pop_all()
        return Listening(port_of(sockets[0]), self._key.get_fingerprint())

    async def __aexit__(self, *_: object) -> None:
        await self._exits.aclose()

    async def _connect(self, accepted: socket.socket, peer: Peer | None) -> None:
        assert peer is not None  # noqa: S101, this is TCP
        try:
            reader, writer = await asyncio.open_connection(sock=accepted, limit=CHUNK_IN)
            reached = reached_address(accepted.getsockname()[0])
            meter = ByteLimiter(self.config.flood_seconds)
            refusal = self.admission.refusal(peer[0])
            auth = Auth(self, Ends(peer[0], reached), meter, refusal)
            self.admission.can_evict(peer, PendingLogin(auth, meter, writer.transport))
            await self._relay(Relay(reader, writer, meter), auth)
        finally:
            self.admission.end(peer)

    async def _relay(self, relay: Relay, auth: Auth) -> None:
        async def serve(end: socket.socket) -> None:
            try:
                connection = await asyncssh.run_server(
                    end,
                    options=self._options,
                    server_factory=lambda: auth,
                    server_host_keys=[HostKey(self._key_pair)],
                )
            except Exception as error:  # noqa: BLE001, whatever nonsense may end in
                log.debug("ssh: %s did not log in: %s", auth.address, error)
            else:
                await connection.wait_closed()

        await relay.run(serve, auth)

    async def _leave(self) -> None:
        """Close the listening sockets and end the sessions, which tell their players."""
        for listener in self._listeners:
            await listener.close()
        running = list(self._sessions.items())
        await asyncio.gather(*(session.close() for _, session in running))
        await asyncio.gather(*(task for task, _ in running), return_exceptions=True)
        for connection in list(self.connections):
            connection.close()
        relays = set[asyncio.Task[None]]().union(*(each.connecting for each in self._listeners))
        if relays:
            await asyncio.wait(relays, timeout=2 * LAST_WORDS_SECONDS)

    def is_listed(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Whether the host lists this key. The file is read each time, so that changes take effect at once."""
        if self.config.keys is None:
            return False
        try:
            listed = allowed_keys(self.config.keys)
        except BadFile as error:
            log.error("nobody is let in by key: %s", error)
            return False
        return listed.validate(key, address, address) is not None

    def take_in(self, session: SshSession) -> None:
        task = asyncio.create_task(session.run())
        self._sessions[task] = session
        task.add_done_callback(self._let_go)

    def _let_go(self, task: asyncio.Task[None]) -> None:
        del self._sessions[task]
        if not task.cancelled() and task.exception() is not None:
            log.error("a session over ssh broke down", exc_info=task.exception())
