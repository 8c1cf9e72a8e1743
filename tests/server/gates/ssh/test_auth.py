"""A connection that has logged in and has no session is closed in time."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from diadem_server.config import SshConfig
from diadem_server.gates.ssh.auth import Auth, Ends
from diadem_server.gates.ssh.byte_limits import ByteLimiter
from diadem_server.gates.ssh.session import SshSession
from tests.patience import PATIENCE


class FakeConnection:
    def __init__(self) -> None:
        self.is_closed = asyncio.Event()

    def get_extra_info(self, name: str) -> str:
        return name

    def disconnect(self, code: int, why: str) -> None:
        self.is_closed.set()


def logged_in() -> tuple[FakeConnection, SshSession]:
    """With a session that admission has not counted, as one that it has refused."""
    listener = SimpleNamespace(config=SshConfig(0, login_seconds=0.01), connections=set())
    auth = Auth(cast("Any", listener), Ends("192.0.2.1", ""), ByteLimiter(20.0), None)
    connection = FakeConnection()
    auth.connection_made(cast("Any", connection))
    auth.auth_completed()
    session = auth.session_requested()
    assert isinstance(session, SshSession)
    return connection, session


async def test_a_session_that_is_not_counted_keeps_no_connection_open() -> None:
    """However long its channel is left open. One that is counted does."""
    playing, session = logged_in()
    session.is_counted = True
    refused, _ = logged_in()
    async with asyncio.timeout(PATIENCE):
        await refused.is_closed.wait()
    assert not playing.is_closed.is_set()
