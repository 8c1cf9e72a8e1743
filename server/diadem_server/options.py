"""How an option of the server is declared: once, beside the field that it sets (see config.py).

The parser, the names in the environment, their defaults, and the table in docs/hosting/options.md follow from it.
"""

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, get_type_hints

from diadem_server.host_names import BadName, Network, read_host, read_origin, read_public_address

PREFIX = "DIADEM_"
WORD_LIST_NAME = re.compile(r"[^:=]{1,30}")
WORD_LIST_LANGUAGE = re.compile(r"[a-z]{2,8}")


@dataclass(frozen=True)
class OptionKind:
    """The kind of value that an option takes. `read` raises ArgumentTypeError."""

    metavar: str
    read: Callable[[str], Any]
    show: Callable[[Any], str] = str
    """Shows a value as it would be typed."""
    allowed: str = ""
    """The allowed values, in a few words."""
    choices: tuple[str, ...] | None = None
    collect: Callable[[Iterable[Any]], Any] | None = None
    """Joins the values of an option that may be given more than once."""


@dataclass(frozen=True)
class Option:
    """Stands in the Annotated type of a field. A bool takes no value, and needs no kind."""

    help: str
    kind: OptionKind | None = None
    name: str = ""
    """The option's name where it differs from the field's, such as "max-arrivals"."""
    default: Any = None
    """The default where the field has none."""


@dataclass(frozen=True)
class Declared:
    """An option, and the field that it sets."""

    field: str
    option: Option
    default: Any

    @property
    def name(self) -> str:
        return self.option.name or (("no-" if self.default is True else "") + _dashed(self.field))

    @property
    def flag(self) -> str:
        return f"--{self.name}"

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return PREFIX + self.destination.upper()

    @property
    def destination(self) -> str:
        """The name in the parser's result."""
        return self.name.replace("-", "_")

    @property
    def shown_default(self) -> str:
        """The default as it would be typed; empty for none."""
        kind = self.option.kind
        return kind.show(self.default) if kind and self.default not in (None, (), {}) else ""

    def value(self, read: Any) -> Any:
        """The value that the field is set to."""
        if self.option.kind is None:
            return read is not self.default
        collect = self.option.kind.collect
        return collect(read) if collect else read


def declared(holder: type) -> list[Declared]:
    """The options of a class, in the order of its fields."""
    hints = get_type_hints(holder, include_extras=True)
    found = []
    for field in fields(holder):
        for option in getattr(hints[field.name], "__metadata__", ()):
            default = option.default if field.default is MISSING else field.default
            found.append(Declared(field.name, option, default))
    return found


def _dashed(field: str) -> str:
    return field.replace("_", "-")


# Kinds


def number(least: int, most: int, *, metavar: str = "N", unit: int = 1) -> OptionKind:
    """A whole number, multiplied by `unit` when it is kept."""

    def read(text: str) -> int:
        with suppress(ValueError):
            if least <= (found := int(text)) <= most:
                return found * unit
        raise ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")

    def show(value: float) -> str:
        return f"{value / unit:g}"

    return OptionKind(metavar, read, show, f"{least} to {most}")


def seconds(most: int) -> OptionKind:
    def read(text: str) -> float:
        with suppress(ValueError):
            if 0 <= (found := float(text)) <= most:
                return found
        raise ArgumentTypeError(f"{text!r} is not a number of seconds from 0 to {most}")

    return OptionKind("SECONDS", read, allowed=f"0 to {most}")


def choice(*among: str) -> OptionKind:
    return OptionKind("|".join(among), str, choices=among, allowed=" or ".join(among))


def _network(text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no address and no network") from None


T = TypeVar("T")


def _checked(read: Callable[[str], T], what: str) -> Callable[[str], T]:
    def checked(text: str) -> T:
        try:
            return read(text)
        except BadName:
            raise ArgumentTypeError(f"{text!r} is not {what}") from None

    return checked


def split_host_port(text: str) -> tuple[str, int]:
    """The address of IPv6 stands in brackets there, and without them here."""
    host, _, port = text.rpartition(":")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _host_port(text: str) -> str:
    with suppress(ValueError):
        host, port = split_host_port(text)
        if host and 0 <= port <= 65535 and (":" not in host or text.startswith("[")):
            return text
    raise ArgumentTypeError(f"{text!r} is not HOST:PORT")


class WordListFile(NamedTuple):
    """A word list of the host's own."""

    path: Path
    language: str = ""
    """A code such as "de"; "" where the host has not said."""


def _word_list(text: str) -> tuple[str, WordListFile]:
    named, separator, path = text.partition("=")
    name, colon, language = named.partition(":")
    known = WORD_LIST_LANGUAGE.fullmatch(language) if colon else True
    if not (separator and path and known and WORD_LIST_NAME.fullmatch(name)):
        raise ArgumentTypeError(f"{text!r} is not NAME=FILE or NAME:LANGUAGE=FILE")
    if not name.isprintable():
        raise ArgumentTypeError(f"{text!r} is not NAME=FILE with a name that can be shown")
    return name, WordListFile(Path(path), language)


TEXT = OptionKind("NAME", str)
ADDRESS = OptionKind("ADDRESS", str)
HOST_PORT = OptionKind("HOST:PORT", _host_port)
DATABASE = OptionKind("URL|FILE", str, allowed="postgresql://..., or a file that holds it")
FILE = OptionKind("FILE", Path)
FOLDER = OptionKind("DIR", Path)
NETWORK = OptionKind("ADDRESS", _network)
HOSTS = OptionKind("NAME", _checked(read_host, "the name of a machine"), collect=tuple)
ORIGINS = OptionKind("URL", _checked(read_origin, "http(s)://NAME"), collect=tuple)
PUBLIC_ADDRESS = OptionKind(
    "ADDRESS", _checked(read_public_address, "NAME, NAME:PORT or wss://NAME:PORT")
)
WORD_LISTS = OptionKind("NAME[:LANGUAGE]=FILE", _word_list, collect=dict)
