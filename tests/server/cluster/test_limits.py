"""A stranger who goes round all nodes gets as much as one server gives them, and keeps nobody else out."""

from contextlib import AsyncExitStack
from ipaddress import ip_network
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from diadem import protocol
from diadem.protocol import Welcome
from diadem_server.cluster import limits
from diadem_server.limits.counts import Counts
from diadem_server.lobby import lobby
from diadem_server.sessions import passwords
from tests.rig.wire import Player
from tests.server import NUMBERS, code, done
from tests.server.cluster.nodes import Cluster, Node, cluster, until

pytestmark = pytest.mark.usefixtures("numbers")

PROXY = ip_network("127.0.0.0/8")
STRANGER, OTHER = "2001:db8:1:2::7", "2001:db8:1:3::7"
PREFIX = "2001:db8:1:2::/64"
NODES = 3
RIGHT, WRONG = "sesame", "simsim"


def by(node: Node, name: str, address: str = STRANGER, **hello: str) -> Player:
    return Player(node.app.port, name, address=address, **hello)


def counted(made: Cluster, kind: str) -> list[int]:
    """What each node has of the stranger's address."""
    counts = {
        "connections": [node.app.admission.open for node in made.nodes],
        "tables": [node.app.lobby.limits.open for node in made.nodes],
    }
    return [each[PREFIX] for each in counts[kind]]


async def test_connections_from_one_address(tmp_path: Path) -> None:
    async with (
        cluster(tmp_path, NODES, behind_proxy=PROXY, max_per_address=2) as made,
        AsyncExitStack() as stack,
    ):
        first, second, third = made.nodes
        ana = await stack.enter_async_context(by(first, "Ana"))
        await stack.enter_async_context(by(second, "Bob"))
        await until(lambda: counted(made, "connections") == [2] * NODES)
        for node in made.nodes:
            with pytest.raises(InvalidStatus):
                await by(node, "Eve").connect()
        await stack.enter_async_context(by(third, "Cem", OTHER))
        await ana.disconnect()
        await until(lambda: counted(made, "connections") == [1] * NODES)
        await stack.enter_async_context(by(third, "Dee"))
        await until(lambda: counted(made, "connections") == [2] * NODES)
        await second.mesh.close()  # nobody knows any more what it has
        await until(lambda: counted(made, "connections")[::2] == [1, 1])


async def test_who_comes_again_and_again(tmp_path: Path) -> None:
    async with cluster(
        tmp_path, 2, behind_proxy=PROXY, max_per_address=2, connections_a_second=0.001
    ) as made:
        first, second = made.nodes
        for number in range(4):
            async with by(first, f"Eve {number}"):
                pass
        await until(lambda: second.app.admission.arrivals.wait(PREFIX))
        with pytest.raises(InvalidStatus):
            await by(second, "Eve").connect()
        async with by(second, "Ana", OTHER) as ana:
            assert ana.token


async def test_tables_from_one_address(tmp_path: Path) -> None:
    async with (
        cluster(tmp_path, NODES, behind_proxy=PROXY, max_tables_per_address=2) as made,
        AsyncExitStack() as stack,
    ):
        ana, bob, eve = [
            await stack.enter_async_context(by(node, name))
            for node, name in zip(made.nodes, ("Ana", "Bob", "Eve"), strict=True)
        ]
        cem = await stack.enter_async_context(by(made.nodes[2], "Cem", OTHER))
        for player in (ana, bob):
            await player.make(NUMBERS)
        await until(lambda: counted(made, "tables") == [2] * NODES)
        refused = await eve.ask(protocol.Make, NUMBERS)
        assert code(refused) == "too_many_tables_from_address"
        await done(cem, protocol.Make, NUMBERS)
        await done(ana, protocol.Part)
        await until(lambda: counted(made, "tables") == [1] * NODES)
        await done(eve, protocol.Make, NUMBERS)


async def test_tables_made_one_after_another(tmp_path: Path) -> None:
    async with (
        cluster(tmp_path, 2, behind_proxy=PROXY, tables_a_minute=2) as made,
        by(made.nodes[0], "Ana") as ana,
        by(made.nodes[1], "Eve") as eve,
        by(made.nodes[1], "Cem", OTHER) as cem,
    ):
        for _ in range(2):
            await done(ana, protocol.Make, NUMBERS)
            await done(ana, protocol.Part)
        await until(lambda: made.nodes[1].app.lobby.limits.rates.wait(PREFIX) > 1)
        assert code(await eve.ask(protocol.Make, NUMBERS)) == "too_fast"
        await done(cem, protocol.Make, NUMBERS)


async def test_passwords_tried_at_all_nodes_at_once(tmp_path: Path) -> None:
    """Whoever does that waits for as long as if they had tried as many at one, one after another."""
    async with cluster(tmp_path, NODES, behind_proxy=PROXY, password=RIGHT) as made:
        tries = passwords.FREE_GUESSES + 1
        for _ in range(tries):
            for node in made.nodes:
                await _say_hello(by(node, "Eve", password=WRONG))
        paused = 2 ** (NODES * tries - passwords.FREE_GUESSES - 2)
        await until(lambda: all(_pause(node) > paused for node in made.nodes))
        for node in made.nodes:
            eve = by(node, "Eve", password=RIGHT)
            assert code(await _say_hello(eve)) == "too_many_guesses"
            async with by(node, "Ana", OTHER, password=RIGHT) as ana:
                assert ana.token


async def _say_hello(player: Player) -> Welcome | protocol.Bye:
    answer = await player.connect()
    await player.disconnect()
    return answer


def _pause(node: Node) -> float:
    return node.app.lobby.passwords.guesses.pause(PREFIX)


async def test_codes_of_tables_tried_at_two_nodes(tmp_path: Path) -> None:
    async with (
        cluster(tmp_path, 2, behind_proxy=PROXY) as made,
        by(made.nodes[0], "Eve") as eve,
        by(made.nodes[1], "Eva") as eva,
    ):
        for number in range(lobby.FREE_GUESSES + 1):
            assert code(await eve.ask(protocol.Join, f"A{number}")) == "no_such_table"
        await until(lambda: made.nodes[1].app.lobby.guesses.pause(PREFIX))
        assert code(await eva.ask(protocol.Join, "B1")) == "too_fast"


async def test_a_node_that_is_linked_late_is_told_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_TOLD", 2)
    async with cluster(tmp_path, 2) as made:
        first, second = made.nodes
        first.mesh.links[second.number].cut()
        await until(lambda: not second.mesh.links)
        for number in range(5):
            first.app.admission.open.add(f"192.0.2.{number}")
        await made.linked()
        elsewhere: Counts = second.app.admission.open
        await until(lambda: all(elsewhere[f"192.0.2.{number}"] for number in range(5)))
