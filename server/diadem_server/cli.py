"""The command `game-server`: reads its options, runs the server, and tells in a line why it could not start."""

import asyncio
import errno
import logging
import os
import shlex
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeAlias

from diadem_server import VERSION, command_line, option_files
from diadem_server.app import App
from diadem_server.config import ClusterConfig, Config, Invocation, SshConfig, WebConfig
from diadem_server.gates import kinds
from diadem_server.gates.messages import CannotListen
from diadem_server.gates.supervisor import Supervisor
from diadem_server.gc_tuning import collect_seldom
from diadem_server.logs import write_log
from diadem_server.net.own_addresses import reachable_at
from diadem_server.sessions import bot_tokens
from diadem_server.storage import imported
from diadem_server.storage.backup import NothingKept, back_up
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.private_files import NotPrivate, private_folder
from diadem_server.storage.schema import InUse, OtherVersion
from diadem_server.terminal_qr import write_code
from diadem_shared.invitation import way
from diadem_shared.protocol import CLIENT, SSH, WEB

log = logging.getLogger("diadem_server")
Opened: TypeAlias = Callable[[App], AbstractAsyncContextManager[None]]

FAILED = 1
MISTAKEN = 2
OPEN_TO_ALL = (
    "Whoever can reach this port may play: --password-file asks for a password, "
    "--host 127.0.0.1 keeps to this machine"
)
SEEN_BY_OTHERS = (
    "Other users of this machine see what is typed: a password of the database is better in a file, "
    "--cluster FILE, or in the environment"
)
CLUSTER_NEEDS = "asyncpg cryptography"


class CannotStart(Exception):
    """The server cannot start, told in a line."""


def main(arguments: Sequence[str] | None = None) -> None:
    try:
        typed = sys.argv[1:] if arguments is None else arguments
        _do(command_line.read(typed, os.environ), typed)
    except command_line.Mistaken as mistake:
        _end(MISTAKEN, str(mistake))
    except (CannotStart, option_files.BadFile) as reason:
        _end(FAILED, str(reason))
    except KeyboardInterrupt:
        pass


def _end(status: int, why: str) -> NoReturn:
    sys.stderr.write(f"game-server: {why}\n")
    sys.exit(status)


def _do(asked: Invocation, typed: Sequence[str]) -> None:
    config = asked.config
    if asked.backup and config.cluster is not None:
        raise CannotStart(_copied_by_pg_dump(config.cluster.database, asked.backup))
    if asked.backup:
        _back_up(config.data, asked.backup)
        return
    if asked.bot_token is not None:
        _make_private(config.data)
        _make_bot_token(config.data, asked.bot_token)
        return
    if asked.match_file is not None:
        _import(config, asked.match_file)
        return
    if asked.password_file:
        config = replace(config, password=option_files.read_password(asked.password_file))
    if config.cluster is not None:
        database = option_files.read_database(config.cluster.database)
        config = replace(config, cluster=replace(config.cluster, database=database))
    write_log(asked.log, verbose=asked.verbose)
    if any(map(option_files.shows_password, typed)):
        log.warning(SEEN_BY_OTHERS)
    option_files.check_certificate(config)
    _make_private(config.data)
    _load_word_lists(config)
    _run(config, shows_code=asked.log == "human")


def _load_word_lists(config: Config) -> None:
    for name, file in config.word_lists.items():
        option_files.load_word_list(name, file)


def _make_private(data: Path) -> None:
    try:
        private_folder(data)
    except NotPrivate as error:
        raise CannotStart(str(error)) from None
    except OSError as error:
        raise CannotStart(f"{data} cannot be made: {error.strerror}") from None


def _run(config: Config, *, shows_code: bool) -> None:
    run: Callable[..., None] = asyncio.run
    with suppress(ImportError):
        import uvloop  # noqa: PLC0415, an extra: faster where it is installed

        run = uvloop.run
    try:
        run(serve(config, shows_code=shows_code))
    except OSError as error:
        raise CannotStart(_about(error, config.host, config.port, "--port")) from None
    except InUse:
        raise CannotStart(f"another server is using {config.data}") from None
    except OtherVersion as error:
        raise CannotStart(_of_other_version(config.data, error)) from None
    except JournalUnavailable as error:
        if config.cluster is not None:
            raise CannotStart(str(error)) from None
        raise CannotStart(f"{config.data} cannot be written: {error}") from None


def _of_other_version(data: Path, error: OtherVersion) -> str:
    return f"{data} was written by another version of Diadem ({error}); it is left alone"


def _back_up(data: Path, target: Path) -> None:
    try:
        back_up(data, target)
    except NothingKept:
        raise CannotStart(f"nothing is kept in {data}") from None
    except OtherVersion as error:
        raise CannotStart(_of_other_version(data, error)) from None
    except JournalUnavailable as error:
        raise CannotStart(f"{data} was not copied to {target}: {error}") from None


def _make_bot_token(data: Path, name: str) -> None:
    try:
        print(bot_tokens.make(data, name))  # noqa: T201, what was asked for
    except bot_tokens.NotMade as error:
        raise CannotStart(str(error)) from None


def _import(config: Config, file: Path) -> None:
    _make_private(config.data)
    _load_word_lists(config)
    try:
        print(imported.bring(config.data, file))  # noqa: T201, what was asked for
    except imported.NotImported as error:
        raise CannotStart(str(error)) from None


def _copied_by_pg_dump(database: str, target: Path) -> str:
    url = f"$(head -n 1 {shlex.quote(database)})"
    if option_files.is_url(database):
        url = option_files.without_password(database)
    return (
        "what many servers share is copied by PostgreSQL's own program:"
        f' pg_dump --format=custom --file={shlex.quote(str(target))} "{url}"'
    )


async def serve(config: Config, *, shows_code: bool = False) -> None:
    """Run until SIGTERM or SIGINT. With a QR code of the page, if there is one and standard output can show it."""
    collect_seldom()  # while tables are restored
    opened = partial(_opened, shows_code=shows_code)
    if config.cluster is not None:
        await _serve_with_others(config, config.cluster, opened)
        return
    async with App(config) as app:
        end, _ = told_to_end()  # before it says that it is open: from then on it may be told to end
        async with opened(app):
            collect_seldom()  # and not over those tables either
            await end.wait()
            log.info("closing")


async def _serve_with_others(config: Config, cluster: ClusterConfig, opened: Opened) -> None:
    try:
        from diadem_server.cluster import node  # noqa: PLC0415, an extra
    except ImportError as error:
        raise CannotStart(f"--cluster needs more ({error}): pip install {CLUSTER_NEEDS}") from None
    await node.run(config, cluster, opened, *told_to_end())


@asynccontextmanager
async def _opened(app: App, *, shows_code: bool) -> AsyncIterator[None]:
    """Say where it is, and open its gates."""
    config = app.config
    log.info("Diadem %s is open, port %d. Join with:", VERSION, app.port)
    _log_ways(app, CLIENT, config.host)
    if config.password is None and app.is_seen_from_outside:
        log.info(OPEN_TO_ALL)
    async with AsyncExitStack() as also:
        if config.ssh is not None:
            await _open_ssh(config.ssh, app, also)
        page = await _open_web(config.web, app, also) if config.web is not None else ""
        if config.cluster is None:
            log.info("tables taken up again: %d", len(app.lobby.tables))
        if shows_code and WEB in {door.kind for door in app.lobby.doors.lines()}:
            write_code(page, sys.stdout, os.environ)
        yield


def told_to_end() -> tuple[asyncio.Event, asyncio.Event]:
    """Set by the first SIGTERM or SIGINT, and by the second."""
    told, told_again = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell() -> None:
        (told_again if told.is_set() else told).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):
            loop.add_signal_handler(number, tell)
    return told, told_again


async def _open_ssh(config: SshConfig, app: App, also: AsyncExitStack) -> None:
    ssh = await _open(kinds.ssh(config, app), app.config.host, app, also)
    log.info("Over ssh, port %d, host key %s. Join with:", ssh.port, ssh.fingerprint)
    _log_ways(app, SSH, app.config.host)


async def _open_web(config: WebConfig, app: App, also: AsyncExitStack) -> str:
    """The address of the page, as a camera shall read it."""
    listens_at = config.host or app.config.host
    web = await _open(kinds.web(config, app), listens_at, app, also)
    log.info("In the browser, port %d. Join with:", web.port)
    return _log_ways(app, WEB, listens_at)


def _log_ways(app: App, kind: str, listens_at: str | None) -> str:
    """Tell what others type or open; the first of it is returned."""
    door = app.lobby.doors.door(kind)
    found = [way(door, host) for host in ([door.host] if door.host else reachable_at(listens_at))]
    for each in found:
        log.info("  %s", each)
    return found[0]


async def _open(
    kind: kinds.GateKind, listens_at: str | None, app: App, also: AsyncExitStack
) -> Supervisor:
    try:
        return await also.enter_async_context(Supervisor(kind, app))
    except CannotListen as error:
        raise CannotStart(str(error)) from None
    except OSError as error:
        raise CannotStart(_about(error, listens_at, kind.port, f"--{kind.name}")) from None


def _about(error: OSError, host: str | None, port: int, option: str) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} is in use; choose another with {option}"
        case errno.EACCES if port < 1024:
            return f"port {port} needs more rights; choose one above 1023 with {option}"
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this machine"
        case _ if isinstance(error, socket.gaierror):
            return f"{host} is no address"
        case _:
            return str(error)
