"""Whatever comes over a link between nodes, it is a message or cuts the link, and makes none without the secret."""

import asyncio
from functools import partial

from diadem_server.cluster.certificate import proof
from diadem_server.cluster.link import HEAD, LONGEST_FRAME, READ, Dialled, Link
from diadem_server.cluster.messages import (
    Agreed,
    AnyMessage,
    Beat,
    Challenge,
    ClientFrame,
    ClientGone,
    Counted,
    Lines,
    Message,
    Proof,
    ServerFrames,
    decode,
    encode,
)

INSTRUMENTED = ("diadem_server.cluster", "msgspec")
SECRET, FINGERPRINT = b"s" * 32, "f" * 64
DIALLER, DIALLED = 1, 2
STRANGER, NODE = b"\x00", b"\x01"
"""Who sends what follows: somebody who does not know the secret, or a node after its greeting."""


def framed(*messages: Message) -> bytes:
    frames = map(encode, messages)
    return b"".join(len(frame).to_bytes(HEAD) + frame for frame in frames)


SEEDS = [
    STRANGER + framed(Proof(DIALLER, DIALLED, b"p" * 32, 1)),
    STRANGER + framed(Challenge(b"n" * 32), Agreed(), Beat()),
    NODE + framed(Beat(), ClientFrame(1, b"\x81\xa1a\x01"), ClientFrame(1, "text"), ClientGone(1)),
    NODE + framed(ServerFrames(7, [b"a", b"b"]), Lines({"K7F3": None}, are_all=True)),
    NODE + framed(Counted("connections", {"192.0.2.1": 1.0}, {"192.0.2.1": 2})),
]


class Transport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.sent = b""
        self.is_cut = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Nothing is kept."""

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.is_cut

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += data

    def close(self) -> None:
        self.is_cut = True

    abort = close


class User:
    def __init__(self) -> None:
        self.heard: list[AnyMessage] = []

    def made(self, link: Link) -> None: ...
    def slowed(self, link: Link) -> None: ...
    def lost(self, link: Link) -> None: ...

    def receive(self, link: Link, message: AnyMessage) -> None:
        self.heard.append(message)


def one_input(data: bytes) -> None:
    asyncio.run(_follow(data[:1] == NODE, data[1:]))


async def _follow(is_node: bool, data: bytes) -> None:  # noqa: FBT001
    user, transport = User(), Transport()
    link = Dialled(user, DIALLED, SECRET, FINGERPRINT, partial(int.__eq__, DIALLER))
    link.connection_made(transport)
    await asyncio.sleep(0)
    challenge = decode(transport.sent[HEAD:])
    assert isinstance(challenge, Challenge)
    if is_node:
        mine = proof(SECRET, DIALLER, DIALLED, challenge.nonce, FINGERPRINT)
        _feed(link, framed(Proof(DIALLER, DIALLED, mine)))
    _feed(link, data)
    await asyncio.sleep(0)
    assert link.is_made is is_node, "nobody else is a node"
    assert is_node or not user.heard
    for message in user.heard:
        assert decode(encode(message)) == message
    link.connection_lost(None)


def _feed(link: Link, data: bytes) -> None:
    assert len(data) < min(READ, LONGEST_FRAME)
    if data and not link.transport.is_closing():
        link.get_buffer(-1)[: len(data)] = data
        link.buffer_updated(len(data))
