"""Files of matches, made by hand as a server would make them, or as no server would."""

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

import msgspec

from diadem_shared.chain import Chain, header
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Sealed, Setup, Started
from diadem_shared.game import digest
from diadem_shared.match import Match, Phase, apply, open_match
from diadem_shared.shuffle import commitment_of_player, commitment_of_server

SECRET = bytes(range(32))
TABLE = "K7QD"
NAMES = ("Ana", "Bob")


def added(name: str, round_: int = 0) -> bytes:
    return blake2b(f"{name} {round_}".encode(), digest_size=32).digest()


def sealed(round_: int = 0, names: Sequence[str] = NAMES, secret: bytes = SECRET) -> Sealed:
    server = commitment_of_server(secret)
    return Sealed(
        tuple(
            commitment_of_player(server, round_, each, added(each, round_)).hex() for each in names
        )
    )


def started(round_: int = 0, names: Sequence[str] = NAMES) -> Started:
    return Started(tuple(added(each, round_).hex() for each in names))


def played(
    setup: Setup | None = None, secret: bytes = SECRET, names: Sequence[str] = NAMES
) -> tuple[Match, list[Entry]]:
    """A match to which all add in each round, to its end."""
    match, entries = open_match(setup or Setup("diadingo")), list[Entry]()
    mind = match.game.bots["zombie"](Chance(b"zombie"))
    todo: list[Entry] = [*map(Sat, names)]
    while match.phase is not Phase.OVER:
        if not todo and match.phase is Phase.PLAYING:
            seat = match.actors[0]
            move = mind.choose(match.game.view(match.state, seat))
            todo = [Moved(seat, match.game.notate(move))]
        elif not todo:
            round_ = len(match.rounds)
            todo = [sealed(round_, names, secret), started(round_, names)]
        entry = todo.pop(0)
        match, _ = apply(match, entry, secret)
        entries.append(entry)
    return match, entries


def file_of(match: Match, entries: Sequence[Entry], secret: bytes = SECRET, **end: Any) -> bytes:
    """As a server writes it, with whatever it says at the end put otherwise."""
    first = header(secret, TABLE, match.game.version, msgspec.json.encode(match.setup))
    return chained([first, *map(msgspec.json.encode, entries)], match, secret, **end)


def chained(lines: Sequence[bytes], match: Match, secret: bytes = SECRET, **end: Any) -> bytes:
    chain = Chain(secret, lines[0])
    link = chain.origin
    for line in lines[1:]:
        link = chain.link(link, line)
    last = {
        "type": "end",
        "entries": len(lines) - 1,
        "secret": secret.hex(),
        "chain": link.hex(),
        "digest": digest(match),
        "totals": msgspec.to_builtins(match.totals),
    }
    written = json.dumps(last | end, separators=(",", ":")).encode()
    return b"".join(line + b"\n" for line in (*lines, written))
