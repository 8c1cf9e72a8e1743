"""Authentication of one ssh connection, which may then open one session and nothing else.

Players are known by their keys, which are tried first. Without a key that is let in a player is a
guest, who is asked for nothing, if the host admits guests.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

import asyncssh
from msgspec import Struct

from diadem_server.gates.ssh.byte_limits import ByteLimiter
from diadem_server.gates.ssh.session import SshSession

if TYPE_CHECKING:
    from diadem_server.gates.ssh.listener import SshListener

log = logging.getLogger(__name__)

TRIES = 20
"""The most attempts to authenticate."""
NEEDS_KEY = "Players need a key here; without one: ssh-keygen -t ed25519\n"
NEEDS_LISTED_KEY = "Only players whose key the host knows are let in here.\n"


class Ends(Struct, frozen=True):
    """The two ends of a connection."""

    address: str
    """The player's."""
    reached: str
    """By which they came."""


class Identity(Struct, frozen=True):
    """The player who has logged in."""

    name: str
    ends: Ends
    fingerprint: str | None = None
    """The fingerprint of the key; None for a guest."""
    is_listed: bool = False
    """Whether the host lists this key."""


class Auth(asyncssh.SSHServer):
    def __init__(
        self, listener: "SshListener", ends: Ends, meter: ByteLimiter, refusal: str | None
    ) -> None:
        self._listener = listener
        self._ends = ends
        self.address = ends.address
        self._meter = meter
        self._refusal = refusal
        """Why the connection is refused, told as soon as the protocol allows."""
        self._connection: asyncssh.SSHServerConnection | None = None
        self._key: asyncssh.SSHKey | None = None
        """The key that is being tried."""
        self._tries = 0
        self._was_told = False
        self._identity: Identity | None = None
        self._sessions: set[SshSession] = set()
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._listener.connections.add(conn)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        if self._connection is not None:
            self._listener.connections.discard(self._connection)

    def pause_writing(self) -> None:
        for session in self._sessions:
            session.pause_writing()

    def resume_writing(self) -> None:
        for session in self._sessions:
            session.resume_writing()

    def keeps_too_much(self) -> bool:
        return any(session.keeps_too_much() for session in self._sessions)

    @property
    def has_session(self) -> bool:
        """Whether there is a session that admission has counted."""
        return any(session.is_counted for session in self._sessions)

    def exceeded(self) -> None:
        if self._listener.admission.may_log_complaint(self.address):
            log.warning("ssh: %s sends too much, and is cut off", self.address)
        self._send_away("You send too much.")

    def _send_away(self, why: str) -> None:
        if self._connection is not None:
            self._connection.disconnect(asyncssh.DISC_TOO_MANY_CONNECTIONS, why)

    # Who it is

    def begin_auth(self, username: str) -> bool:
        if self._refusal is not None:
            self._send_away(self._refusal)
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Called before the client has proved that it holds the key."""
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
        return self._listener.is_listed(key, self.address)

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
            self._identity = Identity(name, self._ends)
        else:
            listed = self._is_listed(key)
            self._identity = Identity(name, self._ends, key.get_fingerprint(), listed)
        self._meter.logged_in()
        self._await_session()

    # What it gets

    def session_requested(self) -> SshSession | bool:
        if self._identity is None or len(self._sessions) >= self._listener.config.most_per_player:
            return False
        session = SshSession(
            self._listener, self._identity, self._await_session, self._session_closed
        )
        self._sessions.add(session)
        return session

    def _session_closed(self, session: SshSession) -> None:
        self._sessions.discard(session)
        self._await_session()

    def _await_session(self) -> None:
        """Close a connection that opens no session in time, counted from now."""
        if self._deadline is not None:
            self._deadline.cancel()
        seconds = self._listener.config.login_seconds
        self._deadline = asyncio.get_running_loop().call_later(seconds, self._end_without_session)

    def _end_without_session(self) -> None:
        if not self.has_session:
            self._send_away("Nothing was asked for.")
