"""What is saved between two runs: the player's choices, and the tokens of their sessions."""

import logging
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from platformdirs import user_config_path, user_documents_path, user_log_path, user_state_path

from diadem_client.net.address import Address
from diadem_client.state.puzzle_record import PuzzleRecord

log = logging.getLogger(__name__)

S = TypeVar("S", bound=Struct)


MAX_RECENT_SERVERS = 5
MOST_BYTES = 1024 * 1024
"""Of a file that is read."""


class RecentServer(Struct, frozen=True):
    """A server that was played on."""

    host: str
    """The address as the player typed it."""
    name: str = ""


class Settings(Struct, frozen=True, omit_defaults=True):
    host: str = ""
    name: str = ""
    theme: str = "dark"
    colours: str = ""
    """How many; none named: as many as the terminal has."""
    accent: str = ""
    """The player's own colour, in which their turn and what is theirs is marked; empty for that of the theme."""
    language: str = ""
    """Empty for the language of the locale."""
    ascii: bool = False
    bell: bool = True
    title: bool = True
    motion: bool = True
    pace: str = "normal"
    """How long a move of others is seen before the next."""
    word_list: str = ""
    """A file of words of the player's own, for games on this machine."""
    servers: tuple[RecentServer, ...] = ()
    """Recent servers, newest first."""

    def with_recent_server(self, server: RecentServer) -> "Settings":
        others = (each for each in self.servers if each.host != server.host)
        servers = (server, *others)[:MAX_RECENT_SERVERS]
        return replace(self, host=server.host, servers=servers)


class SavedSession(Struct, frozen=True):
    """A token for one server and name. Each has a file of its own, so that clients never overwrite each other."""

    place: str = ""
    token: str = ""


class SettingsStore:
    """Reads and writes settings and tokens. A file that cannot be read counts as missing; errors of writing are ignored."""

    def __init__(self, config: Path | None = None, state: Path | None = None) -> None:
        self._settings = (config or user_config_path("diadem", appauthor=False)) / "client.json"
        self._state = state or user_state_path("diadem", appauthor=False)
        self._sessions = self._state / "sessions"
        self._puzzles = self._state / "puzzles.json"
        documents = user_documents_path() / "Diadem"
        self._exports = documents if state is None else state / "exports"

    def settings(self) -> Settings:
        return _read(self._settings, Settings)

    def save(self, settings: Settings) -> None:
        _write(self._settings, settings)

    def token(self, address: Address, name: str) -> str | None:
        return _read(self._session(_place(address, name)), SavedSession).token or None

    def save_token(self, address: Address, name: str, token: str) -> None:
        place = _place(address, name)
        saved = SavedSession(place, token)
        if _read(self._session(place), SavedSession) != saved:
            _write(self._session(place), saved)

    def puzzle_record(self) -> PuzzleRecord:
        return _read(self._puzzles, PuzzleRecord)

    def save_puzzle_record(self, record: PuzzleRecord) -> None:
        _write(self._puzzles, record)

    def match_folder(self, game: str) -> Path:
        """Where a match against bots on this machine is saved until it is over."""
        return self._state / "solo" / game

    def past_matches_folder(self) -> Path:
        """Where matches that are over are kept."""
        return self._state / "matches"

    def analyses_folder(self) -> Path:
        """Where it is kept what came of weighing them."""
        return self._state / "analyses"

    def shuffles_folder(self) -> Path:
        """Where it is kept what is remembered of shuffles."""
        return self._state / "shuffles"

    def exports_folder(self) -> Path:
        """Where the player finds what they have exported."""
        return self._exports

    def counted_matches_file(self) -> Path:
        """Where it is kept how each of them has ended."""
        return self._state / "results.json"

    def host_folder(self) -> Path:
        """Where the tables of a server of the player's own are kept."""
        return self._state / "host"

    def _session(self, place: str) -> Path:
        """The file of a session; its name is a hash, since player names may hold any character."""
        return self._sessions / f"{sha256(place.encode()).hexdigest()[:32]}.json"


def log_file() -> Path:
    return user_log_path("diadem", appauthor=False) / "client.log"


def _place(address: Address, name: str) -> str:
    return f"{name.casefold()}@{address}"


def _read(path: Path, kind: type[S]) -> S:
    with suppress(OSError), path.open("rb") as file:
        return decoded(file.read(MOST_BYTES + 1), kind, path)
    return kind()


def decoded(content: bytes, kind: type[S], name: object) -> S:
    try:
        if len(content) <= MOST_BYTES:
            return msgspec.json.decode(content, type=kind)
    except (ValueError, RecursionError):
        pass
    log.warning("%s cannot be read and is not used", name)
    return kind()


def encoded(value: Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value))


def _write(path: Path, value: Struct) -> None:
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.touch(mode=0o600)
        draft.write_bytes(encoded(value))
        draft.replace(path)
    except OSError as error:
        log.warning("%s cannot be written: %s", path, error)
