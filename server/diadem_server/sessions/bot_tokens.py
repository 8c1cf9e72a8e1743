"""Tokens that the server's host has made for bots of others: a name for each, which nobody else may have.

They are kept hashed in a file of the data directory, which may be written while the server runs.
"""

import secrets
from pathlib import Path

import msgspec

from diadem_server.sessions import names
from diadem_server.sessions.confusables import looks
from diadem_server.sessions.sessions import hashed
from diadem_server.storage.private_files import NotPrivate, private_file

FILE = "bots.json"
MOST = 1_000
LONGEST_FILE = 1 << 20


class NotMade(Exception):
    """No token is made for a bot of this name, told in a line."""


class BotTokens:
    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE
        self._as_of: tuple[int, int] | None = None
        self._names: dict[str, str] = {}
        """By token, hashed."""
        self._looks: frozenset[str] = frozenset()

    def name_for(self, token: str | None) -> str | None:
        """Of the bot that this token was made for, if it is one of those."""
        self._read()
        return self._names.get(hashed(token).hex()) if token else None

    def reserves(self, name: str) -> bool:
        """Whether a bot has this name, or one that looks like it."""
        self._read()
        return not self._looks.isdisjoint(looks(name))

    def _read(self) -> None:
        """Only what has changed. A file that makes no sense counts as none."""
        try:
            status = self._file.stat()
            as_of = status.st_mtime_ns, status.st_size
            if as_of == self._as_of or status.st_size > LONGEST_FILE:
                return
            self._as_of = as_of
            hashes = msgspec.json.decode(self._file.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.MsgspecError):
            hashes = {}
        self._names = {token: name for name, token in hashes.items()}
        self._looks = frozenset(look for name in hashes for look in looks(name))


def make(folder: Path, name: str) -> str:
    """A new token for the bot of this name; one that it had before is worth nothing from now on. Raises NotMade."""
    if names.clean(name) != name or names.against(name) is not None:
        raise NotMade(f"{name!r} is no name that a player could have")
    file, token = folder / FILE, secrets.token_urlsafe(24)
    try:
        private_file(file)
        kept = file.read_bytes()
        hashes = msgspec.json.decode(kept, type=dict[str, str]) if kept else {}
        others = {each: token for each, token in hashes.items() if each != name}
        if any(not looks(name).isdisjoint(looks(each)) for each in others):
            raise NotMade(f"a bot has a name like {name!r} already")
        if len(others) >= MOST:
            raise NotMade(f"{MOST} bots have tokens already")
        written = file.with_suffix(".new")
        private_file(written)
        written.write_bytes(msgspec.json.encode(others | {name: hashed(token).hex()}))
        written.replace(file)
    except (OSError, NotPrivate, msgspec.MsgspecError) as error:
        raise NotMade(f"{file} cannot be written: {error}") from None
    return token
