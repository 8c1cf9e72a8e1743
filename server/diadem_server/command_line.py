"""The options of `game-server`, from the command line or the environment; a mistake is told in one line."""

import argparse
import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from diadem_server import VERSION
from diadem_server.config import ClusterConfig, Config, Invocation, SshConfig, WebConfig
from diadem_server.options import PREFIX, Declared, declared

ONLY_TYPED = {"backup", "bot-token", "import"}
"""Options of single actions, such as --backup, which the environment cannot set."""
SWITCHES = {"1": True, "yes": True, "true": True, "on": True} | {
    "0": False,
    "no": False,
    "false": False,
    "off": False,
}
ALIKE = 0.75
"""The similarity from which on a word counts as another one mistyped."""
BURST_SECONDS = 3
"""Seconds of unused rate that make up a player's burst of commands."""
EPILOG = """\
Every option can be set in the environment as well: --max-tables is DIADEM_MAX_TABLES.

  game-server                          a game at home: others join with the address it prints
  game-server --password-file FILE     let in only who knows the password
  game-server --tls-cert C --tls-key K over the internet
  game-server --backup FILE            copy all that is kept, while the server plays on
  game-server --bot-token NAME         a token for a bot that others have written
  game-server --import FILE            a match of another server, for whoever is told its code

Tables and matches are kept in the data directory; a server that is started again goes on where it
was. SIGTERM or Ctrl+C ends it politely."""

_OF_SERVER = [*declared(Config), *declared(Invocation)]
GROUPS = {
    "the server": [each for each in _OF_SERVER if not each.name.startswith("max-")],
    "limits": [each for each in _OF_SERVER if each.name.startswith("max-")],
    "over ssh (needs diadem[ssh])": declared(SshConfig),
    "in the browser": declared(WebConfig),
    "many servers (needs diadem[cluster])": declared(ClusterConfig),
}
OPTIONS = [option for group in GROUPS.values() for option in group]


class Mistaken(Exception):
    """A mistake on the command line or in the environment, told in one line."""


def read(arguments: Sequence[str] | None, environment: Mapping[str, str]) -> Invocation:
    """Parse options and environment; raises Mistaken if they make no sense."""
    parser = _parser()
    parser.set_defaults(**_from_environment(environment))
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        raise Mistaken(_about_unknown(unknown[0].partition("=")[0]))
    if given.tls_key and not given.tls_cert:
        raise Mistaken("--tls-key is the key of a certificate: give --tls-cert too")
    if given.ssh is None and (given.ssh_keys or given.ssh_guests):
        raise Mistaken("--ssh-keys and --ssh-guests say who comes in over ssh: give --ssh PORT too")
    if given.web is None and (given.web_host or given.web_origin):
        raise Mistaken(
            "--web-host and --web-origin are of the page for browsers: give --web PORT too"
        )
    ssh = None if given.ssh is None else SshConfig(**_values(SshConfig, given))
    web = None if given.web is None else WebConfig(**_values(WebConfig, given))
    burst = BURST_SECONDS * given.max_commands
    if given.cluster is None and (given.cluster_listen or given.cluster_address):
        raise Mistaken("--cluster-listen and --cluster-address mean nothing without --cluster")
    cluster = ClusterConfig(**_values(ClusterConfig, given)) if given.cluster else None
    config = Config(**_values(Config, given), burst=burst, ssh=ssh, web=web, cluster=cluster)
    return Invocation(config, **_values(Invocation, given))


def _values(holder: type, given: argparse.Namespace) -> dict[str, Any]:
    return {each.field: each.value(getattr(given, each.destination)) for each in declared(holder)}


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Mistaken(message.removeprefix("argument "))


def _parser() -> _Parser:
    parser = _Parser(
        prog="game-server",
        description="Keep tables for the games of Diadem.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"game-server {VERSION}")
    for title, options in GROUPS.items():
        group = parser.add_argument_group(title)
        for each in options:
            group.add_argument(each.flag, **_argument(each))
    return parser


def _argument(declared: Declared) -> dict[str, Any]:
    """The arguments that declare an option to argparse."""
    kind, text = declared.option.kind, declared.option.help
    if kind is None:
        return {"action": "store_true", "help": text}
    return {
        "action": "append" if kind.collect else "store",
        "default": [] if kind.collect else declared.default,
        "type": kind.read,
        "choices": kind.choices,
        "metavar": kind.metavar,
        "help": f"{text} (default: {declared.shown_default})" if declared.shown_default else text,
    }


# The environment


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Defaults from the environment, by destination.

    A variable that is no option may be another program's. Where it looks like one of ours it is
    mistyped: without its password a server would be open to all.
    """
    found = {}
    options = {each.variable.removeprefix(PREFIX): each for each in OPTIONS}
    for variable, text in environment.items():
        prefix, ours, name = variable.partition(PREFIX)
        if prefix or not ours:
            continue
        if name not in options:
            if close := _closest(name, options):
                raise Mistaken(f"there is no {variable}; did you mean {PREFIX}{close}?")
        elif options[name].name not in ONLY_TYPED:
            try:
                found[options[name].destination] = _from_text(options[name], text)
            except argparse.ArgumentTypeError as error:
                raise Mistaken(f"{variable}: {error}") from None
    return found


def _from_text(declared: Declared, text: str) -> Any:
    kind = declared.option.kind
    if not text:
        raise argparse.ArgumentTypeError("it is empty")
    if kind is None:
        if text.casefold() not in SWITCHES:
            raise argparse.ArgumentTypeError(f"{text!r} is neither yes nor no")
        return SWITCHES[text.casefold()]
    if kind.choices is not None and text not in kind.choices:
        raise argparse.ArgumentTypeError(f"choose from {', '.join(kind.choices)}")
    return [kind.read(each) for each in text.split(",")] if kind.collect else kind.read(text)


# What was mistyped


def _about_unknown(word: str) -> str:
    close = _closest(word, ("--help", "--version", *(each.flag for each in OPTIONS)))
    return f"there is no {word}; " + (
        f"did you mean {close}?" if close else "--help shows what there is"
    )


def _closest(word: str, words: Iterable[str]) -> str | None:
    return next(iter(difflib.get_close_matches(word, list(words), n=1, cutoff=ALIKE)), None)
