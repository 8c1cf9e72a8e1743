"""A PostgreSQL that keeps what it has promised, and nodes over it, for those who measure them."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.cluster.postgres import Postgres, children, running
from tools.bench._serving import ROOT, Serving, diadem

DURABLE = ("fsync=on", "synchronous_commit=on", "shared_buffers=256MB", "max_connections=200")


class Engine(NamedTuple):
    """PostgreSQL, with all its processes."""

    postgres: Postgres
    pid: int

    @property
    def processor(self) -> float:
        """Seconds, of the processes that it has now."""
        return sum(map(_processor, (self.pid, *children(self.pid))))


class Nodes(NamedTuple):
    """Several that are one server."""

    each: Sequence[Serving]

    @property
    def port(self) -> int:
        return self.each[0].port

    @property
    def processor(self) -> float:
        return sum(node.processor for node in self.each)


@contextmanager
def engine() -> Iterator[Engine]:
    with running(*DURABLE) as (postgres, pid):
        yield Engine(postgres, pid)


@contextmanager
def nodes(database: str, count: int) -> Iterator[Nodes]:
    with ExitStack() as stack:
        yield Nodes([stack.enter_context(node(database)) for _ in range(count)])


@contextmanager
def node(database: str) -> Iterator[Serving]:
    with (
        TemporaryDirectory() as folder,
        diadem("asyncio", Path(folder), ROOT, "--cluster", database) as serving,
    ):
        yield serving


def _processor(pid: int) -> float:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0
