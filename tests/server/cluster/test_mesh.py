"""Which nodes are linked, by the register; and again after a link was lost."""

import asyncio
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from diadem_server.cluster import mesh as meshes
from diadem_server.cluster.certificate import make_certificate
from diadem_server.cluster.link import BEAT_SECONDS, DEAD_SECONDS, Link
from diadem_server.cluster.mesh import Mesh, Peer
from diadem_server.cluster.messages import Lines
from diadem_server.net.listener import open_sockets, port_of
from tests.server import Time
from tests.server.cluster.nodes import SECRET, until

CERTIFICATE = make_certificate()


class Made:
    """Nodes, and what each has heard."""

    def __init__(self) -> None:
        self.meshes: dict[int, Mesh] = {}
        self.peers: dict[int, Peer] = {}
        self.heard: dict[int, list[tuple[int, Lines]]] = {}

    def link(self) -> None:
        for mesh in self.meshes.values():
            mesh.update(self.peers)

    def hears(self, number: int) -> Callable[[Link, Lines], None]:
        return lambda link, message: self.heard[number].append((link.peer, message))

    async def linked(self) -> None:
        numbers = set(self.meshes)
        await until(
            lambda: all(
                set(mesh.links) == numbers - {number} for number, mesh in self.meshes.items()
            )
        )


@asynccontextmanager
async def nodes(count: int) -> AsyncIterator[Made]:
    made = Made()
    for number in range(1, count + 1):
        mesh = made.meshes[number] = Mesh(number, SECRET, CERTIFICATE)
        (opened,) = await open_sockets("127.0.0.1", 0)
        mesh.accept(opened)
        made.peers[number] = Peer(f"127.0.0.1:{port_of(opened)}", CERTIFICATE.fingerprint)
        made.heard[number] = []
        mesh.on(Lines, made.hears(number))
    made.link()
    await made.linked()
    try:
        yield made
    finally:
        for mesh in made.meshes.values():
            await mesh.close()


async def test_each_node_is_linked_with_each_other() -> None:
    async with nodes(4) as made:
        for number, mesh in made.meshes.items():
            mesh.send_to_all(Lines({str(number): None}))
        await until(lambda: all(len(heard) == 3 for heard in made.heard.values()))
        for number, heard in made.heard.items():
            others = {(each, str(each)) for each in made.meshes if each != number}
            assert {(peer, next(iter(said.lines))) for peer, said in heard} == others


async def test_what_is_sent_comes_in_order_and_whole() -> None:
    async with nodes(2) as made:
        sizes = [*range(300), 65_535, 65_536, 300_000, 5]
        for size in sizes:
            made.meshes[1].links[2].send(Lines({"A" * size: None}))
            if size % 50 == 0:
                await asyncio.sleep(0)
        await until(lambda: len(made.heard[2]) == len(sizes))
        assert [len(next(iter(said.lines))) for _, said in made.heard[2]] == sizes


async def test_what_is_sent_in_one_turn_of_the_loop_is_written_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with nodes(2) as made:
        link = made.meshes[1].links[2]
        writes = itertools.count()
        write = link.transport.write

        def counted(data: bytes) -> None:
            next(writes)
            write(data)

        monkeypatch.setattr(link.transport, "write", counted)
        for _ in range(100):
            link.send(Lines({}))
        await until(lambda: len(made.heard[2]) == 100)
        assert next(writes) <= 2, "a heartbeat may have come between"


async def test_a_link_that_was_lost_is_made_again() -> None:
    async with nodes(3) as made:
        for _ in range(3):
            lost = made.meshes[3].links[1]
            lost.cut()
            await until(lambda: made.meshes[3].links.get(1) not in {None, lost})  # noqa: B023
            await made.linked()
        made.meshes[1].links[3].send(Lines({}))
        await until(lambda: made.heard[3])


async def test_who_is_not_in_the_register_any_more_is_not_linked_any_more() -> None:
    async with nodes(3) as made:
        del made.peers[2]
        made.link()
        await until(lambda: set(made.meshes[1].links) == {3} == {*made.meshes[1].links})
        await until(lambda: not made.meshes[2].links or 2 not in made.meshes[3].links)
        await until(lambda: set(made.meshes[3].links) == {1})
        made.meshes[1].send_to_all(Lines({}))
        await until(lambda: made.heard[3])
        assert not made.heard[2]


async def test_attempts_to_reach_a_node_are_ever_rarer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meshes, "SHORTEST_BACKOFF", 0.01)
    monkeypatch.setattr(meshes, "LONGEST_BACKOFF", 0.08)
    came = list[float]()
    loop = asyncio.get_running_loop()

    def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(loop.time())
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    mesh = Mesh(1, SECRET, CERTIFICATE)
    port = server.sockets[0].getsockname()[1]
    mesh.update({2: Peer(f"127.0.0.1:{port}", "")})
    await until(lambda: len(came) == 6)
    pauses = [after - before for before, after in itertools.pairwise(came)]
    assert all(
        pause >= at_least / 2
        for pause, at_least in zip(pauses, [0.01, 0.02, 0.04, 0.08, 0.08], strict=True)
    )
    await mesh.close()
    server.close()


async def test_beats_keep_a_link_on_which_nothing_is_said(
    clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Counter[Link]()
    updated = Link.buffer_updated

    def counted(link: Link, nbytes: int) -> None:
        heard[link] += 1
        updated(link, nbytes)

    monkeypatch.setattr(Link, "buffer_updated", counted)
    async with nodes(2) as made:
        ends = made.meshes[1].links[2], made.meshes[2].links[1]
        over = asyncio.get_running_loop().time() + 2 * DEAD_SECONDS
        while asyncio.get_running_loop().time() < over:
            before = heard.copy()
            clock.goes_on(BEAT_SECONDS)
            await until(lambda: all(heard[end] > before[end] for end in ends))  # noqa: B023
        assert (made.meshes[1].links, made.meshes[2].links) == ({2: ends[0]}, {1: ends[1]})
