"""The ssh files in the data directory: host key, secret, and settings by player's key."""

import hashlib
import hmac
import logging
import os
import secrets
from base64 import urlsafe_b64encode
from pathlib import Path

import asyncssh

log = logging.getLogger(__name__)

FOLDER = "ssh"
HOST_KEY = "host_key"
SECRET = "players_secret"  # noqa: S105, the name of a file
SETTINGS = "players"
SECRET_BYTES = 32
PRIVATE = 0o600


class BadKey(Exception):
    """A key file cannot be used, told in a line for the host."""


def host_key(data: Path) -> asyncssh.SSHKey:
    """The server's host key, generated when there is none."""
    path = data / FOLDER / HOST_KEY
    if not path.exists():
        made = asyncssh.generate_private_key("ssh-ed25519", "Diadem")
        _write(path, made.export_private_key())
    try:
        return asyncssh.import_private_key(_read(path))
    except asyncssh.KeyImportError as error:
        raise BadKey(f"the host key {path} cannot be used: {error}") from None


def allowed_keys(path: Path) -> asyncssh.SSHAuthorizedKeys:
    try:
        return asyncssh.read_authorized_keys(str(path))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadKey(f"the keys in {path} cannot be used: {error}") from None


class PlayerKeys:
    """Derives a player's token and settings folder from their key."""

    def __init__(self, data: Path) -> None:
        path = data / FOLDER / SECRET
        if not path.exists():
            _write(path, secrets.token_bytes(SECRET_BYTES))
        self._secret = _read(path)
        if len(self._secret) != SECRET_BYTES:
            raise BadKey(f"{path} does not hold what it held when it was made")
        self._settings = data / FOLDER / SETTINGS

    def token(self, fingerprint: str) -> str:
        """The session token of a key. It is derived, so that nothing has to be stored."""
        return self._derive("token", fingerprint)

    def settings_folder(self, fingerprint: str) -> Path:
        """The folder of a key's settings, whose name does not reveal the key."""
        return self._settings / self._derive("shelf", fingerprint)[:32]

    def _derive(self, use: str, fingerprint: str) -> str:
        digest = hmac.digest(self._secret, f"{use} {fingerprint}".encode(), hashlib.sha256)
        return urlsafe_b64encode(digest).decode().rstrip("=")


def _write(path: Path, content: bytes) -> None:
    """Write a private file atomically."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        draft = path.with_name(f"{path.name}.new")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    except OSError as error:
        raise BadKey(f"{path} cannot be written: {error.strerror}") from None


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_mode & 0o077:
            raise BadKey(f"{path} can be read by others; see that only you can: chmod 600 {path}")
        return path.read_bytes()
    except OSError as error:
        raise BadKey(f"{path} cannot be read: {error.strerror}") from None
