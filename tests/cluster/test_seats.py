"""A player whom two nodes seat at the same moment has one seat, whatever is sent again, and the key of seats alone sees to that."""

import asyncio
import itertools

import asyncpg
import pytest

from diadem_server.cluster.node import Node
from diadem_shared import protocol
from diadem_shared.protocol import Accepted, Welcome
from tests.cluster.nodes import come_back
from tests.cluster.postgres import until
from tests.rig.wire import Player
from tests.server import NUMBERS, code

pytestmark = pytest.mark.usefixtures("quick", "numbers")

WITHOUT_KEY = "ALTER TABLE seats DROP CONSTRAINT seats_pkey"
TABLES_OF_ANA = """
SELECT DISTINCT code FROM entries JOIN sessions ON id = session WHERE name = 'Ana'
"""


class Slow:
    """Ana asks the first node for a table, which looks whether she has a seat, and is slow to give her one; meanwhile she
    comes to the second."""

    def __init__(self, both: tuple[Node, Node], patch: pytest.MonkeyPatch) -> None:
        self.first, self.second = both
        self.ana = Player(self.second.app.port, "Ana")
        self.ana.ids = itertools.count(10)
        self.make = protocol.Make(1, NUMBERS)
        self._looked, self._may_go_on = asyncio.Event(), asyncio.Event()
        self._look = self.first.registry.take_seat
        patch.setattr(self.first.registry, "take_seat", self._take_seat)

    async def _take_seat(self, session: int, table: str) -> str | None:
        found = await self._look(session, table)
        self._looked.set()
        await self._may_go_on.wait()
        return found

    async def begin(self) -> None:
        before = Player(self.first.app.port, "Ana")
        await before.connect()
        assert before.socket is not None
        await before.socket.send(protocol.pack(self.make))
        await self._looked.wait()
        self.ana.token = before.token
        welcome = await self.ana.connect()
        assert isinstance(welcome, Welcome)
        assert welcome.table is None
        await before.disconnect()

    async def go_on(self) -> None:
        """Until the first node is done."""
        self._may_go_on.set()
        tables = self.first.lobby.tables
        await until(lambda: all(table.task for table in tables.values()))
        await until(lambda: not self.first.journal.waiting)


async def tables_of_ana(database: str) -> list[str]:
    connection = await asyncpg.connect(database)
    rows = await connection.fetch(TABLES_OF_ANA)
    await connection.close()
    return [row["code"] for row in rows]


async def test_who_asks_two_nodes_for_a_table_sits_at_one(
    both: tuple[Node, Node], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Slow(both, monkeypatch)
    await slow.begin()
    ana, other = slow.ana, protocol.Make(2, NUMBERS)
    made = await ana.ask_again(other)
    assert isinstance(made, Accepted)
    table = (await ana.seen(lambda view: view.seat is not None)).table
    await slow.go_on()
    assert await tables_of_ana(database) == [table]
    for node in both:
        await come_back(ana, node.app.port, table)
        assert await ana.ask_again(other) == made
        assert code(await ana.ask_again(slow.make)) == "seated_elsewhere"
    assert await tables_of_ana(database) == [table]
    await ana.disconnect()


async def test_a_table_that_two_nodes_are_asked_for_by_one_command_is_made_once(
    both: tuple[Node, Node], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the node that did not make it does not tell otherwise later."""
    slow = Slow(both, monkeypatch)
    await slow.begin()
    ana = slow.ana
    made = await ana.ask_again(slow.make)
    assert isinstance(made, Accepted)
    table = (await ana.seen(lambda view: view.seat is not None)).table
    await slow.go_on()
    assert await tables_of_ana(database) == [table]
    for node in both:
        await come_back(ana, node.app.port, table)
        assert await ana.ask_again(slow.make) == made
    assert await tables_of_ana(database) == [table]
    await ana.disconnect()


async def test_seats_without_a_key_are_found_out(
    both: tuple[Node, Node], database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = await asyncpg.connect(database)
    await connection.execute(WITHOUT_KEY)
    await connection.close()
    slow = Slow(both, monkeypatch)
    await slow.begin()
    await slow.ana.ask_again(protocol.Make(2, NUMBERS))
    await slow.go_on()
    assert len(await tables_of_ana(database)) == len(both)
    await slow.ana.disconnect()
