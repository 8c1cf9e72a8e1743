"""Word lists by name: those that are shipped, and those a host has brought along."""

from msgspec import Struct

from diadem_shared.lexicon import shipped
from diadem_shared.lexicon.lexicon import Lexicon

_brought: dict[str, Lexicon] = {}


class WordListLine(Struct, frozen=True):
    """A word list as a server offers it."""

    name: str
    language: str
    """A code such as "de"; "" where the host has not said."""
    words: int


def put(name: str, lexicon: Lexicon) -> None:
    """Make a list of the host's own known under a name, for every table of this process."""
    _brought[name] = lexicon


def names() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*shipped.languages(), *_brought)))


def take(name: str) -> Lexicon:
    return _brought[name] if name in _brought else shipped.load(name)


def lines() -> tuple[WordListLine, ...]:
    """What there is; nothing is loaded for that."""
    return tuple(map(_line, names()))


def _line(name: str) -> WordListLine:
    if name in _brought:
        return WordListLine(name, _brought[name].language, len(_brought[name]))
    return WordListLine(name, name, shipped.size(name))
