import sys
from collections.abc import Callable
from itertools import count

import msgspec

from diadem_client.local.lessons import ANY_LANGUAGE, deals_file, read_deals
from diadem_client.state.coach import Deal
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
    file = deals_file(game)
    deals = read_deals(file)
    deals[game]["".join(language) or ANY_LANGUAGE] = next(filter(None, found))
    written = msgspec.json.format(msgspec.json.encode(deals), indent=1)
    file.write_bytes(written + b"\n")


if __name__ == "__main__":
    main()
