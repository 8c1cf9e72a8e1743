"""A node that does not beat is fenced, by one other; an outage of the database fences nobody."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import asyncpg
import pytest

from diadem_server.cluster import membership
from diadem_server.cluster.membership import Membership
from diadem_server.cluster.schema import migrate
from diadem_server.cluster.writer import Connect, Introduction, Writer
from tests.cluster.postgres import Postgres, until
from tests.cluster.proxy import proxied
from tests.patience import PATIENCE

RACERS = 8


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(membership, "DEAD_SECONDS", 2.0)
    monkeypatch.setattr(membership, "UNLOCKED_SECONDS", 1.0)


def connecting(address: str) -> Connect:
    return lambda: asyncpg.connect(address, timeout=5, command_timeout=5)


class Member:
    """A node of the register, and what it has noticed."""

    def __init__(self, address: str) -> None:
        self._writer = Writer(connecting(address))
        self.address = address
        self.fenced = asyncio.Event()
        self.died: asyncio.Queue[int] = asyncio.Queue()
        self.membership: Membership
        self._running: asyncio.Task[None]

    @property
    def node(self) -> int:
        return self._writer.node

    async def join(self) -> None:
        await self._writer.join(Introduction())
        self.membership = Membership(
            connecting(self.address), self.node, fenced=self.fenced.set, died=self.died.put_nowait
        )

    def beat(self) -> None:
        self._running = asyncio.create_task(self.membership.run())

    def freeze(self) -> None:
        """It beats no more, but its connections stay."""
        self._running.cancel()

    async def die(self) -> None:
        self.freeze()
        await self._writer.close()


@asynccontextmanager
async def members(addresses: Iterable[str]) -> AsyncIterator[list[Member]]:
    every = [Member(address) for address in addresses]
    connection = await connecting(every[0].address)()
    await migrate(connection)
    await connection.close()
    for each in every:
        await each.join()
        each.beat()
    try:
        yield every
    finally:
        for each in every:
            await each.die()


async def test_of_many_that_see_a_node_die_one_fences_it(postgres: Postgres) -> None:
    async with members([await postgres.create()] * (RACERS + 1)) as (frozen, *others):
        frozen.freeze()
        first, _ = await asyncio.wait(
            [asyncio.create_task(each.died.get()) for each in others],
            return_when=asyncio.FIRST_COMPLETED,
        )
        assert {each.result() for each in first} == {frozen.node}
        await asyncio.gather(*(_until_gone(each, frozen.node) for each in others))
        assert sum(each.died.qsize() for each in others) + len(first) == 1
        frozen.beat()
        await frozen.fenced.wait()


async def _until_gone(member: Member, node: int) -> None:
    await until(lambda: node not in member.membership.nodes)


async def test_a_node_that_is_looked_for_is_found_dead_without_waiting_for_the_next_beat(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the link with it is lost."""
    monkeypatch.setattr(membership, "DEAD_SECONDS", 0.5)
    async with members([await postgres.create()] * 2) as (frozen, other):
        await _until_both(frozen, other)
        monkeypatch.setattr(membership, "BEAT_SECONDS", 1000.0)
        frozen.freeze()
        other.membership.look()
        async with asyncio.timeout(PATIENCE):
            assert await other.died.get() == frozen.node
        await _until_gone(other, frozen.node)


async def _until_both(*both: Member) -> None:
    await until(lambda: all(len(each.membership.nodes) == len(both) for each in both))


async def test_nobody_is_fenced_because_the_database_was_away(postgres: Postgres) -> None:
    database = await postgres.create()
    async with (
        proxied(postgres, database) as (proxy, address),
        members([address, address]) as both,
    ):
        await _until_both(*both)
        proxy.refuses = True
        proxy.cut()
        await until(lambda: all(each.membership.trouble for each in both))
        loop = asyncio.get_running_loop()
        over = loop.time() + 2 * membership.DEAD_SECONDS
        await until(lambda: loop.time() > over)
        proxy.refuses = False
        await until(lambda: not any(each.membership.trouble for each in both))
        beats = loop.time() + membership.DEAD_SECONDS / 2
        await until(lambda: loop.time() > beats)
        assert not any(each.fenced.is_set() or each.died.qsize() for each in both)
