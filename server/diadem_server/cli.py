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
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from ipaddress import ip_network
from pathlib import Path

from platformdirs import user_data_path

import diadem.lexicon.shelf as word_lists
from diadem.lexicon import read_text
from diadem.lexicon.refusal import WordListRefused
from diadem_server import VERSION
from diadem_server.announcing import own_addresses
from diadem_server.app import App, tls
from diadem_server.backup import NothingKept, back_up
from diadem_server.config import Config, SshConfig
from diadem_server.journal import InUse, JournalUnavailable, OtherVersion
from diadem_server.origin import Network
from diadem_server.ssh import CannotOpen
from diadem_server.ssh.options import add_options, read_options

log = logging.getLogger("diadem_server")

FAILED = 1
ONLY_TYPED = {"backup", "help", "version"}
"""What is done once and then ends is no matter for the environment."""
EPILOG = """\
Every option can be set in the environment as well: --max-tables is DIADEM_MAX_TABLES.

  game-server                          a game at home: others join with the address it prints
  game-server --password-file FILE     let in only who knows the password
  game-server --tls-cert C --tls-key K over the internet
  game-server --backup FILE            copy all that is kept, while the server plays on

Tables and matches are kept in the data directory; a server that is started again goes on where it
was. SIGTERM or Ctrl+C ends it politely."""


class CannotStart(Exception):
    """Why the server does not start, in a line for whoever started it."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser(os.environ)
    given = parser.parse_args(arguments)
    if given.tls_key and not given.tls_cert:
        parser.error("--tls-key is the key of a certificate: give --tls-cert too")
    try:
        if given.backup:
            _back_up(given.data, given.backup)
            return
        config = _config(given, read_options(parser, given))
        _log_as(given.log, given.verbose)
        for name, path in config.word_lists.items():
            _bring(name, path)
        _run(config)
    except CannotStart as reason:
        parser.exit(FAILED, f"game-server: {reason}\n")
    except KeyboardInterrupt:
        pass


def _run(config: Config) -> None:
    run: Callable[..., None] = asyncio.run
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
        if config.ssh is not None:
            await _open_ssh(config.ssh, app, also)
        log.info("%d tables were taken up again", len(app.hall.tables))
        # What is there by now stays. To look through it for garbage again and again would take some 10 ms.
        gc.collect()
        gc.freeze()
        await app.run_until_told()
        log.info("closing")


async def _open_ssh(config: SshConfig, app: App, also: AsyncExitStack) -> None:
    try:
        from diadem_server.ssh.listener import Listener  # noqa: PLC0415, an extra
    except ModuleNotFoundError:
        raise CannotStart("--ssh needs asyncssh: pip install 'diadem[ssh]'") from None
    try:
        ssh = await also.enter_async_context(Listener(config, app))
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
        case _:
            return str(error)


def _bring(name: str, path: Path) -> None:
    try:
        reading = read_text(path.read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"the word list {path} cannot be read: {error}") from None
    except WordListRefused as refused:
        raise CannotStart(f"the word list {path} is of no use: {refused.code}") from None
    word_lists.put(name, reading.lexicon)
    log.info("word list %s: %d words", name, len(reading.lexicon))


def _config(given: argparse.Namespace, ssh: SshConfig | None) -> Config:
    try:
        given.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart(f"{given.data} cannot be made: {error.strerror}") from None
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
        max_connections=given.max_connections,
        max_per_address=given.max_per_address,
        behind_proxy=given.behind_proxy,
        bot_pause=given.bot_pause,
        keep_replays=given.keep_replays,
        word_lists=dict(given.word_list),
        compress=given.compress,
        ssh=ssh,
    )
    try:
        tls(config)
    except (OSError, ssl.SSLError) as error:
        raise CannotStart(f"the certificate {given.tls_cert} cannot be used: {error}") from None
    return config


def _password(path: Path | None) -> str | None:
    if path is None:
        return None
    try:
        password = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CannotStart(f"the password file {path} cannot be read: {error}") from None
    if not password:
        raise CannotStart(f"the password file {path} is empty")
    return password


class _AsJson(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if record.exc_info:
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


def _parser(environment: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="game-server",
        description="Keep tables for the games of Diadem.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--host", metavar="ADDRESS", help="listen on this address only (default: on all)")
    add("--port", type=_number(0, 65535), default=7453, help="default: 7453; 0 picks a free one")
    add("--name", default="Diadem", help="what players see as the server's name")
    add("--no-announce", action="store_true", help="do not make it known on the local network")
    add(
        "--data",
        type=Path,
        default=user_data_path("diadem", appauthor=False),
        metavar="DIR",
        help="where matches are kept (default: %(default)s)",
    )
    add("--backup", type=Path, metavar="FILE", help="copy all that is kept to FILE, and end")
    add("--password-file", type=Path, metavar="FILE", help="ask players for the password in it")
    add("--tls-cert", type=Path, metavar="FILE", help="serve wss:// with this certificate")
    add("--tls-key", type=Path, metavar="FILE", help="its key, if that is in another file")
    add(
        "--word-list",
        type=_word_list,
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="another list of words for Diamino, one a line",
    )
    add("--max-tables", type=_number(1, 100_000), default=200, metavar="N", help="default: 200")
    add(
        "--max-connections", type=_number(1, 100_000), default=500, metavar="N", help="default: 500"
    )
    add(
        "--max-per-address",
        type=_number(1, 100_000),
        default=50,
        metavar="N",
        help="connections from one address (default: 50)",
    )
    add(
        "--behind-proxy",
        type=_network,
        metavar="ADDRESS",
        help="connections from there (an address or a network) count for whom X-Forwarded-For names",
    )
    add(
        "--keep-replays",
        type=_number(0, 10**9),
        default=1000,
        metavar="N",
        help="finished matches to keep (default: 1000)",
    )
    add(
        "--bot-pause",
        type=_seconds,
        default=0.8,
        metavar="SECONDS",
        help="what a bot takes over a move (default: 0.8)",
    )
    add_options(parser, _number)
    add("--compress", action="store_true", help="save bytes for players far away, at some cost")
    add("--log", choices=["human", "json"], default="human", help="default: human")
    add("--verbose", action="store_true", help="log connections that went wrong")
    add("--version", action="version", version=f"game-server {VERSION}")
    _take_defaults(parser, environment)
    return parser


def _take_defaults(parser: argparse.ArgumentParser, environment: Mapping[str, str]) -> None:
    """Options from the environment; argparse checks a default in text as if it were typed."""
    for action in parser._actions:  # noqa: SLF001, argparse has no public list of its options
        value = environment.get(f"DIADEM_{action.dest.upper()}")
        if value is None or action.dest in ONLY_TYPED:
            continue
        if action.nargs == 0:
            action.default = value.casefold() in {"1", "yes", "true", "on"}
        elif isinstance(action.default, list):
            try:
                action.default = [_word_list(each) for each in value.split(",")]
            except argparse.ArgumentTypeError as error:
                parser.error(f"DIADEM_{action.dest.upper()}: {error}")
        elif action.choices is not None and value not in action.choices:
            parser.error(f"DIADEM_{action.dest.upper()}: choose from {', '.join(action.choices)}")
        else:
            action.default = value


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        with suppress(ValueError):
            if least <= (number := int(text)) <= most:
                return number
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")

    return read


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (seconds := float(text)) <= 60:
            return seconds
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to 60")


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no address and no network") from None


def _word_list(text: str) -> tuple[str, Path]:
    name, separator, path = text.partition("=")
    if not separator or not name or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FILE")
    return name, Path(path)
