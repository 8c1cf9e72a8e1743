"""Several servers in this process that are one Diadem: over one journal, with real links over loopback."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from diadem_server.app import App
from diadem_server.cluster.certificate import make_certificate
from diadem_server.cluster.mesh import Mesh, Peer
from diadem_server.cluster.node_services import Conversations
from diadem_server.config import Config
from diadem_server.lobby.local_registry import LocalRegistry
from diadem_server.net.listener import open_sockets, port_of
from diadem_server.sessions.outbox import Outbox
from diadem_server.sessions.sessions import Session, Sessions, hashed
from diadem_server.storage.journal import Journal, JournalUnavailable
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.protocol import Command, TableLine
from diadem_shared.refusals import Code, Refusal, RefusalError
from tests.patience import PATIENCE
from tests.rig.wire import Player

SECRET = b"known to nodes"


class SharedRegistry(LocalRegistry):
    """One for all nodes, which have their connections numbered."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers = itertools.count(1)
        self._newest: dict[int, int] = {}
        self._nodes: dict[int, int] = {}
        """Where each session's connection is held."""

    async def connect(self, session: int, name: str, outbox: Outbox) -> Outbox | None:
        older = await super().connect(session, name, outbox)
        self._newest[session] = next(self._numbers)
        return older

    @property
    def is_anybody_here(self) -> bool:
        return bool(self._connections or self._newest)

    def number_of(self, session: int) -> int:
        return self._newest[session]

    async def take_over(self, session: int, name: str, outbox: Outbox, number: int) -> None:
        await asyncio.sleep(0)
        if self._newest.get(session) != number:
            raise RefusalError(Refusal(Code.REPLACED))
        await super().connect(session, name, outbox)

    def disconnect(self, session: int, outbox: Outbox) -> None:
        super().disconnect(session, outbox)
        if session not in self._connections:
            self._newest.pop(session, None)


class NodeRegistry(SharedRegistry):
    """Of one node: all is shared with the others, but for the lines of the lobby."""

    def __init__(self, shared: SharedRegistry, node: int) -> None:
        vars(self).update(vars(shared))
        self._node = node
        self._here: dict[int, Outbox] = {}
        """By number, what was ever connected here."""
        self.replaced: Callable[[int, int, int], None] | None = None
        self._lines = {}
        self._lines_of_others: dict[int, dict[str, TableLine]] = {}
        self.listed_anew: Callable[[str, TableLine | None], None] | None = None

    async def connect(self, session: int, name: str, outbox: Outbox) -> Outbox | None:
        number, node = self._newest.get(session), self._nodes.get(session)
        older = await super().connect(session, name, outbox)
        self._here[self._newest[session]] = outbox
        self._nodes[session] = self._node
        if node not in {None, self._node} and number is not None and self.replaced is not None:
            assert node is not None
            self.replaced(node, session, number)
            return None
        return older

    async def take_over(self, session: int, name: str, outbox: Outbox, number: int) -> None:
        await super().take_over(session, name, outbox, number)
        self._here[number] = outbox
        self._nodes[session] = self._node

    def connection(self, session: int, number: int) -> Outbox | None:
        return self._here.get(number)

    async def replaced_elsewhere(self) -> list[Outbox]:
        """None that was not told."""
        return []

    @property
    def own_lines(self) -> Mapping[str, TableLine]:
        return self._lines

    def list_table(self, code: str, line: TableLine | None) -> None:
        super().list_table(code, line)
        if self.listed_anew is not None:
            self.listed_anew(code, line)

    def list_table_of(self, node: int, code: str, line: TableLine | None) -> None:
        lines = self._lines_of_others.setdefault(node, {})
        lines.pop(code, None)
        if line is not None:
            lines[code] = line

    def forget_lines_of(self, node: int) -> None:
        self._lines_of_others.pop(node, None)

    def listed(self) -> Sequence[TableLine]:
        others = (line for lines in self._lines_of_others.values() for line in lines.values())
        return [*others, *self._lines.values()]


class SharedJournal(SqliteJournal):
    """Opened and closed once, and not by each of the servers that write to it."""

    async def start(self) -> None:
        """`open` did."""

    async def close(self) -> None:
        """`shut` will."""

    async def open(self) -> None:
        await super().start()

    async def shut(self) -> None:
        await super().close()


class SharedSessions(Sessions):
    def __init__(self, journal: Journal, now: Any, ids: Iterator[int]) -> None:
        super().__init__(journal, now)
        self._rows = journal
        self._shared_ids = ids

    async def new_id(self) -> int:
        return next(self._shared_ids)

    async def find(self, token: str | None) -> Session | None:
        if token is None or (known := self.known(token)):
            known = self.known(token)
            if known is not None and known.outbox is None:
                known.answers.forget()  # they may have been elsewhere
            return known
        for row in await self._rows.sessions():
            if row.token == hashed(token):
                session = self.get(row.id) or Session(row.id, row.name)
                self.keep(session, row.token)
                return session
        return known


class Node:
    """One server, and what tests do to it."""

    def __init__(self, app: App, cluster: "Cluster", number: int) -> None:
        self.app = app
        self.number = number
        self.certificate = make_certificate()
        self.mesh = Mesh(number, SECRET, self.certificate)
        self.address = ""
        self._cluster = cluster
        self.registry = NodeRegistry(cluster.registry, number)
        self.conversations = Conversations(app.lobby, app.admission, self.registry, self.mesh)
        app.forwarding = self.conversations.forwarding
        app.gate_limits = self.conversations.gate_limits
        app.lobby.registry = self.registry
        app.lobby.routing = self
        app.lobby.sessions = SharedSessions(cluster.journal, app.config.now, cluster.ids)

    @property
    def peer(self) -> Peer:
        return Peer(self.address, self.certificate.fingerprint)

    # Routing

    @property
    def node(self) -> int:
        return self.number

    async def owner(self, code: str) -> int | None:
        await asyncio.sleep(0)
        await self._cluster.may_look_up.wait()
        if self._cluster.is_away:
            raise JournalUnavailable
        self._cluster.asked.append((self.number, code))
        if code in self._cluster.believed.get(self.number, {}):
            return self._cluster.believed[self.number][code]
        return self._cluster.owner(code)

    def forget(self, code: str) -> None:
        self._cluster.believed.get(self.number, {}).pop(code, None)


class Cluster:
    def __init__(self, folder: Path) -> None:
        self.journal = SharedJournal(folder)
        self.registry = SharedRegistry()
        self.ids = itertools.count(1)
        self.nodes: list[Node] = []
        self.believed: dict[int, dict[str, int]] = {}
        """What nodes take for the owner of tables, by mistake."""
        self.asked: list[tuple[int, str]] = []
        self.is_away = False
        """Nobody knows where tables are."""
        self.may_look_up = asyncio.Event()
        self.may_look_up.set()

    def owner(self, code: str) -> int | None:
        owners = [each.number for each in self.nodes if code in each.app.lobby.tables]
        return next(iter(owners), None)

    def link(self) -> None:
        """Everybody is in the register."""
        peers = {each.number: each.peer for each in self.nodes}
        for each in self.nodes:
            each.mesh.update(peers)

    async def linked(self) -> None:
        """Returns once each node has a link with each other."""
        await until(lambda: all(len(each.mesh.links) == len(self.nodes) - 1 for each in self.nodes))


async def until(found: Any) -> None:
    """What happens between nodes wakes nobody here."""
    async with asyncio.timeout(PATIENCE):
        while not found():  # noqa: ASYNC110
            await asyncio.sleep(0.001)


@asynccontextmanager
async def cluster(folder: Path, count: int = 2, **settings: Any) -> AsyncIterator[Cluster]:
    given: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "bot_pause": 0.0}
    given |= {"tables_a_minute": 10**6, "max_tables_per_address": 10**6}
    given |= {"newcomers_an_hour": 10**6, "written_an_hour": 10**12}
    given |= {"commands_a_second": 1e6, "burst": 10**6, "connections_a_second": 1e6} | settings
    folder.mkdir(exist_ok=True)
    made = Cluster(folder)
    async with AsyncExitStack() as running:
        await made.journal.open()
        running.push_async_callback(made.journal.shut)
        for number in range(1, count + 1):
            app = App(Config(data=folder / str(number), **given), made.journal)
            node = Node(app, made, number)
            made.nodes.append(node)
            await running.enter_async_context(app)
            (opened,) = await open_sockets("127.0.0.1", 0)
            node.mesh.accept(opened)
            running.push_async_callback(node.mesh.close)
            node.address = f"127.0.0.1:{port_of(opened)}"
        made.link()
        await made.linked()
        yield made


@asynccontextmanager
async def at(made: Cluster, **names: int) -> AsyncIterator[list[Player]]:
    """Players, each with the line at a node."""
    players = [Player(made.nodes[node - 1].app.port, name) for name, node in names.items()]
    for player in players:
        await player.connect()
    try:
        yield players
    finally:
        for player in players:
            await player.disconnect()


async def close_code(player: Player) -> int | None:
    assert player.socket is not None
    await player.socket.wait_closed()
    return player.socket.close_code


def tables(made: Cluster) -> list[set[str]]:
    """The codes of the tables of each node."""
    return [set(node.app.lobby.tables) for node in made.nodes]


async def send(player: Player, *commands: Command) -> None:
    """At once, and wait for nothing."""
    assert player.socket is not None
    for command in commands:
        await player.socket.send(protocol.pack(command))


def answered(player: Player, id_: int) -> list[Any]:
    return [each for each in player.messages if getattr(each, "id", None) == id_]


def listed(player: Player) -> set[str]:
    """The tables that the lobby shows them."""
    return {line.table for line in player.lobby.tables} if player.lobby else set()
