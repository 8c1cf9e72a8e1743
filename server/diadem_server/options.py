"""What can be typed behind `game-server` or set in its environment; a mistake is told in one line."""

import argparse
import difflib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NoReturn

from platformdirs import user_data_path

from diadem_server import VERSION
from diadem_server.net.addresses import Network
from diadem_server.net.origin import BadName, read_host, read_origin

PREFIX = "DIADEM_"
ONLY_TYPED = {"backup", "help", "version"}
"""What is done once and then ends is no matter for the environment."""
SWITCHES = {"1": True, "yes": True, "true": True, "on": True} | {
    "0": False,
    "no": False,
    "false": False,
    "off": False,
}
ALIKE = 0.75
"""From which on a word is taken for another mistyped."""
EPILOG = """\
Every option can be set in the environment as well: --max-tables is DIADEM_MAX_TABLES.

  game-server                          a game at home: others join with the address it prints
  game-server --password-file FILE     let in only who knows the password
  game-server --tls-cert C --tls-key K over the internet
  game-server --backup FILE            copy all that is kept, while the server plays on

Tables and matches are kept in the data directory; a server that is started again goes on where it
was. SIGTERM or Ctrl+C ends it politely."""


class Mistaken(Exception):
    """Why this cannot be done, in a line for whoever typed it."""


def read(arguments: Sequence[str] | None, environment: Mapping[str, str]) -> argparse.Namespace:
    """What is asked for; Mistaken if that makes no sense."""
    parser = _parser()
    _take_defaults(parser, environment)
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        raise Mistaken(_about_unknown(unknown[0].partition("=")[0], parser.names))
    if given.tls_key and not given.tls_cert:
        raise Mistaken("--tls-key is the key of a certificate: give --tls-cert too")
    if given.ssh is None and (given.ssh_keys or given.ssh_guests):
        raise Mistaken("--ssh-keys and --ssh-guests say who comes in over ssh: give --ssh PORT too")
    return given


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Mistaken(message.removeprefix("argument "))

    @property
    def names(self) -> list[str]:
        return list(self._option_string_actions)

    @property
    def options(self) -> list[argparse.Action]:
        return self._actions


def _parser() -> _Parser:
    parser = _Parser(
        prog="game-server",
        description="Keep tables for the games of Diadem.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
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
    _add_limits(parser)
    add(
        "--behind-proxy",
        type=_network,
        metavar="ADDRESS",
        help="connections from there (an address or a network) count for whom X-Forwarded-For names",
    )
    add(
        "--allow-host",
        type=_allowed(read_host, "the name of a machine"),
        action="append",
        default=[],
        metavar="NAME",
        help="a name of this server in the DNS, if players come without TLS",
    )
    add(
        "--allow-origin",
        type=_allowed(read_origin, "http(s)://NAME"),
        action="append",
        default=[],
        metavar="URL",
        help="let web pages from there use this server",
    )
    _add_count(parser, "--keep-replays", 0, 10**9, 1000, "finished matches to keep")
    add(
        "--bot-pause",
        type=_seconds,
        default=0.8,
        metavar="SECONDS",
        help="what a bot takes over a move (default: 0.8)",
    )
    _add_count(parser, "--thinkers", 1, 64, 1, "processes for bots that think for long")
    add("--compress", action="store_true", help="save bytes for players far away, at some cost")
    add("--log", choices=["human", "json"], default="human", help="default: human")
    add("--verbose", action="store_true", help="log connections that went wrong")
    add("--version", action="version", version=f"game-server {VERSION}")
    _add_ssh(parser)
    return parser


def _add_limits(parser: _Parser) -> None:
    limits = parser.add_argument_group("limits")
    some = 1, 100_000
    _add_count(limits, "--max-tables", *some, 200, "tables at a time")
    _add_count(
        limits, "--max-tables-per-address", *some, 25, "of them made from one address and not over"
    )
    _add_count(limits, "--max-connections", *some, 500, "connections at a time")
    _add_count(limits, "--max-per-address", *some, 50, "of them from one address")
    _add_count(
        limits,
        *("--max-arrivals", *some, 5),
        "a second from one address, once twice --max-per-address have come",
    )
    _add_count(
        limits,
        *("--max-commands", 10, 100_000, 20),
        "a second from one player, who may hurry for three seconds",
    )


def _add_ssh(parser: _Parser) -> None:
    ssh = parser.add_argument_group("over ssh (needs diadem[ssh])")
    ssh.add_argument(
        "--ssh",
        type=_number(0, 65535),
        metavar="PORT",
        help="let players in over ssh, who need nothing else: ssh -t -p PORT HOST",
    )
    ssh.add_argument(
        "--ssh-keys", type=Path, metavar="FILE", help="only with these public keys, one a line"
    )
    ssh.add_argument(
        "--ssh-guests", action="store_true", help="also without a key, under any free name"
    )
    some = 1, 10_000
    _add_count(ssh, "--ssh-max", *some, 50, "sessions in all")
    _add_count(ssh, "--ssh-max-per-key", *some, 3, "of one player")
    _add_count(ssh, "--ssh-max-per-address", *some, 20, "connections from one address")
    ssh.add_argument(
        "--ssh-idle",
        type=_number(0, 10_000),
        default=30,
        metavar="MINUTES",
        help="without a key pressed, after which a session is closed (default: 30; 0 for never)",
    )


def _add_count(
    group: argparse._ActionsContainer,  # argparse has no public name for it
    option: str,
    least: int,
    most: int,
    default: int,
    what: str,
) -> None:
    group.add_argument(
        option,
        type=_number(least, most),
        default=default,
        metavar="N",
        help=f"{what} (default: {default})",
    )


# What was mistyped


def _about_unknown(word: str, words: Sequence[str]) -> str:
    close = _closest(word, words)
    return f"there is no {word}; " + (
        f"did you mean {close}?" if close else "--help shows what there is"
    )


def _closest(word: str, words: Sequence[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, words, n=1, cutoff=ALIKE)), None)


def _take_defaults(parser: _Parser, environment: Mapping[str, str]) -> None:
    """Options from the environment.

    A variable that is no option may be another program's. Where it looks like one of ours it is
    mistyped: without its password a server would be open to all.
    """
    options = {action.dest.upper(): action for action in parser.options}
    for variable, text in environment.items():
        prefix, ours, name = variable.partition(PREFIX)
        if prefix or not ours:
            continue
        if name in options and options[name].dest not in ONLY_TYPED:
            try:
                options[name].default = _from_text(options[name], text)
            except argparse.ArgumentTypeError as error:
                raise Mistaken(f"{variable}: {error}") from None
        elif name not in options and (close := _closest(name, list(options))):
            raise Mistaken(f"there is no {variable}; did you mean {PREFIX}{close}?")


def _from_text(action: argparse.Action, text: str) -> Any:
    read: Callable[[str], Any] = action.type if callable(action.type) else str
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    if action.nargs == 0:
        if text.casefold() not in SWITCHES:
            raise argparse.ArgumentTypeError(f"{text!r} is neither yes nor no")
        return SWITCHES[text.casefold()]
    if action.choices is not None and text not in action.choices:
        raise argparse.ArgumentTypeError(f"choose from {', '.join(action.choices)}")
    return [read(each) for each in text.split(",")] if action.default == [] else read(text)


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


def _allowed(read: Callable[[str], str], what: str) -> Callable[[str], str]:
    def checked(text: str) -> str:
        try:
            return read(text)
        except BadName:
            raise argparse.ArgumentTypeError(f"{text!r} is not {what}") from None

    return checked


def _word_list(text: str) -> tuple[str, Path]:
    name, separator, path = text.partition("=")
    if not separator or not name or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=FILE")
    return name, Path(path)
