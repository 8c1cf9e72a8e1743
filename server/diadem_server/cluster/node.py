"""One server of a cluster: it joins the register, has its share of the tables, and gives them away when it is told to end.

A node that is fenced is none any more: it drops its tables, sends its clients away to come again, and joins anew.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from websockets.frames import CloseCode

from diadem_server import VERSION
from diadem_server.app import App
from diadem_server.cluster.certificate import make_certificate
from diadem_server.cluster.draining import Draining
from diadem_server.cluster.journal import CANNOT_BE_USED, PostgresJournal
from diadem_server.cluster.membership import BEAT_SECONDS, DEAD_SECONDS, Membership
from diadem_server.cluster.mesh import Mesh, Peer
from diadem_server.cluster.messages import Removed
from diadem_server.cluster.node_services import Conversations
from diadem_server.cluster.ownership import Ownership
from diadem_server.cluster.rebalancing import Rebalancing
from diadem_server.cluster.registry import PostgresRegistry
from diadem_server.cluster.schema import LINK_KEY
from diadem_server.cluster.sessions import SharedSessions
from diadem_server.cluster.transfer import Transfer
from diadem_server.cluster.writer import Connection, Introduction
from diadem_server.config import ClusterConfig, Config
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.listener import open_sockets, port_of
from diadem_server.options import split_host_port
from diadem_server.storage.journal import JournalUnavailable
from diadem_shared.protocol import Bye, pack
from diadem_shared.refusals import Code, Refusal

log = logging.getLogger(__name__)

JOIN_SECONDS = 10.0
"""For which a node waits to see itself in the register."""
ISOLATED_SECONDS = 2 * DEAD_SECONDS
"""Without database and without links, after which a node counts itself as fenced."""
UNSURE_SECONDS = 5.0
"""For which players wait for a commit whose outcome is not known."""
AGAIN_SECONDS = 1.0
"""Between attempts to join anew."""
END_SECONDS = 6.0
"""After which a node that is told to end waits for nothing any more: longer than draining takes, and shorter than the ten seconds
after which a container is killed."""


class Node:
    """From when it joins the register until it is fenced, or told to end. `async with Node(config) as node:` runs it."""

    def __init__(self, config: Config, cluster: ClusterConfig) -> None:
        self.fenced = asyncio.Event()
        self.journal = PostgresJournal(cluster.database, self._introduce, self.fenced.set)
        self._cluster = cluster
        self._certificate = make_certificate()
        self._link_key = b""
        self._sockets: list[socket.socket] = []
        """Where other nodes dial."""
        self.registry = PostgresRegistry(self.journal)
        sessions = SharedSessions(self.journal, config.now)
        self.lobby = Lobby(config, self.journal, self.registry, sessions)
        self.app = App(config, lobby=self.lobby, begin=self._begin)
        self.membership: Membership
        self.ownership: Ownership
        self.mesh: Mesh | None = None
        self._conversations: Conversations | None = None
        self._joining = asyncio.timeout(None)
        self._is_member = asyncio.Event()
        self._heartbeat: asyncio.Task[None] | None = None
        self._working: list[asyncio.Task[None]] = []
        """What goes on until it ends."""
        self._transfer: Transfer
        self._draining: Draining | None = None
        self._sending: asyncio.Task[None] | None = None
        """Sends the clients to other nodes, while gates are closed."""
        self._has_given_up = False
        self._is_abandoned = False

    async def __aenter__(self) -> "Node":
        try:
            async with self._joining:
                await self.app.__aenter__()
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.fenced.is_set():
            await self.abandon()
        elif self._sending is not None:
            await asyncio.wait({self._sending})
        for task in self._working:
            await _stopped(task)
        await self.app.__aexit__()
        if self._draining is not None:
            await self._draining.close()
        await self._leave()

    async def _leave(self) -> None:
        if self.mesh is not None:
            await self.mesh.close()
        for each in self._sockets:
            each.close()
        await _stopped(self._heartbeat)

    async def _introduce(self, connection: Connection) -> Introduction:
        """As others find it: at the address from which it reaches the database, if the host has named no other."""
        self._link_key = await connection.fetchval(LINK_KEY)
        own = await connection.fetchval("SELECT host(inet_client_addr())") or "127.0.0.1"
        host, port = split_host_port(self._cluster.listen) if self._cluster.listen else (own, 0)
        try:
            self._sockets = await open_sockets(host, port)
        except OSError as error:
            raise JournalUnavailable(
                f"other nodes cannot dial {host}:{port} (--cluster-listen): {error.strerror}"
            ) from None
        named = f"[{host}]" if ":" in host else host
        address = self._cluster.address or f"{named}:{port_of(self._sockets[0])}"
        return Introduction(address, VERSION, self._certificate.fingerprint)

    async def _begin(self, lobby: Lobby) -> None:
        """Before anybody is let in."""
        self.membership = Membership(
            self.journal.connect,
            self.journal.node,
            fenced=self.fenced.set,
            changed=self._register_changed,
        )
        self.journal.heartbeat = self.membership
        self.ownership = Ownership(lobby, self.journal, self.membership)
        lobby.routing = self.ownership
        self._transfer = Transfer(lobby, self.journal, self.ownership)
        mesh = self.mesh = Mesh(self.journal.node, self._link_key, self._certificate)
        conversations = self._conversations = Conversations(
            lobby, self.app.admission, self.registry, mesh
        )
        self.app.forwarding = conversations.forwarding
        self.app.gate_limits = conversations.gate_limits
        self.ownership.is_reached = lambda node: node in mesh.links
        mesh.lost_a_link = self.membership.look
        mesh.on(Removed, lambda _link, _message: self.fenced.set())
        for each in self._sockets:
            mesh.accept(each)
        self._heartbeat = asyncio.create_task(self.membership.run(), name="heartbeat")
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                await self._is_member.wait()
        except TimeoutError:
            raise JournalUnavailable(f"{CANNOT_BE_USED}: it does not answer") from None
        log.info("this is node %d of %d", self.journal.node, len(self.membership.nodes))
        rebalancing = Rebalancing(
            self.journal.node,
            lobby.tables,
            self.ownership.shares,
            self._transfer.give_between_turns,
            self.ownership.look,
        )
        work = (
            self.ownership.run(),
            rebalancing.run(),
            self._notice_isolation(mesh),
            self._notice_unsure_commits(),
            conversations.keep_ending_replaced(),
        )
        self._working = [asyncio.create_task(each) for each in work]

    def _register_changed(self) -> None:
        self._is_member.set()
        self.ownership.look()
        if self.mesh is not None:
            nodes = self.membership.nodes.values()
            self.mesh.update({node.id: Peer(node.address, node.fingerprint) for node in nodes})

    async def _notice_isolation(self, mesh: Mesh) -> None:
        """A node that reaches neither the database nor another node is fenced by now, if any other is alive: its
        players see what is no longer true. Where the others are reached, they say so."""
        loop = asyncio.get_running_loop()
        reached = loop.time()
        while True:
            others = self.membership.nodes.keys() - {self.journal.node}
            if self.membership.trouble is None or mesh.links or not others:
                reached = loop.time()
            elif loop.time() - reached >= ISOLATED_SECONDS:
                log.error("node %d reaches nobody", self.journal.node)
                self.fenced.set()
                return
            await asyncio.sleep(BEAT_SECONDS)

    async def _notice_unsure_commits(self) -> None:
        """Nobody knows whether that was done whose commit is not answered: whoever waits for it comes again, sees that
        nothing can be written, and is answered once it is known."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if self.journal.unsure_for < UNSURE_SECONDS:
                continue
            for session in list(self.lobby.sessions):
                if session.answers.is_busy and session.outbox is not None:
                    session.outbox.send(pack(Bye(Refusal(Code.JOURNAL_UNAVAILABLE))))
                    session.outbox.disconnect(CloseCode.TRY_AGAIN_LATER, "")

    # The end

    async def abandon(self) -> None:
        """What others have by now: all tables, and their players. At once: what has been asked of the database may not
        be answered for long."""
        if self._is_abandoned:
            return
        self._is_abandoned = True
        log.error("node %d is fenced: its tables go on at other nodes", self.journal.node)
        if self._draining is not None:
            self._draining.stop()
        for task in (*self._working, *filter(None, [self._sending])):
            task.cancel()
        await self.app.close_lines()
        self.lobby.abandon()
        if self.mesh is not None:
            await self.mesh.close()

    async def drain(self) -> None:
        """Give all tables to other nodes, then begin to send the clients there. If there is no other, nothing is done."""
        if self._conversations is None:
            return
        self._draining = Draining(
            self.app, self.journal, self.ownership, self._transfer, self._conversations
        )
        await self._draining.give_tables_away()
        if not self._has_given_up:
            self._sending = asyncio.create_task(self._draining.send_clients_away())

    async def give_up(self) -> None:
        """Close all lines at once, and end without the database where it does not answer."""
        if not self._is_member.is_set():
            self._joining.reschedule(asyncio.get_running_loop().time())
            return
        self._has_given_up = True
        if self._draining is not None:
            self._draining.stop()
        if self._sending is not None:
            self._sending.cancel()
        while self.journal.trouble is None:  # noqa: ASYNC110, it may come at any time until all is closed
            await asyncio.sleep(BEAT_SECONDS)
        log.error("ending without the database: %s", self.journal.trouble)
        self.journal.give_up()


async def _stopped(task: "asyncio.Task[None] | None") -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait({task})


async def run(
    config: Config,
    cluster: ClusterConfig,
    opened: Callable[[App], AbstractAsyncContextManager[None]],
    told_to_end: asyncio.Event,
    told_again: asyncio.Event,
) -> None:
    """Be a node until told to end; whenever it is fenced, be another one. `opened` runs what belongs to a server.

    Once it is told to end it waits for the database, and for clients to go, for some seconds, or until it is told again.
    """
    is_first = True
    while not told_to_end.is_set():
        node = Node(config, cluster)
        limit = asyncio.create_task(_end_in_time(node, told_to_end, told_again))
        try:
            async with node, opened(node.app):
                is_first = False
                config = replace(config, port=node.app.port)
                if await _first_of(told_to_end, node.fenced) is told_to_end:
                    await _drain(node)
                if node.fenced.is_set():
                    await node.abandon()  # before gates are closed, which takes a while
        except (JournalUnavailable, OSError) as error:
            if is_first and not told_to_end.is_set():
                raise
            log.error("this server cannot join the others again: %s", error)
            await _first_of(told_to_end, seconds=AGAIN_SECONDS)
        finally:
            await _stopped(limit)


async def _end_in_time(node: Node, told_to_end: asyncio.Event, told_again: asyncio.Event) -> None:
    await told_to_end.wait()
    await _first_of(told_again, seconds=END_SECONDS)
    await node.give_up()


async def _drain(node: Node) -> None:
    """Unless it is fenced meanwhile."""
    log.info("closing, once other nodes have the tables")
    draining = asyncio.create_task(node.drain())
    fenced = asyncio.create_task(node.fenced.wait())
    await asyncio.wait({draining, fenced}, return_when=asyncio.FIRST_COMPLETED)
    for task in (draining, fenced):
        task.cancel()
    await asyncio.wait({draining, fenced})
    if not draining.cancelled():
        draining.result()


async def _first_of(*events: asyncio.Event, seconds: float | None = None) -> asyncio.Event | None:
    """The first of these that is set; None after so many seconds."""
    waiting = [asyncio.create_task(each.wait()) for each in events]
    await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return next((each for each in events if each.is_set()), None)
