"""A whole match as a file, and what is computed on the way: for other implementers to check theirs against."""

import json
from collections.abc import Iterator

import msgspec
from msgspec import UNSET

from diadem_shared.chain import Chain, header
from diadem_shared.chance import Chance
from diadem_shared.entries import Adjudicated, Entry, Moved, Sat, Sealed, Setup, Started
from diadem_shared.game import digest
from diadem_shared.match import apply, open_match
from diadem_shared.match_file import End
from diadem_shared.shuffle import commitment_of_player, commitment_of_server

SECRET = bytes(range(32))
SERVER = commitment_of_server(SECRET)
ADDED = {"Ana": bytes(range(32, 64)), "Bob": bytes(range(64, 96))}
SETUP = Setup("diamoniak", {"youngest": 0}, patience=None)
TABLE = "K7QD"


def entries() -> Iterator[Entry]:
    """Bob commits, and does not answer in time."""
    yield from map(Sat, ADDED)
    yield Sealed(tuple(commitment_of_player(SERVER, 0, *each).hex() for each in ADDED.items()))
    yield Started((ADDED["Ana"].hex(), None))
    yield Moved(0, "draw", 1200)
    yield Moved(0, "draw", 900)
    yield Adjudicated()


def vector() -> Iterator[str]:
    match = open_match(SETUP)
    lines = [header(SECRET, TABLE, match.game.version, msgspec.json.encode(SETUP))]
    chain = Chain(SECRET, lines[0])
    links = [chain.origin]
    seed = b""
    deck: tuple[str, ...] = ()
    for entry in entries():
        match, _ = apply(match, entry, SECRET)
        if isinstance(entry, Started) and match.chance is not UNSET:
            seed, deck = match.chance.seed, match.state.deck
        lines.append(msgspec.json.encode(entry))
        links.append(chain.link(links[-1], lines[-1]))
    end = End(match.entries, SECRET.hex(), links[-1].hex(), digest(match), match.totals)
    lines.append(msgspec.json.encode(end))
    numbers = Chance(seed, "deal")
    values = {
        "secret": SECRET.hex(),
        "added": [each.hex() for each in ADDED.values()],
        "round seed": seed.hex(),
        "numbers below 1000": [numbers.below(1000) for _ in range(20)],
        "deck": list(deck),
        "links": [link.hex() for link in links],
    }
    yield from ("", "```json", json.dumps(values, indent=1).replace(",\n  ", ", "), "```", "")
    yield from ("```jsonl", *(line.decode() for line in lines), "```")
