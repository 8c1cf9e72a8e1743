import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import msgspec

from diadem_shared.lesson import ANY_LANGUAGE, Deal, deals_file, package_of, read_deals
from tools.lessons import castles, diadingo, diamino

FINDERS: dict[str, Callable[..., Deal | None]] = {
    "diamoniak": castles.deal,
    "piratatak": castles.deal,
    "diadingo": diadingo.deal,
    "diamino-rummy": diamino.deal,
    "diamino-bonus": diamino.deal,
}


def main() -> None:
    game, *language = sys.argv[1:]
    found = (FINDERS[game](game, number, *language) for number in count())
    package = package_of(game)
    deals = {each: dict(by_language) for each, by_language in read_deals(package).items()}
    deals[game]["".join(language) or ANY_LANGUAGE] = next(filter(None, found))
    written = msgspec.json.format(msgspec.json.encode(deals), indent=1)
    Path(str(deals_file(package))).write_bytes(written + b"\n")


if __name__ == "__main__":
    main()
