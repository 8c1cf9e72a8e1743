"""Whatever people do at three nodes, and whatever is lost between them, each command is answered once and no view goes back.

`STATES=200` looks so many examples further, and elsewhere each time.
"""

import asyncio
import itertools
import os
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack, ExitStack, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from websockets.exceptions import ConnectionClosed

from diadem_server.cluster import mesh
from diadem_server.table import chat
from diadem_shared import protocol
from diadem_shared.games import GAMES
from diadem_shared.protocol import Answer, Bye, Command, TableView
from tests.patience import PATIENCE
from tests.rig.wire import Player
from tests.sample_game import Numbers
from tests.server import NUMBERS
from tests.server.cluster.nodes import Cluster, cluster, until

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Bob", "Cem")
COUNT = 3
"""Nodes."""
whose = st.integers(0, len(NAMES) - 1)
nodes = st.integers(0, COUNT - 1)
ACTIONS = st.sampled_from(
    (
        *("make", "join 0", "join 1", "join 2", "join none", "part", "sit", "stand", "start"),
        *("say", "ping", "watch", "ready", "replays", "kick"),
    )
)


class Person:
    """A client that sends its unanswered commands again when it comes again."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.player: Player | None = None
        self.token = ""
        self.ids = itertools.count(1)
        self.pending: dict[int, Command] = {}
        """Not answered yet, over whatever connection."""
        self.asked: set[int] = set()
        """Over this one."""
        self.table = ""

    async def come(self, port: int) -> None:
        self.player = Player(port, self.name)
        self.player.token = self.token
        await self.player.connect()
        self.token = self.player.token
        self.asked.clear()
        again = list(self.pending.values())
        if self.table:
            again.insert(0, protocol.Join(next(self.ids), self.table))
        await self.send(*again)

    async def send(self, *commands: Command) -> None:
        assert self.player is not None
        assert self.player.socket is not None
        with suppress(ConnectionClosed):
            for command in commands:
                self.pending[command.id] = command
                self.asked.add(command.id)
                await self.player.socket.send(protocol.pack(command))

    @property
    def answers(self) -> Counter[int]:
        assert self.player is not None
        return Counter(each.id for each in self.player.messages if isinstance(each, Answer))

    @property
    def is_cut_off(self) -> bool:
        assert self.player is not None
        assert self.player.socket is not None
        return self.player.socket.close_code is not None

    async def settle(self) -> None:
        """All is answered, once, or the connection is lost."""
        if self.player is None:
            return
        await until(lambda: self.is_cut_off or not self.asked - self.answers.keys())
        if self.is_cut_off:
            await self.player.disconnect()
        for id_, times in self.answers.items():
            assert times == 1, f"{self.pending.get(id_)} is answered {times} times"
            self.pending.pop(id_, None)
        views = [each for each in self.player.messages if isinstance(each, TableView)]
        for before, after in itertools.pairwise(views):
            if before.table == after.table:
                assert before.entry <= after.entry, "a view goes back"
        self.table = self.player.view.table if self.player.view is not None else ""
        if self.is_cut_off:
            byes = [each.why.code for each in self.player.messages if isinstance(each, Bye)]
            assert not byes, f"{self.name} is sent away: {byes}"
            self.player = None


class Nodes(RuleBasedStateMachine):
    @initialize()
    def open(self) -> None:
        self.runner = asyncio.Runner()
        self.patched = ExitStack()
        self.patched.enter_context(patch.dict(GAMES, {Numbers().name: Numbers()}))
        for limit in ("PERSON_AT_ONCE", "TABLE_AT_ONCE"):
            self.patched.enter_context(patch.object(chat, limit, 10**6))
        self.patched.enter_context(patch.object(mesh, "SHORTEST_BACKOFF", 0.001))
        self.people = [Person(name) for name in NAMES]
        self.said = itertools.count()
        self.folder = tempfile.TemporaryDirectory()
        self.opened = AsyncExitStack()
        self.made: Cluster = self.run(
            self.opened.enter_async_context(cluster(Path(self.folder.name), COUNT))
        )

    def run(self, what: Any) -> Any:
        async def limited() -> Any:
            async with asyncio.timeout(3 * PATIENCE):
                return await what

        return self.runner.run(limited())

    async def settle(self) -> None:
        for person in self.people:
            await person.settle()
        lines = [
            (table.code, line.said.text)
            for node in self.made.nodes
            for table in node.app.lobby.tables.values()
            for line in table.chat.lines
        ]
        assert len(lines) == len(set(lines)), "a line is said twice"

    def teardown(self) -> None:
        if not hasattr(self, "made"):
            return
        try:
            self.run(self.everybody_goes())
        finally:
            self.patched.close()
            self.run(self.opened.aclose())
            self.runner.close()
            self.folder.cleanup()

    async def everybody_goes(self) -> None:
        await self.settle()
        for person in self.people:
            if person.player is not None:
                await person.player.disconnect()
        held = [node.conversations for node in self.made.nodes]
        await until(
            lambda: not any(each.channels.held or each.forwarding.forwarded for each in held)
        )
        await until(lambda: not self.made.registry.is_anybody_here)
        for node in self.made.nodes:
            assert not [each for each in node.app.lobby.sessions if each.outbox is not None]

    def command(self, action: str, person: Person) -> Command:
        id_ = next(person.ids)
        tables = sorted(code for node in self.made.nodes for code in node.app.lobby.tables)
        match action.split():
            case ["join", at]:
                code = tables[int(at) % len(tables)] if tables and at != "none" else "NONE"
                return protocol.Join(id_, code)
            case ["make"]:
                return protocol.Make(id_, NUMBERS)
            case ["say"]:
                return protocol.Say(id_, f"line {next(self.said)}")
            case ["watch"]:
                return protocol.WatchLobby(id_, on=bool(id_ % 2))
            case ["ready"]:
                return protocol.Ready(id_, ready=bool(id_ % 2))
            case ["kick"]:
                return protocol.Kick(id_, "Bob")
            case _:
                return self.simple(action, id_)

    def simple(self, action: str, id_: int) -> Command:
        kinds: dict[str, Callable[[int], Command]] = {
            "part": protocol.Part,
            "sit": protocol.Sit,
            "stand": protocol.Stand,
            "start": protocol.Start,
            "ping": protocol.Ping,
            "replays": protocol.ListReplays,
        }
        return kinds[action](id_)

    @rule(who=whose, at=nodes)
    def come(self, who: int, at: int) -> None:
        person = self.people[who]
        if person.player is None:
            self.run(person.come(self.made.nodes[at].app.port))
            self.run(self.settle())

    @rule(who=whose, actions=st.lists(ACTIONS, min_size=1, max_size=6))
    def act(self, who: int, actions: list[str]) -> None:
        person = self.people[who]
        if person.player is not None:
            self.run(person.send(*(self.command(each, person) for each in actions)))
            self.run(self.settle())

    @rule(who=whose, actions=st.lists(ACTIONS, max_size=4), turns=st.integers(0, 30))
    def line_is_lost(self, who: int, actions: list[str], turns: int) -> None:
        """In the midst of what it has asked for."""
        person = self.people[who]
        if person.player is None:
            return
        self.run(person.send(*(self.command(each, person) for each in actions)))
        self.run(_turns(turns))
        person.player.cut()
        self.run(self.settle())

    @rule(
        who=whose,
        actions=st.lists(ACTIONS, max_size=4),
        turns=st.integers(0, 30),
        ends=st.sampled_from([(0, 1), (0, 2), (1, 2)]),
    )
    def link_is_lost(self, who: int, actions: list[str], turns: int, ends: tuple[int, int]) -> None:
        person = self.people[who]
        if person.player is not None:
            self.run(person.send(*(self.command(each, person) for each in actions)))
            self.run(_turns(turns))
        here, there = ends
        self.run(self.cut(here, there + 1))
        self.run(self.made.linked())
        self.run(self.settle())

    async def cut(self, node: int, other: int) -> None:
        link = self.made.nodes[node].mesh.links[other]
        link.cut()
        await link.gone

    @rule(at=nodes, other=nodes, table=st.integers(0, 5))
    def node_is_mistaken(self, at: int, other: int, table: int) -> None:
        """About where a table is."""
        tables = sorted(code for node in self.made.nodes for code in node.app.lobby.tables)
        if tables and at != other:
            believed = self.made.believed.setdefault(at + 1, {})
            believed[tables[table % len(tables)]] = other + 1


async def _turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.timeout(0)
def test_whatever_is_lost_each_command_is_answered_once() -> None:
    few = settings(
        max_examples=int(os.environ.get("STATES", "0")) or 15,
        stateful_step_count=20,
        derandomize="STATES" not in os.environ,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Nodes, settings=few)
