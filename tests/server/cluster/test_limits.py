"""A stranger who goes round all nodes gets as much as one server gives them, and keeps nobody else out."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from diadem_server.cluster import limits
from diadem_server.config import SshConfig
from diadem_server.gates.admission import CROWDED, MOST_PER_PLAYER, GateAdmission
from diadem_server.limits import limit_sync
from diadem_server.limits.counts import Counts
from diadem_server.limits.limit_sync import Gatherer
from diadem_server.limits.rate_limits import Buckets
from diadem_server.limits.sites import SITE_SHARE
from diadem_server.lobby import address_quota, lobby
from diadem_server.sessions import passwords
from diadem_shared import protocol
from diadem_shared.protocol import Accepted, Welcome
from tests.rig.wire import Player
from tests.server import NUMBERS, Time, code, done
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


async def test_connections_from_one_site(tmp_path: Path) -> None:
    """A /48 has prefixes without end; at all nodes together it may have as much as some of them."""
    async with (
        cluster(tmp_path, 2, behind_proxy=PROXY, max_per_address=1) as made,
        AsyncExitStack() as stack,
    ):
        for number in range(SITE_SHARE):
            eve = by(made.nodes[number % 2], f"Eve {number}", f"2001:db8:1:{number:x}::7")
            await stack.enter_async_context(eve)
        opened = [node.app.admission.open for node in made.nodes]
        await until(lambda: all(each["2001:db8:1::/48"] == SITE_SHARE for each in opened))
        for node in made.nodes:
            with pytest.raises(InvalidStatus):
                await by(node, "Eve", "2001:db8:1:ff::7").connect()
        await stack.enter_async_context(by(made.nodes[0], "Ana", "2001:db8:2::7"))


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


async def test_new_players_one_after_another(tmp_path: Path) -> None:
    async with cluster(tmp_path, 2, behind_proxy=PROXY, newcomers_an_hour=2) as made:
        first, second = made.nodes
        for number in range(2):
            async with by(first, f"Eve {number}"):
                pass
        await until(lambda: second.app.lobby.quota.newcomers.wait(PREFIX) > 1)
        assert code(await by(second, "Eve").connect()) == "too_many_newcomers"
        async with by(second, "Cem", OTHER) as cem:
            assert cem.token


async def test_bytes_written_for_one_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address_quota, "TOLD_FROM", 500)
    async with (
        cluster(tmp_path, 2, behind_proxy=PROXY, written_an_hour=4_000) as made,
        by(made.nodes[0], "Ana") as ana,
        by(made.nodes[1], "Eve") as eve,
        by(made.nodes[1], "Cem", OTHER) as cem,
    ):
        await ana.make(NUMBERS)
        while isinstance(await ana.ask(protocol.Ready, ready=False), Accepted):
            pass
        await until(lambda: made.nodes[1].app.lobby.quota.written.wait(PREFIX, 1_000) > 1)
        while isinstance(refused := await eve.ask(protocol.Make, NUMBERS), Accepted):
            await done(eve, protocol.Part)
        assert code(refused) == "too_much_written"
        await done(cem, protocol.Make, NUMBERS)


async def test_passwords_tried_at_all_nodes_at_once(
    tmp_path: Path, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever does that waits for as long as if they had tried as many at one, one after another."""
    monkeypatch.setattr(limits, "TELL_SECONDS", 20.0)  # at once, on a busy machine as well
    monkeypatch.setattr("diadem_server.cluster.link.DEAD_SECONDS", 1e9)
    async with cluster(tmp_path, NODES, behind_proxy=PROXY, password=RIGHT) as made:
        tries = passwords.FREE_GUESSES + 1
        for _ in range(tries):
            for node in made.nodes:
                await _say_hello(by(node, "Eve", password=WRONG))
        clock.goes_on(20.0)
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


# Over ssh and in the browser: gates count in processes of their own


def gate_at(node: Node, **limits: Any) -> GateAdmission:
    """The limits of a gate of this node, and the way between the two without the process."""
    gate = GateAdmission(SshConfig(0, **limits), lambda _: None)
    relayed = node.app.gate_limits["ssh"]
    relayed.open(lambda *told: gate.shared.heard(0, *told))
    Gatherer(relayed.heard, 0.0).follow(gate.shared)
    return gate


async def have_heard(gates: Sequence[GateAdmission], kind: str, key: str, count: int) -> None:
    """Each knows that there are so many."""
    await until(lambda: all(gate.shared.counts[kind][key] == count for gate in gates))


async def test_sessions_from_one_address(made: Cluster) -> None:
    """And by one player. Where a gate or a node is gone, so is what it has counted."""
    gates = [gate_at(node, most_per_address=2, most_per_player=2) for node in made.nodes]
    first, second, third = gates
    for gate in (first, second):
        assert gate.enter("Ana", STRANGER) is None
        assert gate.begin((STRANGER, 1))
    for kind, key in (("sessions", PREFIX), ("connections", PREFIX), ("players", "Ana")):
        await have_heard(gates, kind, key, 2)
    for gate in gates:
        assert gate.enter("Bob", STRANGER) == CROWDED
        assert gate.enter("Ana", OTHER) == MOST_PER_PLAYER
        assert gate.begin((STRANGER, 2))
        assert gate.refusal(STRANGER) == CROWDED
        assert gate.refusal(OTHER) is None
    assert third.enter("Bob", OTHER) is None
    made.nodes[0].app.gate_limits["ssh"].close()
    await have_heard([second, third], "sessions", PREFIX, 1)
    assert third.enter("Ana", STRANGER) is None
    await have_heard([second, third], "sessions", PREFIX, 2)
    anew = gate_at(made.nodes[0], most_per_address=2)
    assert anew.enter("Bob", STRANGER) == CROWDED, "it is told who is elsewhere before it lets in"
    await made.nodes[1].mesh.close()
    await have_heard([anew], "sessions", PREFIX, 1)
    assert anew.enter("Bob", STRANGER) is None


async def test_sessions_begun_one_after_another(made: Cluster) -> None:
    gates = [gate_at(node, most_per_address=1, sessions_a_second=0.001) for node in made.nodes]
    for _ in range(2):
        assert gates[0].enter(None, STRANGER) is None
        gates[0].leave(None, STRANGER)
    starts = gates[1].shared.usages["sessions"]
    assert isinstance(starts, Buckets)
    await until(lambda: starts.wait(PREFIX))
    assert "You come too often" in (gates[1].enter(None, STRANGER) or "")
    assert gates[1].enter(None, OTHER) is None


async def test_a_node_that_is_linked_late_is_told_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limit_sync, "MOST_TOLD", 2)
    async with cluster(tmp_path, 2) as made:
        first, second = made.nodes
        first.mesh.links[second.number].cut()
        await until(lambda: not second.mesh.links)
        for number in range(5):
            first.app.admission.open.add(f"192.0.2.{number}")
        await made.linked()
        elsewhere: Counts = second.app.admission.open
        await until(lambda: all(elsewhere[f"192.0.2.{number}"] for number in range(5)))
