"""A PostgreSQL of the tests' own: the server programs that the system has, as an unprivileged user, on a Unix socket."""

import asyncio
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import asyncpg
import pytest

NEEDED = "DIADEM_TESTS_NEED_POSTGRES"
"""Set where the tests must not be skipped."""
_NUMBERS = itertools.count()
USER = "nobody"
SOCKET = ".s.PGSQL.5432"
SETTINGS = ("listen_addresses=", "fsync=off", "shared_buffers=16MB", "max_connections=200")


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


@contextmanager
def running(*settings: str) -> Iterator[tuple[Postgres, "subprocess.Popen[bytes]"]]:
    bin_folder = programs()
    # In /tmp, as the path of a socket must be short.
    with tempfile.TemporaryDirectory(prefix="diadem-pg-", dir="/tmp") as name:
        folder, user = Path(name), own_user()
        if user:
            os.chown(folder, user["user"], user["group"])
        data = folder / "data"
        quiet: dict[str, Any] = {
            "stdout": subprocess.DEVNULL,
            "cwd": "/",
            "env": {"LC_ALL": "C"},
            **user,
        }
        initdb = (
            bin_folder / "initdb",
            "-D",
            data,
            "-U",
            "diadem",
            "--auth=trust",
            "--no-sync",
            "-E",
            "UTF8",
        )
        subprocess.run(initdb, check=True, **quiet)  # noqa: S603
        options = (*SETTINGS, f"unix_socket_directories={folder}", *settings)
        postgres = (
            str(bin_folder / "postgres"),
            *("-D", str(data)),
            *(f"-c{option}" for option in options),
        )
        process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603
            postgres, stderr=subprocess.DEVNULL, **quiet
        )
        try:
            asked = (bin_folder / "pg_isready", "-q", "-h", folder)
            while subprocess.run(asked, check=False, **quiet).returncode:  # noqa: S603
                assert process.poll() is None, "PostgreSQL does not start"
            yield Postgres(folder), process
        finally:
            process.send_signal(signal.SIGQUIT)
            process.wait()


async def until(found: Callable[[], object]) -> None:
    """What happens in PostgreSQL wakes nobody here."""
    async with asyncio.timeout(60):
        while not found():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
