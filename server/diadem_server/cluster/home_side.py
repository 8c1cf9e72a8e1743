"""Conversations that are held at this node with clients whose lines are at others: each is a channel of a link."""

import asyncio
from collections.abc import Sequence
from functools import partial

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
)
from diadem_server.lobby.lobby import Lobby
from diadem_server.net.connection import Connection
from diadem_server.net.handover import Handover
from diadem_server.net.http import ClientOrigin
from diadem_server.net.outbox import Flusher


class RemoteBackpressure:
    """On a client whose line is at another node."""

    def __init__(self, link: Link, channel: int) -> None:
        self._link = link
        self._channel = channel
        self._holds = 0
        """How often it was held."""
        self._held: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once nothing comes any more, after it was held."""

    def hold(self) -> None:
        self._holds += 1
        self._held = asyncio.get_running_loop().create_future()
        self._link.send(Hold(self._channel, self._holds))

    def release(self) -> None:
        self._link.send(Release(self._channel))

    async def held(self) -> None:
        await self._held

    def has_held(self, number: int) -> None:
        if number == self._holds and not self._held.done():
            self._held.set_result(None)

    def stop(self) -> None:
        """The line is gone."""
        self.has_held(self._holds)


class RemoteStream:
    def __init__(self, link: Link, channel: int) -> None:
        self.backpressure = RemoteBackpressure(link, channel)
        self.connection: Connection
        self.is_slow = False
        """The client reads too slowly."""
        self._link = link
        self._channel = channel

    @property
    def unsent(self) -> int:
        """What the link has taken is its own to count, and the front's."""
        return 0

    def write(self, messages: Sequence[bytes]) -> None:
        self._link.send(ServerFrames(self._channel, list(messages)))

    def close(self, code: int, reason: str) -> None:
        self._end(code, reason, has_failed=False)

    def fail(self, code: int, reason: str) -> None:
        self._end(code, reason, has_failed=True)

    def _end(self, code: int, reason: str, *, has_failed: bool) -> None:
        if said := self.connection.outbox.take():
            self.write(said)
        self._link.send(End(self._channel, code, reason, has_failed))

    def abort(self) -> None:
        self._link.send(Abort(self._channel))

    def moved(self, handover: Handover, node: int) -> None:
        if said := self.connection.outbox.take():
            self.write(said)
        self._link.send(Moved(self._channel, node, handover))

    def follow(self) -> None:
        """Send, or keep what waits, as there is room."""
        if self.is_slow or self._link.is_slow:
            self.connection.outbox.pause()
        else:
            self.connection.outbox.resume()


class Channels:
    def __init__(self, lobby: Lobby, mesh: Mesh) -> None:
        self._lobby = lobby
        self._flusher = Flusher()
        self._work: set[asyncio.Task[None]] = set()
        """What connections have begun, and what takes a while."""
        self._streams: dict[Link, dict[int, RemoteStream]] = {}
        self._are_gone = asyncio.Event()
        """None is held."""
        self._are_gone.set()
        mesh.watch(self)
        mesh.on(Open, self._open)
        mesh.on(ClientFrame, self._heard)
        mesh.on(HoldAck, self._held)
        mesh.on(Pause, self._pause)
        mesh.on(Resume, self._resume)
        mesh.on(ClientGone, self._lost)

    @property
    def held(self) -> int:
        """How many conversations."""
        return sum(map(len, self._streams.values()))

    async def gone(self) -> None:
        """Returns once none is held, as all have moved to other nodes or have ended."""
        await self._are_gone.wait()

    def _has_gone(self) -> None:
        if not self.held:
            self._are_gone.set()

    def linked(self, link: Link) -> None:
        self._streams[link] = {}

    def slowed(self, link: Link) -> None:
        for stream in list(self._streams[link].values()):
            stream.follow()

    def unlinked(self, link: Link) -> None:
        """The fronts of these conversations are gone, and so are their clients, as far as this node can tell."""
        for stream in self._streams.pop(link).values():
            self._end(stream)
        self._has_gone()

    def _end(self, stream: RemoteStream) -> None:
        stream.connection.lost()
        stream.backpressure.stop()

    def _of(
        self, link: Link, message: ClientFrame | HoldAck | Pause | Resume | ClientGone
    ) -> RemoteStream | None:
        """None if it was cut meanwhile."""
        return self._streams[link].get(message.channel)

    # What fronts say

    def _open(self, link: Link, message: Open) -> None:
        stream = RemoteStream(link, message.channel)
        self._streams[link][message.channel] = stream
        self._are_gone.clear()
        client = ClientOrigin(message.handover.prefix, counts_for="")
        stream.connection = Connection(
            *(self._lobby, stream, client, self._flusher, self._work), partial(self._move, stream)
        )
        stream.connection.take_over(
            message.handover, link.peer, lambda: link.send(Opened(message.channel))
        )
        stream.follow()

    def _move(
        self, stream: RemoteStream, connection: Connection, handover: Handover, node: int
    ) -> None:
        stream.moved(handover, node)

    def _heard(self, link: Link, message: ClientFrame) -> None:
        if stream := self._of(link, message):
            stream.connection.receive(message.message)

    def _held(self, link: Link, message: HoldAck) -> None:
        if stream := self._of(link, message):
            stream.backpressure.has_held(message.number)

    def _pause(self, link: Link, message: Pause) -> None:
        if stream := self._of(link, message):
            stream.is_slow = True
            stream.follow()

    def _resume(self, link: Link, message: Resume) -> None:
        if stream := self._of(link, message):
            stream.is_slow = False
            stream.follow()

    def _lost(self, link: Link, message: ClientGone) -> None:
        if stream := self._streams[link].pop(message.channel, None):
            self._end(stream)
            self._has_gone()
