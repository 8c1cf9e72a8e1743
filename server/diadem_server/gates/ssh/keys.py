"""The host key of the ssh gate, and the keys that it lets in."""

from pathlib import Path

import asyncssh

from diadem_server.gates.players import BadFile, read_secret, write_secret

FOLDER = "ssh"
HOST_KEY = "host_key"


def host_key(data: Path) -> asyncssh.SSHKey:
    """The server's host key, generated when there is none."""
    path = data / FOLDER / HOST_KEY
    if not path.exists():
        made = asyncssh.generate_private_key("ssh-ed25519", "Diadem")
        write_secret(path, made.export_private_key())
    try:
        return asyncssh.import_private_key(read_secret(path))
    except asyncssh.KeyImportError as error:
        raise BadFile(f"the host key {path} cannot be used: {error}") from None


def allowed_keys(path: Path) -> asyncssh.SSHAuthorizedKeys:
    try:
        return asyncssh.read_authorized_keys(str(path))
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise BadFile(f"the keys in {path} cannot be used: {error}") from None
