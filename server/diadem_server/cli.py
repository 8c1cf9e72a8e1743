"""The command `game-server`."""

import argparse
import asyncio
import errno
import gc
import json
import logging
import os
import socket
import ssl
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import diadem.lexicon.shelf as word_lists
from diadem import lexicon
from diadem.lexicon.refusal import WordListRefused
from diadem.protocol import MAX_SECRET
from diadem_server import VERSION, options
from diadem_server.app import App, tls
from diadem_server.config import Config, SshConfig
from diadem_server.gates.supervisor import CannotOpen, Supervisor
from diadem_server.net.mdns import own_addresses
from diadem_server.storage import text_file
from diadem_server.storage.backup import NothingKept, back_up
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.private_files import NotPrivate, others_may_read, private_folder
from diadem_server.storage.schema import InUse, OtherVersion

log = logging.getLogger("diadem_server")

FAILED = 1
NEW_OBJECTS = 10_000
"""Made, and not gone, before waste is looked for among them."""
MISTAKEN = 2
LONGEST_WORD_LIST = 64 << 20
"""Bytes; the words of no language take as many."""
HURRY_SECONDS = 3
"""For which a player may save up commands."""


OPEN_TO_ALL = (
    "Whoever can reach this port may play: --password-file asks for a password, "
    "--host 127.0.0.1 keeps to this machine"
)


class CannotStart(Exception):
    """Why the server does not start, in a line for whoever started it."""


def main(arguments: Sequence[str] | None = None) -> None:
    try:
        _do(options.read(arguments, os.environ))
    except options.Mistaken as mistake:
        _end(MISTAKEN, str(mistake))
    except CannotStart as reason:
        _end(FAILED, str(reason))
    except KeyboardInterrupt:
        pass


def _end(status: int, why: str) -> NoReturn:
    sys.stderr.write(f"game-server: {why}\n")
    sys.exit(status)


def _do(given: argparse.Namespace) -> None:
    if given.backup:
        _back_up(given.data, given.backup)
        return
    config = _config(given)
    _log_as(given.log, given.verbose)
    _keep_private(config)
    for name, path in config.word_lists.items():
        _bring(name, path)
    _run(config)


def _keep_private(config: Config) -> None:
    try:
        private_folder(config.data)
    except NotPrivate as error:
        raise CannotStart(str(error)) from None
    except OSError as error:
        raise CannotStart(f"{config.data} cannot be made: {error.strerror}") from None
    key = config.tls_key or config.tls_cert
    if key is not None and others_may_read(key.stat(), key):
        log.warning(
            "the key %s can be read by others; see that only you can: chmod 600 %s", key, key
        )


def _run(config: Config) -> None:
    run: Callable[..., None] = asyncio.run
    # uvloop tells of a connection after its handshake of TLS: those held open could not be counted.
    if config.tls_cert is None:
        with suppress(ImportError):
            import uvloop  # noqa: PLC0415, an extra: faster where it is installed

            run = uvloop.run
    try:
        run(_serve(config))
    except OSError as error:
        raise CannotStart(_about(error, config.host, config.port, "--port")) from None
    except InUse:
        raise CannotStart(f"another server is using {config.data}") from None
    except OtherVersion as error:
        raise CannotStart(_of_other_version(config.data, error)) from None
    except JournalUnavailable as error:
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


async def _serve(config: Config) -> None:
    async with App(config) as app, AsyncExitStack() as also:
        scheme = "wss" if config.tls_cert else "ws"
        log.info("Diadem %s is open, port %d. Join with:", VERSION, app.port)
        for address in _addresses(config.host):
            host = f"[{address}]" if ":" in address else address
            log.info("  game-client --host %s://%s:%d", scheme, host, app.port)
        if config.password is None and app.is_seen_from_outside:
            log.info(OPEN_TO_ALL)
        if config.ssh is not None:
            await _open_ssh(config.ssh, app, also)
        log.info("tables taken up again: %d", len(app.lobby.tables))
        look_for_waste_seldom()
        await app.run_until_told()
        log.info("closing")


def look_for_waste_seldom() -> None:
    """What is there by now stays: to look through it again and again would take some 10 ms. And
    nearly all that is made while people play is gone by itself; only lost lines leave waste."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)


async def _open_ssh(config: SshConfig, app: App, also: AsyncExitStack) -> None:
    try:
        ssh = await also.enter_async_context(Supervisor(config, app))
    except CannotOpen as error:
        raise CannotStart(str(error)) from None
    except OSError as error:
        raise CannotStart(_about(error, app.config.host, config.port, "--ssh")) from None
    log.info("Over ssh, port %d, host key %s. Join with:", ssh.port, ssh.fingerprint)
    for address in _addresses(app.config.host):
        log.info("  ssh -t -p %d %s", ssh.port, address)


def _addresses(host: str | None) -> list[str]:
    """Where others on this network can reach this machine."""
    if host not in {None, "", "0.0.0.0", "::"}:  # noqa: S104
        return [str(host)]
    return list(dict.fromkeys([*_outward_addresses(), "127.0.0.1"]))


def _outward_addresses() -> list[str]:
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: this only asks which way packets would leave this machine.
        probe.connect(("192.0.2.1", 9))
        return [probe.getsockname()[0]]
    return own_addresses()  # a network that leads nowhere else


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


def _why(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, ssl.SSLError) and error.reason is None:
        return "not in PEM"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _bring(name: str, path: Path) -> None:
    try:
        reading = lexicon.read_text(text_file.read_text(path, LONGEST_WORD_LIST), name)
    except text_file.Unreadable as error:
        raise CannotStart(f"the word list {path} cannot be read: {error}") from None
    except WordListRefused as refused:
        raise CannotStart(f"the word list {path} is of no use: {refused.code}") from None
    word_lists.put(name, reading.lexicon)
    log.info("word list %s: %d words", name, len(reading.lexicon))


def _config(given: argparse.Namespace) -> Config:
    config = Config(
        data=given.data,
        host=given.host,
        port=given.port,
        name=given.name,
        announce=not given.no_announce,
        password=_password(given.password_file),
        tls_cert=given.tls_cert,
        tls_key=given.tls_key,
        max_tables=given.max_tables,
        max_tables_per_address=given.max_tables_per_address,
        max_connections=given.max_connections,
        max_per_address=given.max_per_address,
        behind_proxy=given.behind_proxy,
        allow_hosts=tuple(given.allow_host),
        allow_origins=tuple(given.allow_origin),
        connections_a_second=given.max_arrivals,
        commands_a_second=given.max_commands,
        burst=HURRY_SECONDS * given.max_commands,
        bot_pause=given.bot_pause,
        thinkers=given.thinkers,
        keep_replays=given.keep_replays,
        word_lists=dict(given.word_list),
        compress=given.compress,
        ssh=_ssh_config(given),
    )
    try:
        tls(config)
    except OSError as error:
        with_key = f" with the key {given.tls_key}" if given.tls_key else ""
        raise CannotStart(
            f"the certificate {given.tls_cert} cannot be used{with_key}: {_why(error)}"
        ) from None
    return config


def _ssh_config(given: argparse.Namespace) -> SshConfig | None:
    if given.ssh is None:
        return None
    return SshConfig(
        port=given.ssh,
        keys=given.ssh_keys,
        guests=given.ssh_guests,
        most=given.ssh_max,
        most_per_key=given.ssh_max_per_key,
        most_per_address=given.ssh_max_per_address,
        idle_seconds=60.0 * given.ssh_idle,
    )


def _password(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        with path.open(encoding="utf-8") as file:
            if others_may_read(os.fstat(file.fileno()), path):
                raise CannotStart(
                    f"the password file {path} can be read by others;"
                    f" see that only you can: chmod 600 {path}"
                )
            password = file.readline(2 * MAX_SECRET).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"the password file {path} cannot be read: {_why(error)}") from None
    if not password:
        raise CannotStart(f"the first line of the password file {path} is empty")
    if len(password) > MAX_SECRET:
        raise CannotStart(f"the password in {path} is longer than {MAX_SECRET} letters")
    return password


class _AsJson(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if record.exc_text:
            told["error"] = record.exc_text
        elif record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told)


def _log_as(style: str, verbose: bool) -> None:  # noqa: FBT001
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        _AsJson() if style == "json" else logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S")
    )
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("websockets").setLevel(logging.INFO if verbose else logging.CRITICAL)
    logging.getLogger("zeroconf").propagate = verbose
