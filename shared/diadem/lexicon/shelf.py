"""Word lists by name: those that are shipped, and those a host has brought along."""

from diadem.lexicon import shipped
from diadem.lexicon.lexicon import Lexicon

_brought: dict[str, Lexicon] = {}


def put(name: str, lexicon: Lexicon) -> None:
    """Make a list of the host's own known under a name, for every table of this process."""
    _brought[name] = lexicon


def names() -> tuple[str, ...]:
    return (*shipped.languages(), *_brought)


def take(name: str) -> Lexicon:
    return _brought[name] if name in _brought else shipped.load(name)
