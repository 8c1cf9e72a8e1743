"""A connection between two nodes: who is at the other end, frames, heartbeats, and no more unsent than there may be.

A frame is the length of a message in four bytes, and the message. Frames of one turn of the loop are written together.
"""

import asyncio
import hmac
import logging
import secrets
import ssl
from collections.abc import Callable
from typing import Protocol, cast

import msgspec

from diadem_server.cluster.certificate import fingerprint, proof
from diadem_server.cluster.messages import (
    LINK_VERSION,
    Agreed,
    AnyMessage,
    Beat,
    Challenge,
    Message,
    Proof,
    Removed,
    decode,
    encode,
)
from diadem_shared.protocol import MAX_MESSAGE

log = logging.getLogger(__name__)

BEAT_SECONDS = 1.0
DEAD_SECONDS = 5.0
"""Without a word, after which a link is cut."""
GREETING_SECONDS = 5.0
"""In which the other end has to show who it is."""
NONCE_BYTES = 32
HEAD = 4
"""Bytes of a length."""
LONGEST_GREETING = 256
LONGEST_FRAME = MAX_MESSAGE + 64 * 1024
"""Bytes: the largest message to a client, and what belongs to it."""
READ = 64 * 1024
"""Bytes read at once, which are done in some milliseconds."""
HIGH_WATER = 1024 * 1024
"""Bytes that wait to be sent, from which on all is slowed that brings more."""
MOST_UNSENT = 2 * LONGEST_FRAME
"""Bytes beyond which a link is cut."""


class Untrusted(Exception):
    """Whoever is at the other end does not say what a node says."""


class OtherVersion(Untrusted):
    """It is a node, with which no link can be made."""


OTHER_VERSION = (
    "node %d speaks version %d of links, this node %d: players here cannot come to its tables, nor those there to ours,"
    " until all servers have the same version of Diadem"
)


class User(Protocol):
    """What is done with a link that is made."""

    def made(self, link: "Link") -> None: ...
    def receive(self, link: "Link", message: AnyMessage) -> None: ...
    def slowed(self, link: "Link") -> None:
        """Its other end reads too slowly, or does so no longer."""

    def lost(self, link: "Link") -> None:
        """It was made before, or not."""


class Link(asyncio.BufferedProtocol):
    transport: asyncio.Transport
    peer: int = 0
    """The number of the node at the other end; 0 until that is known."""

    def __init__(self, user: User, node: int, secret: bytes) -> None:
        self.node = node
        self.is_slow = False
        self._secret = secret
        self._user = user
        self._loop = asyncio.get_running_loop()
        self.is_made = False
        self.is_of_other_version = False
        """The node at the other end; no link can be made."""
        self.greeted: asyncio.Future[None] = self._loop.create_future()
        """Done once the link is made, or gone."""
        self.gone: asyncio.Future[None] = self._loop.create_future()
        self._buffer = memoryview(bytearray(READ))
        self._unread = bytearray()
        self._gathered: list[bytes] = []
        self._size = 0
        """Bytes of what is gathered."""
        self._timer: asyncio.TimerHandle | None = None
        """Of the greeting, then of heartbeats."""
        self._heard = 0.0
        """When there was a word last."""

    # The transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.set_write_buffer_limits(HIGH_WATER)
        self._timer = self._loop.call_later(GREETING_SECONDS, self._distrust, "it says nothing")

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._heard = self._loop.time()
        self._unread += self._buffer[:nbytes]
        try:
            self._read()
        except OtherVersion as error:
            self.is_of_other_version = True
            log.warning("%s", error)
            self._flush()
            self.transport.close()
        except (Untrusted, msgspec.MsgspecError, ValueError) as error:
            self._distrust(str(error))

    def _read(self) -> None:
        at, end = 0, len(self._unread)
        while end - at >= HEAD and not self.transport.is_closing():
            size = int.from_bytes(self._unread[at : at + HEAD])
            if size > (LONGEST_FRAME if self.is_made else LONGEST_GREETING):
                raise Untrusted("a frame is too long")
            if end - at - HEAD < size:
                break
            at += HEAD + size
            message = decode(memoryview(self._unread)[at - size : at])
            if self.is_made:
                self._take(message)
            else:
                self.greet(message)
        del self._unread[:at]

    def _take(self, message: AnyMessage) -> None:
        if isinstance(message, Challenge | Proof | Agreed):
            raise Untrusted("it greets again")
        if not isinstance(message, Beat):
            self._user.receive(self, message)

    def pause_writing(self) -> None:
        self.is_slow = True
        self._user.slowed(self)

    def resume_writing(self) -> None:
        self.is_slow = False
        self._user.slowed(self)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for each in (self.greeted, self.gone):
            if not each.done():
                each.set_result(None)
        self._user.lost(self)

    # The greeting

    def greet(self, message: AnyMessage) -> None:
        """What comes before the link is made; raises Untrusted."""
        raise NotImplementedError

    def _compare(self, version: int) -> None:
        if version != LINK_VERSION:
            raise OtherVersion(OTHER_VERSION % (self.peer, version, LINK_VERSION))

    def _make(self) -> None:
        self.is_made = True
        self._heard = self._loop.time()
        if self._timer is not None:
            self._timer.cancel()
        self.greeted.set_result(None)
        self._beat()
        self._user.made(self)

    def _distrust(self, why: str) -> None:
        """Nothing is said of why: it may be anybody."""
        level = logging.WARNING if self.is_made else logging.INFO
        log.log(level, "a link to node %s is cut: %s", self.peer or "?", why)
        self.cut()

    # Writing

    def send(self, message: Message) -> None:
        if self.transport.is_closing():
            return
        frame = encode(message)
        if not self._gathered:
            self._loop.call_soon(self._flush)
        self._gathered += (len(frame).to_bytes(HEAD), frame)
        self._size += HEAD + len(frame)
        if self._size + self.transport.get_write_buffer_size() > MOST_UNSENT:
            self._distrust("it does not read")

    def _flush(self) -> None:
        gathered, self._gathered, self._size = self._gathered, [], 0
        if gathered and not self.transport.is_closing():
            self.transport.write(b"".join(gathered))

    def _beat(self) -> None:
        if self._loop.time() - self._heard >= DEAD_SECONDS:
            self._distrust("it is silent")
            return
        self.send(Beat())
        self._timer = self._loop.call_later(BEAT_SECONDS, self._beat)

    def dismiss(self) -> None:
        """The other end is no node any more: tell it, and hang up."""
        self.send(Removed())
        self._flush()
        self.transport.close()

    def cut(self) -> None:
        self.transport.abort()


class Dialled(Link):
    """The end of the node that was dialled."""

    def __init__(
        self,
        user: User,
        node: int,
        secret: bytes,
        own_fingerprint: str,
        may_dial: Callable[[int], bool],
    ) -> None:
        """`may_dial`: which nodes are in the register, and have to dial this one."""
        super().__init__(user, node, secret)
        self._own_fingerprint = own_fingerprint
        self._may_dial = may_dial
        self._nonce = secrets.token_bytes(NONCE_BYTES)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.send(Challenge(self._nonce, LINK_VERSION))

    def greet(self, message: AnyMessage) -> None:
        if not isinstance(message, Proof):
            raise Untrusted("it proves nothing")
        wanted = proof(self._secret, message.dialler, self.node, self._nonce, self._own_fingerprint)
        if not hmac.compare_digest(message.proof, wanted):
            raise Untrusted("it does not know the secret")
        if message.dialled != self.node or not self._may_dial(message.dialler):
            raise Untrusted(f"it says that it is node {message.dialler}")
        self.peer = message.dialler
        self._compare(message.version)
        self.send(Agreed())
        self._make()


class Dialling(Link):
    """The end of the node that has dialled."""

    def __init__(self, user: User, node: int, secret: bytes, peer: int, pinned: str) -> None:
        super().__init__(user, node, secret)
        self.peer = peer
        self._pinned = pinned

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        tls = transport.get_extra_info("ssl_object")
        assert isinstance(tls, ssl.SSLObject)  # noqa: S101, it is no other connection
        if fingerprint(tls.getpeercert(binary_form=True) or b"") != self._pinned:
            self._distrust("it has another certificate than the register says")

    def greet(self, message: AnyMessage) -> None:
        match message:
            case Challenge(nonce, version):
                mine = proof(self._secret, self.node, self.peer, nonce, self._pinned)
                self.send(Proof(self.node, self.peer, mine, LINK_VERSION))  # also to say which
                self._compare(version)
            case Agreed():
                self._make()
            case _:
                raise Untrusted("it does not greet")
