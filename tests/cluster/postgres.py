"""A PostgreSQL of the tests' own: the server programs that the system has, as an unprivileged user, on a Unix socket."""

import asyncio
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import pytest

from diadem_server.cluster import node
from tests.patience import PATIENCE
from tests.programs import tied

NEEDED = "DIADEM_TESTS_NEED_POSTGRES"
"""Set where the tests must not be skipped."""
_NUMBERS = itertools.count()
USER = "nobody"
FOLDERS = "diadem-pg-"
PAUSE = 0.01
FAILOVER_SECONDS = 2 * node.ISOLATED_SECONDS + PATIENCE
"""How long a test waits for what nodes only do some seconds after another is gone."""
SOCKET = ".s.PGSQL.5432"
SETTINGS = (
    *("listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=200"),
    *("autovacuum=off", "jit=off", "checkpoint_timeout=1d"),
    "dynamic_shared_memory_type=mmap",  # in its folder, so that nothing is left of one that is killed
)


class Postgres(NamedTuple):
    folder: Path
    """Of its socket and its data."""

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://diadem@/{database}?host={self.folder}"

    async def create(self) -> str:
        """The address of a new database."""
        database = f"test{next(_NUMBERS)}"
        connection = await asyncpg.connect(self.url())
        try:
            await connection.execute(f'CREATE DATABASE "{database}"')
        finally:
            await connection.close()
        return self.url(database)


def programs() -> Path:
    """The folder of initdb and postgres."""
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in folders:
        if (folder / "postgres").exists():
            return folder
    if os.environ.get(NEEDED):
        pytest.fail("there is no PostgreSQL server here")
    pytest.skip("there is no PostgreSQL server here")


def own_user() -> dict[str, int]:
    """PostgreSQL does not run as root."""
    if os.getuid():
        return {}
    user = pwd.getpwnam(USER)
    return {"user": user.pw_uid, "group": user.pw_gid}


class Restartable:
    """A PostgreSQL that can be killed, frozen, and started again on its data."""

    def __init__(self, folder: Path, settings: Sequence[str]) -> None:
        self.postgres = Postgres(folder)
        self._programs = programs()
        self._settings = settings
        self._process: subprocess.Popen[bytes]
        user = own_user()
        if user:
            os.chown(folder, user["user"], user["group"])
        self._quiet: dict[str, Any] = {
            "stdout": subprocess.DEVNULL,
            "cwd": "/",
            "env": {"LC_ALL": "C"},
            **user,
        }

    @staticmethod
    @contextmanager
    def running(*settings: str) -> Iterator["Restartable"]:
        _remove_left_behind()
        with _folder() as name:
            engine = Restartable(Path(name), settings)
            engine.make()
            engine.start()
            try:
                yield engine
            finally:
                engine.end()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def data(self) -> Path:
        return self.postgres.folder / "data"

    def make(self) -> None:
        self._run("initdb", *("-U", "diadem", "--auth=trust", "--no-sync", "-E", "UTF8"))

    def start(self) -> None:
        options = (*SETTINGS, f"unix_socket_directories={self.postgres.folder}", *self._settings)
        self._process = subprocess.Popen(  # noqa: S603
            tied(
                *(str(self._programs / "postgres"), "-D", str(self.data)),
                *(f"-c{option}" for option in options),
                signal="QUIT",  # upon which it ends all its processes, and gives back what they share
            ),
            stderr=subprocess.DEVNULL,
            **self._quiet,
        )
        asked = (self._programs / "pg_isready", "-q", "-h", self.postgres.folder)
        while subprocess.run(asked, check=False, **self._quiet).returncode:  # noqa: S603
            assert self._process.poll() is None, "PostgreSQL does not start"

    def _run(self, program: str, *options: str) -> None:
        subprocess.run(  # noqa: S603
            (self._programs / program, "-D", self.data, *options), check=True, **self._quiet
        )

    @contextmanager
    def standby(self) -> Iterator["Restartable"]:
        """One that follows this one, from now on synchronously."""
        with _folder() as name:
            standby = Restartable(Path(name), self._settings)
            standby._run(
                "pg_basebackup",
                *("-h", str(self.postgres.folder), "-U", "diadem", "--no-sync"),
                *("--write-recovery-conf", "--checkpoint=fast"),
            )
            standby.start()
            self.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            self.execute("SELECT pg_reload_conf()")
            try:
                yield standby
            finally:
                standby.end()

    def promote(self) -> None:
        self.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.execute("SELECT pg_promote()")

    def execute(self, sql: str) -> None:
        asked = ("-h", self.postgres.folder, "-U", "diadem", "-qc", sql, "postgres")
        subprocess.run((self._programs / "psql", *asked), check=True, **self._quiet)  # noqa: S603

    def end(self) -> None:
        """At once, with all its processes."""
        self._end(signal.SIGQUIT)

    def shut_down(self) -> None:
        """As its host would."""
        self._end(signal.SIGINT)

    def kill(self) -> None:
        """Nobody is told. What it shares in memory is cleared up by the next start alone."""
        _signal([self.pid], signal.SIGSTOP)  # it begins no more processes
        pids = list(children(self.pid))
        _signal([self.pid, *pids], signal.SIGKILL)
        self._gone(pids)

    def _end(self, number: int) -> None:
        pids = list(children(self.pid))
        self._process.send_signal(number)
        self._gone(pids)

    def _gone(self, pids: Iterable[int]) -> None:
        self._process.wait()
        while any(map(_is_running, pids)):
            time.sleep(PAUSE)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        pids = [self.pid, *children(self.pid)]
        try:
            _signal(pids, signal.SIGSTOP)
            yield
        finally:
            _signal(pids, signal.SIGCONT)


def _folder() -> "tempfile.TemporaryDirectory[str]":
    """In /tmp, as the path of a socket must be short."""
    return tempfile.TemporaryDirectory(prefix=f"{FOLDERS}{os.getpid()}-", dir="/tmp")


def _remove_left_behind() -> None:
    """Folders of tests that were killed; their servers have ended with them."""
    for folder in Path("/tmp").glob(f"{FOLDERS}*"):  # noqa: S108
        owner = folder.name.removeprefix(FOLDERS).partition("-")[0]
        if owner.isdigit() and not Path("/proc", owner).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):  # a process of one connection may just have ended
            os.kill(pid, number)


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def children(parent: int) -> Iterator[int]:
    """Of a process, those that it has now."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                yield int(stat.parent.name)


@contextmanager
def running(*settings: str) -> Iterator[tuple[Postgres, int]]:
    """And the number of its process."""
    with Restartable.running(*settings) as engine:
        yield engine.postgres, engine.pid


async def until(found: Callable[[], object], patience: float = FAILOVER_SECONDS) -> None:
    """What happens in PostgreSQL wakes nobody here."""
    async with asyncio.timeout(patience):
        while not found():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
