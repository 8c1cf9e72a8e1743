"""Two machines of PostgreSQL that Patroni keeps, one the synchronous standby of the other; what it knows is in etcd."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import asyncpg
import pytest

from tests.cluster.postgres import children, own_user, programs
from tests.programs import tied
from tests.rig.wire import lasting_port

PATRONI, ETCD = shutil.which("patroni"), shutil.which("etcd")
needs_patroni = pytest.mark.skipif(
    PATRONI is None or ETCD is None, reason="needs patroni, with etcd3, and etcd"
)
NAMES = ("one", "two")
PATIENCE, PAUSE = 90.0, 0.2
LEASE_SECONDS = 20
"""After which a machine that says nothing has lost its lead; Patroni takes no less."""
HERE = "127.0.0.1"


class Machine:
    """Patroni, and the PostgreSQL that it runs."""

    def __init__(self, name: str, folder: Path, etcd: int) -> None:
        self.name = name
        self.port, self.rest = lasting_port(), lasting_port()
        self._folder = folder
        self._etcd = etcd
        self._process: asyncio.subprocess.Process

    async def start(self) -> None:
        assert PATRONI is not None, "there is no Patroni here"
        file = self._folder / f"{self.name}.yaml"
        file.write_text(json.dumps(self._configuration()))  # which is YAML as well
        self._process = await asyncio.create_subprocess_exec(*tied(PATRONI, str(file)), **_quiet())

    def _configuration(self) -> Mapping[str, Any]:
        everybody = {"username": "diadem", "password": "none"}
        return {
            "scope": "diadem",
            "name": self.name,
            "restapi": {
                "listen": f"{HERE}:{self.rest}",
                "connect_address": f"{HERE}:{self.rest}",
            },
            "etcd3": {"host": f"{HERE}:{self._etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": LEASE_SECONDS,
                    "loop_wait": 1,
                    "retry_timeout": 3,
                    "synchronous_mode": True,
                },
                "initdb": [{"encoding": "UTF8"}, "no-sync"],
            },
            "postgresql": {
                "listen": f"{HERE}:{self.port}",
                "connect_address": f"{HERE}:{self.port}",
                "data_dir": str(self._folder / self.name),
                "pgpass": str(self._folder / f"{self.name}.pgpass"),
                "bin_dir": str(programs()),
                "authentication": {"superuser": everybody, "replication": everybody},
                "pg_hba": [
                    "local all all trust",
                    "host all all all trust",
                    "host replication all all trust",
                ],
                "parameters": {"unix_socket_directories": str(self._folder), "fsync": "off"},
            },
        }

    async def kill(self) -> None:
        """As when the machine loses its power."""
        self._process.send_signal(signal.SIGSTOP)
        of_postgres = int((self._folder / self.name / "postmaster.pid").read_text().split()[0])
        pids = [of_postgres, *children(of_postgres), self._process.pid]
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        await self._process.wait()

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()


class Patroni:
    def __init__(self, machines: list[Machine]) -> None:
        self.machines = machines

    def url(self, database: str) -> str:
        where = ",".join(f"{HERE}:{machine.port}" for machine in self.machines)
        return f"postgresql://diadem@{where}/{database}?target_session_attrs=read-write"

    async def create(self) -> str:
        connection = await asyncpg.connect(self.url("postgres"))
        await connection.execute("CREATE DATABASE diadem")
        await connection.close()
        return self.url("diadem")

    @property
    def leader(self) -> Machine:
        (name,) = [name for name, role in self._roles().items() if role == "leader"]
        return next(machine for machine in self.machines if machine.name == name)

    def _roles(self) -> dict[str, str]:
        for machine in self.machines:
            with suppress(OSError), urlopen(self._at(machine, "cluster")) as answer:  # noqa: S310, of this machine
                members = json.load(answer)["members"]
                return {each["name"]: each["role"] for each in members}
        return {}

    def _at(self, machine: Machine, path: str) -> str:
        return f"http://{HERE}:{machine.rest}/{path}"

    async def are(self, *roles: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while sorted(self._roles().values()) != sorted(roles):  # noqa: ASYNC110, it wakes nobody here
                await asyncio.sleep(PAUSE)

    async def switch_over(self) -> None:
        leader = self.leader
        asked = Request(  # noqa: S310, to this machine
            self._at(leader, "switchover"), json.dumps({"leader": leader.name}).encode()
        )
        await asyncio.to_thread(lambda: urlopen(asked).close())  # noqa: S310
        assert self.leader is not leader


def _quiet() -> dict[str, Any]:
    """PostgreSQL does not run as root, nor do they."""
    return {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/", **own_user()}


@asynccontextmanager
async def patroni() -> AsyncIterator[Patroni]:
    assert ETCD is not None, "there is no etcd here"
    user = own_user()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))
        if user:
            os.chown(folder, user["user"], user["group"])
        port, peers = lasting_port(), lasting_port()
        etcd = await asyncio.create_subprocess_exec(
            *tied(
                *(ETCD, "--data-dir", str(folder / "etcd"), "--unsafe-no-fsync"),
                *("--listen-client-urls", f"http://{HERE}:{port}"),
                *("--advertise-client-urls", f"http://{HERE}:{port}"),
                *("--listen-peer-urls", f"http://{HERE}:{peers}"),
                *("--initial-advertise-peer-urls", f"http://{HERE}:{peers}"),
                *("--initial-cluster", f"default=http://{HERE}:{peers}"),
            ),
            **_quiet(),
        )
        stack.push_async_callback(etcd.wait)
        stack.callback(etcd.terminate)
        made = Patroni([Machine(name, folder, port) for name in NAMES])
        for machine in made.machines:
            await machine.start()
            stack.push_async_callback(machine.end)
        await made.are("leader", "sync_standby")
        yield made
