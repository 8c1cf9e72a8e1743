"""Who is not a node gets nothing from a link, and a link that goes wrong is cut."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from diadem_server.cluster import link as links
from diadem_server.cluster import mesh as meshes
from diadem_server.cluster.certificate import Certificate, dialler_context, make_certificate, proof
from diadem_server.cluster.link import HEAD, LONGEST_FRAME, LONGEST_GREETING, Link
from diadem_server.cluster.mesh import Mesh, Peer
from diadem_server.cluster.messages import (
    LINK_VERSION,
    Agreed,
    Beat,
    Challenge,
    Lines,
    Message,
    Proof,
    decode,
    encode,
)
from diadem_server.net.listener import open_sockets, port_of
from tests.patience import PATIENCE
from tests.server import Time
from tests.server.cluster.nodes import SECRET, until

CERTIFICATE = make_certificate()
DIALLER, DIALLED = 1, 2
SAID = (
    1,
    {
        "Challenge": (1, "nonce", "version"),
        "Proof": (2, "dialler", "dialled", "proof", "version"),
        "Agreed": (3,),
        "Beat": (4,),
        "Removed": (5,),
        "Open": (10, "channel", "handover"),
        "ClientFrame": (11, "channel", "message"),
        "HoldAck": (12, "channel", "number"),
        "Pause": (13, "channel"),
        "Resume": (14, "channel"),
        "ClientGone": (15, "channel"),
        "Opened": (20, "channel"),
        "ServerFrames": (21, "channel", "messages"),
        "Hold": (22, "channel", "number"),
        "Release": (23, "channel"),
        "Moved": (24, "channel", "node", "handover"),
        "End": (25, "channel", "code", "reason", "has_failed"),
        "Abort": (26, "channel"),
        "Lines": (30, "lines", "are_all"),
        "Replaced": (31, "session", "connection"),
        "Counted": (32, "name", "used", "counts"),
    },
)
"""The version of links, and by their names the messages: the tag, and the fields in their order."""


class Ends:
    """Keeps what a mesh tells of its links."""

    def __init__(self) -> None:
        self.links: list[Link] = []
        self.lost: list[Link] = []
        self.heard: list[Any] = []
        self.slow: list[bool] = []

    def linked(self, link: Link) -> None:
        self.links.append(link)

    def slowed(self, link: Link) -> None:
        self.slow.append(link.is_slow)

    def unlinked(self, link: Link) -> None:
        self.lost.append(link)


class Dialled:
    """A node that is dialled."""

    def __init__(self, mesh: Mesh, port: int) -> None:
        self.mesh = mesh
        self.port = port
        self.ends = Ends()
        mesh.watch(self.ends)
        mesh.on(Lines, lambda _, message: self.ends.heard.append(message))


@pytest.fixture
async def dialled() -> AsyncIterator[Dialled]:
    mesh = Mesh(DIALLED, SECRET, CERTIFICATE)
    (opened,) = await open_sockets("127.0.0.1", 0)
    mesh.accept(opened)
    mesh.update({DIALLER: Peer("127.0.0.1:1", "")})
    yield Dialled(mesh, port_of(opened))
    await mesh.close()


class Stranger:
    """Somebody who has found the port."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    async def hear(self) -> Any:
        size = int.from_bytes(await self._reader.readexactly(HEAD))
        return decode(await self._reader.readexactly(size))

    def say(self, message: Any) -> None:
        frame = encode(message)
        self.writer.write(len(frame).to_bytes(HEAD) + frame)

    async def is_cut_off(self) -> bool:
        """Whatever comes until then."""
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            async with asyncio.timeout(PATIENCE):
                while await self._reader.read(65536):
                    pass
        return True

    async def greet(self, **other: Any) -> None:
        """As a node does, but for what is other."""
        challenge = await self.hear()
        assert isinstance(challenge, Challenge)
        given: dict[str, Any] = {
            "secret": SECRET,
            "dialler": DIALLER,
            "dialled": DIALLED,
            "nonce": challenge.nonce,
            "pinned": CERTIFICATE.fingerprint,
        }
        given |= other
        version = given.pop("version", LINK_VERSION)
        self.say(Proof(given["dialler"], given["dialled"], proof(**given), version))


@asynccontextmanager
async def stranger(dialled: Dialled) -> AsyncIterator[Stranger]:
    reader, writer = await asyncio.open_connection("127.0.0.1", dialled.port, ssl=dialler_context())
    try:
        yield Stranger(reader, writer)
    finally:
        writer.transport.abort()


async def test_who_greets_as_a_node_does_is_linked(dialled: Dialled) -> None:
    async with stranger(dialled) as node:
        await node.greet()
        assert isinstance(await node.hear(), Agreed)
        node.say(Lines({}))
        await until(lambda: dialled.ends.heard)
        assert list(dialled.mesh.links) == [DIALLER]


NO_PROOFS: tuple[dict[str, Any], ...] = (
    {"secret": b"guessed"},
    {"nonce": bytes(32)},
    {"pinned": "of another node"},
    {"dialler": DIALLED},
    {"dialler": 3},
    {"dialler": 0},
    {"dialled": 1},
)


async def test_who_does_not_prove_to_be_a_node_is_cut_off(dialled: Dialled) -> None:
    """Nor one that has another number than it should have, or whose greeting was meant for another node."""
    for other in NO_PROOFS:
        async with stranger(dialled) as someone:
            await someone.greet(**other)
            assert await someone.is_cut_off(), other
        assert not dialled.ends.links, other


async def test_a_greeting_is_worth_nothing_on_another_connection(dialled: Dialled) -> None:
    async with stranger(dialled) as node:
        overheard = await node.hear()
        node.say(Proof(1, 2, proof(SECRET, 1, 2, overheard.nonce, CERTIFICATE.fingerprint)))
        assert isinstance(await node.hear(), Agreed)
        async with stranger(dialled) as someone:
            await someone.hear()
            someone.say(Proof(1, 2, proof(SECRET, 1, 2, overheard.nonce, CERTIFICATE.fingerprint)))
            assert await someone.is_cut_off()
        assert len(dialled.ends.links) == 1
        assert not dialled.ends.lost


GARBAGE = (
    b"GET / HTTP/1.1\r\n\r\n",
    bytes(HEAD),
    bytes(1000),
    b"\xff" * 1000,
    (LONGEST_GREETING + 1).to_bytes(HEAD),
    (1).to_bytes(HEAD) + b"\xc1",
    (3).to_bytes(HEAD) + encode([99]) + b"\x00",
)


async def test_garbage_before_the_greeting_cuts_a_link(dialled: Dialled) -> None:
    for said in GARBAGE:
        async with stranger(dialled) as someone:
            someone.writer.write(said)
            assert await someone.is_cut_off(), said
        assert not dialled.ends.links, said


TOO_EARLY = (
    Beat(),
    Agreed(),
    Challenge(b""),
    Lines({}),
)


async def test_nothing_is_taken_from_who_has_not_greeted(dialled: Dialled) -> None:
    for message in TOO_EARLY:
        async with stranger(dialled) as someone:
            someone.say(message)
            assert await someone.is_cut_off(), message
        assert not dialled.ends.heard, message


@pytest.mark.parametrize(
    "said",
    [(LONGEST_FRAME + 1).to_bytes(HEAD), (1).to_bytes(HEAD) + b"\xc1", encode(Agreed())],
    ids=["too long", "no message", "a greeting"],
)
async def test_a_link_on_which_nonsense_comes_is_cut(dialled: Dialled, said: bytes) -> None:
    async with stranger(dialled) as node:
        await node.greet()
        assert isinstance(await node.hear(), Agreed)
        node.writer.write(said if len(said) > 2 else len(said).to_bytes(HEAD) + said)
        assert await node.is_cut_off()
        await until(lambda: dialled.ends.lost == dialled.ends.links)
    assert not dialled.mesh.links


async def test_who_speaks_no_tls_is_cut_off(dialled: Dialled) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", dialled.port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n")
    with contextlib.suppress(ConnectionError):
        while await reader.read(1000):
            pass
    writer.close()
    assert not dialled.ends.links


async def test_half_open_connections_are_few_and_end(
    dialled: Dialled, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they wait with: the handshake of TLS, or the greeting."""
    monkeypatch.setattr(meshes, "MOST_GREETING", 3)
    silent = [await asyncio.open_connection("127.0.0.1", dialled.port) for _ in range(3)]
    reader, writer = await asyncio.open_connection("127.0.0.1", dialled.port)
    with contextlib.suppress(ConnectionError):
        assert not await reader.read(1), "one more is reset at once"
    clock.goes_on(links.GREETING_SECONDS)
    for each, _ in silent:
        with contextlib.suppress(ConnectionError):
            await each.read(1)
    async with stranger(dialled) as someone:
        assert isinstance(await someone.hear(), Challenge)
        clock.goes_on(links.GREETING_SECONDS)
        assert await someone.is_cut_off()
    for _, each_writer in [*silent, (reader, writer)]:
        each_writer.close()


async def test_a_link_that_is_silent_is_cut(dialled: Dialled, clock: Time) -> None:
    async with stranger(dialled) as node:
        await node.greet()
        assert isinstance(await node.hear(), Agreed)
        assert isinstance(await node.hear(), Beat)
        clock.goes_on(links.DEAD_SECONDS)
        assert await node.is_cut_off()


async def test_a_newer_link_of_a_node_replaces_the_one_before(dialled: Dialled) -> None:
    """Which the other end may have found lost long ago."""
    async with stranger(dialled) as before, stranger(dialled) as now:
        await before.greet()
        assert isinstance(await before.hear(), Agreed)
        await now.greet()
        assert isinstance(await now.hear(), Agreed)
        assert await before.is_cut_off()
        first, second = dialled.ends.links
        assert dialled.ends.lost == [first]
        assert dialled.mesh.links == {DIALLER: second}


async def test_who_reads_nothing_is_cut_before_much_is_kept(
    dialled: Dialled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "HIGH_WATER", 64 * 1024)
    monkeypatch.setattr(links, "MOST_UNSENT", 1024 * 1024)
    async with stranger(dialled) as node:
        await node.greet()
        assert isinstance(await node.hear(), Agreed)
        node.writer.transport.pause_reading()  # type: ignore[attr-defined]
        (link,) = dialled.ends.links
        sent = 0
        while not dialled.ends.lost:
            link.send(Challenge(bytes(10_000)))
            sent += 10_000
            await asyncio.sleep(0)
            assert sent < 64 * 1024 * 1024
        assert dialled.ends.slow == [True]


# The node that dials


@asynccontextmanager
async def pretender(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any],
    certificate: Certificate,
) -> AsyncIterator[int]:
    """Somebody who listens where a node should."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=certificate.context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def test_nothing_is_proved_to_who_has_another_certificate(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO")
    said: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard = b""
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            frame = encode(Challenge(bytes(32)))
            writer.write(len(frame).to_bytes(HEAD) + frame)
            heard = await reader.read(1000)
        said.append(heard)
        writer.close()

    mesh = Mesh(DIALLER, SECRET, CERTIFICATE)
    ends = Ends()
    mesh.watch(ends)
    async with pretender(serve, make_certificate()) as port:
        mesh.update({DIALLED: Peer(f"127.0.0.1:{port}", CERTIFICATE.fingerprint)})
        await until(lambda: caplog.text.count("another certificate") > 1)
        await mesh.close()
    assert not any(said)
    assert not ends.links


# Nodes of another version


async def test_a_node_of_another_version_is_refused_with_a_sentence(
    dialled: Dialled, caplog: pytest.LogCaptureFixture
) -> None:
    async with stranger(dialled) as node:
        await node.greet(version=LINK_VERSION + 1)
        assert await node.is_cut_off()
    assert not dialled.ends.links
    assert "node 1 speaks version 2 of links, this node 1: players here cannot come" in caplog.text
    async with stranger(dialled) as someone:
        await someone.greet(version=LINK_VERSION + 1, secret=b"guessed")
        assert await someone.is_cut_off()
    assert caplog.text.count("version 2") == 1, "nobody else has this said"


async def test_a_node_that_dials_one_of_another_version_tells_both_hosts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard: list[Any] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        frame = encode(Challenge(bytes(32), LINK_VERSION + 1))
        writer.write(len(frame).to_bytes(HEAD) + frame)
        heard.append(decode((await reader.read())[HEAD:]))  # all there is
        writer.close()

    mesh = Mesh(DIALLER, SECRET, CERTIFICATE)
    async with pretender(serve, CERTIFICATE) as port:
        mesh.update({DIALLED: Peer(f"127.0.0.1:{port}", CERTIFICATE.fingerprint)})
        await until(lambda: heard)
        await mesh.close()
    assert [(type(each), each.version) for each in heard] == [(Proof, LINK_VERSION)]
    assert "node 2 speaks version 2 of links, this node 1" in caplog.text


def test_what_nodes_say_to_each_other_changes_with_the_version_of_links() -> None:
    """Fields that are added at the end, with a default, change nothing: add them here. For all else raise LINK_VERSION."""
    kinds = {each.__struct_config__.tag: each for each in Message.__subclasses__()}
    said = {kind.__name__: (tag, *kind.__struct_fields__) for tag, kind in sorted(kinds.items())}
    assert (LINK_VERSION, said) == SAID
