"""A hosted client: it runs on the host's machine for a player who came over ssh (`game-client --hosted`).

Its player has a terminal and nothing else: no other server, no file, no shell. Who they are was
authenticated before: by the server's own ssh gate, which sends orders, or by the system's sshd, which names
them on the command line that it is set up to run.
"""

import getpass
import logging
import os
import re
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeVar

from msgspec import Struct
from platformdirs import user_state_path

from diadem_client import i18n
from diadem_client.hosted import sandbox
from diadem_client.hosted.gate_line import GateLine
from diadem_client.i18n import gettext as _
from diadem_client.look.color_depth import is_linux_console, is_our_page, tier_of
from diadem_client.net.address import Address, read_address
from diadem_client.settings import Settings, SettingsStore, decoded, encoded
from diadem_client.state.puzzle_record import PuzzleRecord
from diadem_shared.forkserver_protocol import NO_LAYER, TABLE_CODE, FileName, LaunchRequest, Layer
from diadem_shared.protocol import LONGEST_NAME

log = logging.getLogger(__name__)

S = TypeVar("S", bound=Struct)

SETTINGS: Final = "client.json"
PUZZLES: Final = "puzzles.json"
CRASHED = 1
USAGE = 2
ALLOWED_VARIABLES = re.compile(
    r"COLORTERM|HOME|LANG|LANGUAGE|LC_[A-Z]+|LOGNAME|NO_COLOR|PATH|TERM|TERM_PROGRAM|TMPDIR|TZ|USER|XDG_[A-Z_]+"
)
"""Environment variables that a player may set; others could tell libraries where to write files."""
HERE = "Diadem"
"""The server's name until it has told it."""


class HostedSettingsStore(SettingsStore):
    """What is kept for one player, who is known by their key, whatever name they take."""

    folder: Path | None = None
    """Where this process writes it, if it does so by itself."""
    is_known_player = True
    """Whether the player is the same when they come back."""


class GateSettingsStore(HostedSettingsStore):
    """What a gate keeps. It knows the player's token as well, so that is never sent to it. For a guest it keeps nothing."""

    def __init__(
        self,
        files: Mapping[FileName, bytes] | None = None,
        keep: Callable[[FileName, bytes], None] | None = None,
    ) -> None:
        super().__init__()
        self._files = dict(files or {})
        self._keep = keep
        self._token: str | None = None
        self.is_known_player = keep is not None

    def settings(self) -> Settings:
        return self._read_file(SETTINGS, Settings)

    def save(self, settings: Settings) -> None:
        self._keep_file(SETTINGS, settings)

    def puzzle_record(self) -> PuzzleRecord:
        return self._read_file(PUZZLES, PuzzleRecord)

    def save_puzzle_record(self, record: PuzzleRecord) -> None:
        self._keep_file(PUZZLES, record)

    def token(self, address: Address, name: str) -> str | None:
        return self._token

    def save_token(self, address: Address, name: str, token: str) -> None:
        self._token = token

    def _read_file(self, name: FileName, kind: type[S]) -> S:
        content = self._files.get(name)
        return kind() if content is None else decoded(content, kind, name)

    def _keep_file(self, name: FileName, value: Struct) -> None:
        if self._keep is not None:
            self._files[name] = encoded(value)
            self._keep(name, self._files[name])


class FolderSettingsStore(HostedSettingsStore):
    """What is kept in a folder, with the player's token: the system's sshd knows who they are, and the server does not."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, folder)
        self.folder = folder

    def token(self, address: Address, name: str) -> str | None:
        return super().token(address, "")

    def save_token(self, address: Address, name: str, token: str) -> None:
        super().save_token(address, "", token)


class HostedLaunch(Struct, frozen=True):
    """What a hosted client is launched with: player, server and terminal."""

    address: Address
    name: str
    store: HostedSettingsStore
    table: str = ""
    password: str = ""
    reached: str = ""
    """The name or address by which the player came to this machine."""
    page: str = ""
    """The origin of the page in whose browser they are."""
    idle: float = 0.0
    language: str | None = None
    ascii: bool = False
    confined_by: Layer = NO_LAYER
    """What it has to be confined by."""


def from_gate(line: GateLine, orders: LaunchRequest, confined_by: Layer = NO_LAYER) -> HostedLaunch:
    return HostedLaunch(
        Address(HERE, opened_by=line.connection),
        orders.name,
        GateSettingsStore(orders.files, line.keep if orders.is_known else None),
        orders.table,
        orders.password,
        orders.reached,
        orders.page,
        orders.idle,
        confined_by=confined_by,
    )


class NotAllowed(Exception):
    """The command line asks for something that hosted clients do not have, told in a sentence."""


def from_command_line(given: Namespace, environment: Mapping[str, str]) -> HostedLaunch:
    """The launch of a client that the system's sshd runs."""
    wanted = environment.get("SSH_ORIGINAL_COMMAND", "").strip() or given.table or ""
    if wanted and not TABLE_CODE.fullmatch(wanted):
        raise NotAllowed(_("Only the code of a table can be asked for, like K7F3."))
    player = given.player or _unix_user()
    folder = user_state_path("diadem", appauthor=False) / "players" / _slug(player)
    return HostedLaunch(
        read_address(given.host or "127.0.0.1"),
        given.name or player[:LONGEST_NAME],
        FolderSettingsStore(folder),
        wanted,
        reached=_reached(environment.get("SSH_CONNECTION", "")),
        idle=60.0 * given.idle,
        language=given.lang,
        ascii=given.ascii,
    )


def _reached(ssh_connection: str) -> str:
    """This machine's end of the connection, of which sshd tells both ends with their ports."""
    told = ssh_connection.split()
    return told[2] if len(told) == 4 else ""


def _slug(player: str) -> str:
    """The name of a player's folder: a hash, since player ids may hold any character."""
    return sha256(player.encode()).hexdigest()[:32]


def _unix_user() -> str:
    with suppress(OSError, KeyError):
        return getpass.getuser()
    return _("Player")


def unusable_terminal() -> str | None:
    """Why the terminal cannot show the client; None if it can."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _("Diadem needs a terminal: ssh -t")
    if os.environ.get("TERM", "") in {"", "dumb"}:
        return _("This terminal cannot place text (TERM=dumb).")
    return None


def play(launch: HostedLaunch) -> int:
    """Run until the player leaves; the exit status."""
    for key in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(key, signal.SIG_IGN)  # until the screen takes them as keys like others
    for name in [each for each in os.environ if not ALLOWED_VARIABLES.fullmatch(each)]:
        del os.environ[name]
    settings = launch.store.settings()
    i18n.set_language(launch.language or settings.language or None)
    if why := unusable_terminal():
        _say(why)
        return USAGE
    from diadem_client.hosted.app import HostedApp  # noqa: PLC0415
    from diadem_client.launch import LaunchOptions, TerminalOptions  # noqa: PLC0415
    from diadem_client.terminal.driver import HostedDriver, exit_on_hangup  # noqa: PLC0415

    sandbox.enter(launch.address, launch.store.folder, launch.confined_by)
    exit_on_hangup()
    options = LaunchOptions(
        name=launch.name,
        table=launch.table,
        address=launch.address,
        reached=launch.reached,
        page=launch.page,
        connect_at_once=True,
        password=launch.password,
    )
    terminal = TerminalOptions(
        driver=HostedDriver,
        must_be_ascii=launch.ascii or not expects_utf8(os.environ),
        tier=tier_of(os.environ, settings.colours),
        on_console=is_linux_console(os.environ),
        is_our_page=is_our_page(os.environ),
    )
    app = HostedApp(options, launch.store, idle=launch.idle, settings=settings, terminal=terminal)
    app.run()
    if app.crash is None:
        _say(app.goodbye)
        return 0
    log.critical("a hosted client broke down", exc_info=app.crash)
    _say(_("Something broke in Diadem, and it had to stop. The host's log tells what."))
    return CRASHED


def _say(words: str) -> None:
    """Unless the player's line is gone already, and the terminal with it."""
    with suppress(OSError):
        print(words, flush=True)


def expects_utf8(environment: Mapping[str, str]) -> bool:
    """Whether the player's terminal shows UTF-8, by its locale. That locale need not exist on this machine;
    a terminal that names none counts as UTF-8."""
    named = next((v for v in map(environment.get, ("LC_ALL", "LC_CTYPE", "LANG")) if v), "")
    return not named or "utf8" in named.casefold().replace("-", "")
