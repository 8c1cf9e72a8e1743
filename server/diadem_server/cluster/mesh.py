"""The links of a node: one with each other node of the register. Of two, the one with the lower number dials."""

import asyncio
import logging
import random
import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from diadem_server.cluster.certificate import Certificate, dialler_context
from diadem_server.cluster.link import GREETING_SECONDS, Dialled, Dialling, Link
from diadem_server.cluster.messages import AnyMessage, Message
from diadem_server.net.listener import Listener
from diadem_server.net.listener import Peer as Address

log = logging.getLogger(__name__)

SHORTEST_BACKOFF, LONGEST_BACKOFF = 0.1, 2.0
"""Seconds between attempts to dial a node; each waits up to twice as long as the one before."""
OTHER_VERSION_SECONDS = 60.0
"""The same for a node of another version."""
MOST_GREETING = 64
"""Connections that have yet to show that they come from a node."""

M = TypeVar("M", bound=Message)


class Peer(NamedTuple):
    """Another node, as the register has it."""

    address: str
    """HOST:PORT."""
    fingerprint: str
    """Of its certificate."""


class Watcher(Protocol):
    """Is told of all links."""

    def linked(self, link: Link) -> None: ...
    def slowed(self, link: Link) -> None: ...
    def unlinked(self, link: Link) -> None: ...


class Mesh:
    def __init__(self, node: int, secret: bytes, certificate: Certificate) -> None:
        self.node = node
        self.links: dict[int, Link] = {}
        """Those that can be used, by the number of the other node."""
        self._secret = secret
        self._certificate = certificate
        self._context = dialler_context()
        self._peers: Mapping[int, Peer] = {}
        self._dialling: dict[int, asyncio.Task[None]] = {}
        self._listeners: list[Listener] = []
        self._greeting = 0
        """Connections that are no links yet."""
        self._receivers: dict[type[Message], Callable[[Link, Any], None]] = {}
        self._watchers: list[Watcher] = []
        self.lost_a_link: Callable[[], None] = lambda: None
        """Called when the node at its other end may be gone."""
        self._is_closed = False

    # What is done with links

    def on(self, kind: type[M], receive: Callable[[Link, M], None]) -> None:
        """Call this with each message of a kind."""
        self._receivers[kind] = receive

    def watch(self, watcher: Watcher) -> None:
        self._watchers.append(watcher)

    def send_to_all(self, message: Message) -> None:
        for link in self.links.values():
            link.send(message)

    # The register

    def accept(self, opened: socket.socket) -> None:
        """Where others dial; it listens already."""
        self._listeners.append(Listener(opened, self._may_greet, self._greet))

    def update(self, peers: Mapping[int, Peer]) -> None:
        """The register as it is now; this node may be among them."""
        self._peers = peers
        for number, link in list(self.links.items()):
            if number not in peers:
                self.lost(link)
                link.dismiss()
        for number, task in list(self._dialling.items()):
            if number not in peers:
                task.cancel()
        for number in peers:
            if number > self.node and number not in self._dialling:
                task = asyncio.create_task(self._keep_linked(number), name=f"link {number}")
                self._dialling[number] = task
                task.add_done_callback(partial(self._dials_no_more, number))

    def _dials_no_more(self, number: int, _: "asyncio.Task[None]") -> None:
        del self._dialling[number]

    async def close(self) -> None:
        self._is_closed = True
        for listener in self._listeners:
            await listener.close()
        greeting = [task for listener in self._listeners for task in listener.connecting]
        tasks = [*self._dialling.values(), *greeting]
        for each in tasks:
            each.cancel()
        if tasks:
            await asyncio.wait(tasks)
        for link in list(self.links.values()):
            link.cut()

    # Dialling

    async def _keep_linked(self, number: int) -> None:
        """Until the node is not in the register any more."""
        pause = SHORTEST_BACKOFF
        while True:
            try:
                async with asyncio.timeout(2 * GREETING_SECONDS):
                    link = await self._dial(number, self._peers[number])
                try:
                    await link.gone
                finally:
                    link.cut()
                if link.is_made:
                    pause = SHORTEST_BACKOFF
                elif link.is_of_other_version:
                    await asyncio.sleep(OTHER_VERSION_SECONDS)
            except (OSError, ValueError) as error:
                log.info("node %d is not reached: %s", number, str(error) or "it does not answer")
            await asyncio.sleep(random.uniform(0.5, 1.0) * pause)
            pause = min(2 * pause, LONGEST_BACKOFF)

    async def _dial(self, number: int, peer: Peer) -> Link:
        host, _, port = peer.address.rpartition(":")
        _, link = await asyncio.get_running_loop().create_connection(
            lambda: Dialling(self, self.node, self._secret, number, peer.fingerprint),
            host.strip("[]"),
            int(port),
            ssl=self._context,
            ssl_handshake_timeout=GREETING_SECONDS,
        )
        return link

    # Dialled

    def _may_greet(self, _: Address) -> bool:
        return self._greeting < MOST_GREETING

    async def _greet(self, accepted: socket.socket, address: Address | None) -> None:
        self._greeting += 1
        try:
            _, link = await asyncio.get_running_loop().connect_accepted_socket(
                self._dialled,
                accepted,
                ssl=self._certificate.context,
                ssl_handshake_timeout=GREETING_SECONDS,
            )
            try:
                await link.greeted
            finally:
                if not link.is_made:
                    link.cut()
        except OSError as error:
            log.debug("a link from %s was not made: %s", address, error)
        finally:
            self._greeting -= 1

    def _dialled(self) -> Dialled:
        own = self._certificate.fingerprint
        return Dialled(self, self.node, self._secret, own, self._may_dial)

    def _may_dial(self, number: int) -> bool:
        return number in self._peers and number < self.node

    # What links tell

    def made(self, link: Link) -> None:
        """The other node may have found a link lost that seems to live here: the newest is used."""
        if (older := self.links.get(link.peer)) is not None:
            self.lost(older)
            older.cut()
        if self._is_closed or link.peer not in self._peers:
            link.cut()
            return
        log.info("linked with node %d", link.peer)
        self.links[link.peer] = link
        for each in self._watchers:
            each.linked(link)

    def receive(self, link: Link, message: AnyMessage) -> None:
        if self.links.get(link.peer) is link:
            self._receivers[type(message)](link, message)

    def slowed(self, link: Link) -> None:
        if self.links.get(link.peer) is link:
            for each in self._watchers:
                each.slowed(link)

    def lost(self, link: Link) -> None:
        if self.links.get(link.peer) is link:
            del self.links[link.peer]
            log.warning("the link with node %d is lost", link.peer)
            for each in self._watchers:
                each.unlinked(link)
            self.lost_a_link()
