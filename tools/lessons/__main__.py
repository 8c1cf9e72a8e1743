import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import msgspec

from diadem_shared.games import package_of
from diadem_shared.lesson import ANY_LANGUAGE, Deal, deals_file, read_deals


def finder_of(package: str) -> Callable[..., Deal | None]:
    """`deal` of the module here that is called as the folder of the game."""
    name = f"tools.lessons.{package.rpartition('.')[2]}"
    if find_spec(name) is None:
        sys.exit(f"{name} is missing: it looks for the deals of {package}")
    finder: Callable[..., Deal | None] = import_module(name).deal
    return finder


def main() -> None:
    game, *language = sys.argv[1:]
    package = package_of(game)
    finder = finder_of(package)
    found = (finder(game, number, *language) for number in count())
    deals = {each: dict(by_language) for each, by_language in read_deals(package).items()}
    deals.setdefault(game, {})["".join(language) or ANY_LANGUAGE] = next(filter(None, found))
    written = msgspec.json.format(msgspec.json.encode(deals), indent=1)
    Path(str(deals_file(package))).write_bytes(written + b"\n")


if __name__ == "__main__":
    main()
