"""Who a gate's players are: the secret in the data directory from which their tokens, and the names of their folders, follow."""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from pathlib import Path

from diadem_server.gates.messages import CannotListen
from diadem_server.storage.private_files import FOLDER, replace_private

SECRET = "players_secret"  # noqa: S105, the name of a file
SECRET_BYTES = 32


class BadFile(CannotListen):
    """A file of the gate cannot be used, told in a line for the host."""


class Players:
    """Derives a player's token, and the name of their folder, from what they prove to be."""

    def __init__(self, folder: Path) -> None:
        path = folder / SECRET
        if not path.exists():
            write_secret(path, secrets.token_bytes(SECRET_BYTES))
        self._secret = read_secret(path)
        if len(self._secret) != SECRET_BYTES:
            raise BadFile(f"{path} does not hold what it held when it was made")

    def token(self, identity: str) -> str:
        """The session token of a player. It is derived, so that nothing has to be stored."""
        return self._derive("token", identity)

    def folder(self, identity: str) -> str:
        """The name of the folder of what is kept for a player, which does not reveal who it is."""
        return self._derive("shelf", identity)[:32]

    def _derive(self, use: str, identity: str) -> str:
        digest = hmac.digest(self._secret, f"{use} {identity}".encode(), hashlib.sha256)
        return urlsafe_b64encode(digest).decode().rstrip("=")


def random_token() -> str:
    """The session token of a guest, who is nobody again once they have left."""
    return secrets.token_urlsafe(SECRET_BYTES)


def write_secret(path: Path, content: bytes) -> None:
    """Write a private file atomically."""
    try:
        path.parent.mkdir(FOLDER, exist_ok=True)
        replace_private(path, content, synced=True)
    except OSError as error:
        raise BadFile(f"{path} cannot be written: {error.strerror}") from None


def read_secret(path: Path) -> bytes:
    try:
        if path.stat().st_mode & 0o077:
            raise BadFile(f"{path} can be read by others; see that only you can: chmod 600 {path}")
        return path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}") from None
