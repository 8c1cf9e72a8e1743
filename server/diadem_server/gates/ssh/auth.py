"""One ssh connection: who it is, and that it gets a session and nothing else.

A player with a key is known by it. Keys are tried first; whoever has none, or none that is let in, is
a guest, who is asked nothing, where the host lets in guests.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import asyncssh
from msgspec import Struct

from diadem_server.gates.ssh.session import Session

if TYPE_CHECKING:
    from diadem_server.gates.ssh.listener import Listener

TRIES = 20
"""Ways to come in that one may try."""
NEEDS_KEY = "Players need a key here; without one: ssh-keygen -t ed25519\n"
NEEDS_LISTED_KEY = "Only players whose key the host knows are let in here.\n"


class Visitor(Struct, frozen=True):
    name: str
    fingerprint: str | None = None
    """Of the key; a guest has none."""
    is_listed: bool = False
    """Whether the host has let in this very key."""


class Guard(asyncssh.SSHServer):
    def __init__(self, listener: "Listener") -> None:
        self._listener = listener
        self._connection: asyncssh.SSHServerConnection | None = None
        self._address = ""
        self._was_counted = False
        self._unwelcome: str | None = None
        """Why it is sent away, as soon as it can be told."""
        self._key: asyncssh.SSHKey | None = None
        """The one that is being tried."""
        self._tries = 0
        self._was_told = False
        self._visitor: Visitor | None = None
        self._sessions: set[Session] = set()
        self._loiters: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        peer = conn.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        if not self._listener.room.come(self._address):
            conn.abort()
            return
        self._was_counted = True
        self._unwelcome = self._listener.room.against(self._address)
        self._listener.connections.add(conn)
        # The connection itself heeds neither: it would keep all that a slow player does not take.
        conn.pause_writing = self._for_all(Session.pause_writing)  # type: ignore[method-assign]
        conn.resume_writing = self._for_all(Session.resume_writing)  # type: ignore[method-assign]

    def _for_all(self, do: Callable[[Session], None]) -> Callable[[], None]:
        def for_all() -> None:
            for session in self._sessions:
                do(session)

        return for_all

    def connection_lost(self, exc: Exception | None) -> None:
        if self._loiters is not None:
            self._loiters.cancel()
        if self._was_counted and self._connection is not None:
            self._listener.connections.discard(self._connection)
            self._listener.room.go(self._address)

    def _send_away(self, why: str) -> None:
        if self._connection is not None:
            self._connection.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, why)

    # Who it is

    def begin_auth(self, username: str) -> bool:
        if self._unwelcome is not None:
            self._send_away(self._unwelcome)
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Before it is proved that the key is really theirs; that is done with this very key."""
        self._key = key
        if not self._may_try():
            return False
        return self._listener.config.keys is None or self._is_listed(key)

    def _may_try(self) -> bool:
        self._tries += 1
        if self._tries == TRIES:
            self._send_away("You have tried often enough.")
        return self._tries < TRIES

    def _is_listed(self, key: asyncssh.SSHKey) -> bool:
        return self._listener.is_listed(key, self._address)

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, list[tuple[str, bool]]] | bool:
        self._key = None
        if not self._may_try():
            return False
        if self._listener.config.guests:
            return "", "", "", []
        if self._connection is not None and not self._was_told:
            self._was_told = True
            listed = self._listener.config.keys is not None
            self._connection.send_auth_banner(NEEDS_LISTED_KEY if listed else NEEDS_KEY)
        return False

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        self._key = None
        return self._listener.config.guests

    def auth_completed(self) -> None:
        assert self._connection is not None  # noqa: S101, how else was it proved
        name = str(self._connection.get_extra_info("username"))
        key = self._key
        if key is None:
            self._visitor = Visitor(name)
        else:
            self._visitor = Visitor(name, key.get_fingerprint(), self._is_listed(key))
        self._watch_loitering()

    # What it gets

    def session_requested(self) -> Session | bool:
        if self._visitor is None or len(self._sessions) >= self._listener.config.most_per_key:
            return False
        session = Session(self._listener, self._visitor, self._address, self._session_over)
        self._sessions.add(session)
        return session

    def _session_over(self, session: Session) -> None:
        self._sessions.discard(session)
        self._watch_loitering()

    def _watch_loitering(self) -> None:
        """A connection without a session is not kept for long."""
        if self._loiters is not None:
            self._loiters.cancel()
        seconds = self._listener.config.login_seconds
        self._loiters = asyncio.get_running_loop().call_later(seconds, self._end_loitering)

    def _end_loitering(self) -> None:
        if not any(session.has_begun for session in self._sessions):
            self._send_away("Nothing was asked for.")
