"""Conversations of clients whose lines are at this node, and that are held at others, each over a channel of a link.

The front passes on each message of a client as it is, and writes what the home of the conversation says. It knows no
command but what it takes to bring the conversation to where it is held next.
"""

import itertools
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from websockets.frames import CloseCode

from diadem_server.cluster.link import Link
from diadem_server.cluster.mesh import Mesh
from diadem_server.cluster.messages import (
    Abort,
    ClientFrame,
    ClientGone,
    End,
    Hold,
    HoldAck,
    Moved,
    Open,
    Opened,
    Pause,
    Release,
    Resume,
    ServerFrames,
    ToFront,
)
from diadem_server.limits.rate_limits import too_fast
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.connection import MOST_TRIES, Connection
from diadem_server.net.endpoint import ClientSocket
from diadem_server.net.handover import Handover
from diadem_server.net.interfaces import last_words
from diadem_server.net.outbox import Flusher, Outbox, Stream
from diadem_shared.protocol import Bye, pack


class ForwardingOutbox(Outbox):
    def __init__(self, stream: Stream, flusher: Flusher, follow: Callable[[], None]) -> None:
        """`follow` is called when it is paused, or goes on."""
        super().__init__(stream, flusher)
        self._follow = follow

    def pause(self) -> None:
        super().pause()
        self._follow()

    def resume(self) -> None:
        super().resume()
        self._follow()


class Home(NamedTuple):
    """Where a conversation is held."""

    link: Link
    channel: int
    forwarders: "dict[int, Forwarder]"
    """Of this link."""

    def leave(self) -> None:
        self.forwarders.pop(self.channel, None)
        self.link.send(ClientGone(self.channel))


class Forwarder:
    """The front's side of a conversation, in the place of a connection."""

    def __init__(self, front: ClientSocket, flusher: Flusher, leave: Callable[[], None]) -> None:
        """`leave` tells the home before this one that it is not needed any more."""
        self.front = front
        self.outbox: Outbox = ForwardingOutbox(front.websocket, flusher, self._follow)
        self.waiting: list[bytes | str] = []
        """What has come since nothing is to be forwarded: as much as two reads bring."""
        self._home: Home | None = None
        self._leave: Callable[[], None] | None = leave
        self._is_held = True
        """Nothing is forwarded before the home says so: it holds, and then releases."""

    # What the websocket tells

    def receive(self, message: bytes | str) -> None:
        if self._is_held or self._home is None:
            self.waiting.append(message)
        else:
            self._home.link.send(ClientFrame(self._home.channel, message))

    def flooded(self) -> None:
        refusal = too_fast(0)
        self.outbox.send(pack(Bye(refusal)))
        self.front.websocket.fail(CloseCode.POLICY_VIOLATION, refusal.code)

    def last_words(self, code: int) -> bytes | None:
        return last_words(code)

    def lost(self) -> None:
        self.outbox.close()
        self.left()
        if self._home is not None:
            self._home.leave()

    def _follow(self) -> None:
        if self._home is not None:
            kind = Pause if self.outbox.is_paused else Resume
            self._home.link.send(kind(self._home.channel))

    # Where it is held

    def open(self, home: Home, handover: Handover) -> None:
        self._home = home
        home.forwarders[home.channel] = self
        home.link.send(Open(home.channel, handover))
        if self.outbox.is_paused:
            self._follow()

    def move(self) -> None:
        """From this home to another, which is yet to be opened."""
        if self._home is not None:
            del self._home.forwarders[self._home.channel]
            self._leave, self._home = self._home.leave, None

    def left(self) -> None:
        """The conversation has come to another home, or is over."""
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    def hold(self, number: int) -> None:
        self._is_held = True
        self.follow()
        if self._home is not None:
            self._home.link.send(HoldAck(self._home.channel, number))

    def release(self) -> None:
        self._is_held = False
        waiting, self.waiting = self.waiting, []
        for message in waiting:
            self.receive(message)
        self.follow()

    def follow(self) -> None:
        """Read from the client, or not, as there is room."""
        if self._is_held or (self._home is not None and self._home.link.is_slow):
            self.front.websocket.backpressure.hold()
        else:
            self.front.websocket.backpressure.release()


class ForwardingToNodes:
    def __init__(self, lobby: Lobby, mesh: Mesh) -> None:
        self._lobby = lobby
        self._mesh = mesh
        self._flusher = Flusher()
        self._channels = itertools.count(1)
        self._forwarders: dict[Link, dict[int, Forwarder]] = {}
        mesh.watch(self)
        mesh.on(Opened, self._opened)
        mesh.on(ServerFrames, self._said)
        mesh.on(Hold, self._hold)
        mesh.on(Release, self._release)
        mesh.on(Moved, self._moved)
        mesh.on(End, self._end)
        mesh.on(Abort, self._cut)

    @property
    def forwarded(self) -> int:
        """How many conversations."""
        return sum(map(len, self._forwarders.values()))

    def forward(
        self, front: ClientSocket, connection: Connection, handover: Handover, node: int
    ) -> None:
        forwarder = Forwarder(front, self._flusher, connection.lost)
        front.websocket.go_on_with(forwarder)
        self._go_on(forwarder, handover, node)

    def _go_on(self, forwarder: Forwarder, handover: Handover, node: int) -> None:
        if handover.sought is not None and handover.tries > 1 and self._lobby.routing is not None:
            self._lobby.routing.forget(handover.sought)
        link = self._mesh.links.get(node)
        if link is None:
            if node != self._mesh.node:  # then it is refused here
                handover = msgspec.structs.replace(handover, tries=MOST_TRIES)
            self._hold_here(forwarder, handover)
            return
        forwarder.open(Home(link, next(self._channels), self._forwarders[link]), handover)

    def _hold_here(self, forwarder: Forwarder, handover: Handover) -> None:
        connection = forwarder.front.hold_here()
        forwarder.front.websocket.go_on_with(connection)
        connection.take_over(handover, None, forwarder.left)
        for message in forwarder.waiting:
            connection.receive(message)

    # What links tell

    def linked(self, link: Link) -> None:
        self._forwarders[link] = {}

    def slowed(self, link: Link) -> None:
        for forwarder in list(self._forwarders[link].values()):
            forwarder.follow()

    def unlinked(self, link: Link) -> None:
        """The home of these conversations is gone: the clients come back, and find another."""
        for forwarder in list(self._forwarders.pop(link).values()):
            forwarder.front.websocket.close(CloseCode.SERVICE_RESTART)

    def _of(self, link: Link, message: ToFront) -> Forwarder | None:
        """None if the client is gone."""
        return self._forwarders[link].get(message.channel)

    # What homes say

    def _opened(self, link: Link, message: Opened) -> None:
        if forwarder := self._of(link, message):
            forwarder.left()

    def _said(self, link: Link, message: ServerFrames) -> None:
        if forwarder := self._of(link, message):
            for each in message.messages:
                forwarder.outbox.send(each)

    def _hold(self, link: Link, message: Hold) -> None:
        if forwarder := self._of(link, message):
            forwarder.hold(message.number)

    def _release(self, link: Link, message: Release) -> None:
        if forwarder := self._of(link, message):
            forwarder.release()

    def _moved(self, link: Link, message: Moved) -> None:
        if forwarder := self._of(link, message):
            forwarder.move()
            self._go_on(forwarder, message.handover, message.node)

    def _end(self, link: Link, message: End) -> None:
        if forwarder := self._of(link, message):
            websocket = forwarder.front.websocket
            end = websocket.fail if message.has_failed else websocket.close
            end(message.code, message.reason)

    def _cut(self, link: Link, message: Abort) -> None:
        if forwarder := self._of(link, message):
            forwarder.front.websocket.abort()
