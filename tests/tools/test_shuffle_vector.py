"""The example of a shuffle on the page of the protocol is true, by an implementation of its own that has but the page."""

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from diadem_shared.entries import Moved
from diadem_shared.games import GAMES
from diadem_shared.match_file import read
from diadem_shared.verification import RoundFact, play, verify_whole
from tools.protocol_tables import PAGE

SECTION = PAGE.read_text().partition("<!-- shuffle -->")[2].partition("<!-- end -->")[0]
VALUES, FILE = re.findall(r"```jsonl?\n(.*?)```", SECTION, re.DOTALL)
TOLD: dict[str, Any] = json.loads(VALUES)
LINES = FILE.encode().splitlines()
MAPS = [json.loads(line) for line in LINES]
SECRET = bytes.fromhex(TOLD["secret"])


def hashed(label: str, *values: bytes) -> bytes:
    whole = b"".join(len(each).to_bytes(8, "little") + each for each in (label.encode(), *values))
    return blake2b(whole, digest_size=32).digest()


def of_type(kind: str) -> dict[str, Any]:
    return next(each for each in MAPS if each["type"] == kind)


def numbers(seed: bytes, label: str) -> Iterator[int]:
    key, block = blake2b(seed).digest(), 0
    while True:
        mixed = blake2b(label.encode() + block.to_bytes(8, "little"), key=key).digest()
        yield from (int.from_bytes(mixed[at : at + 4], "little") for at in range(60, -1, -4))
        block += 1


def below(bound: int, stream: Iterator[int]) -> int:
    while (number := next(stream)) >= 2**32 - 2**32 % bound:
        pass
    return number % bound


def test_commitments_are_of_what_was_added() -> None:
    server = hashed("diadem server", SECRET)
    assert MAPS[0]["commitment"] == server.hex()
    names = [each["name"] for each in MAPS if each["type"] == "sat"]
    commitments = [
        hashed("diadem player", server, bytes(8), name.encode(), bytes.fromhex(each)).hex()
        for name, each in zip(names, TOLD["added"], strict=True)
    ]
    assert of_type("sealed")["commitments"] == commitments
    assert of_type("started")["openings"] == [TOLD["added"][0], None]


def test_the_chance_of_the_round_follows() -> None:
    sealed, opened = of_type("sealed")["commitments"], of_type("started")["openings"]
    values = [(text or "").encode() for pair in zip(sealed, opened, strict=True) for text in pair]
    seed = hashed("diadem round", SECRET, bytes(8), *values)
    assert seed.hex() == TOLD["round seed"]
    stream = numbers(seed, "deal")
    assert [below(1000, stream) for _ in range(20)] == TOLD["numbers below 1000"]


def test_the_deck_is_shuffled_by_it() -> None:
    stream = numbers(bytes.fromhex(TOLD["round seed"]), "deal")
    colours = ("blue", "yellow", "pink", "green")
    deck = [f"{colour}{part}" for colour in colours for part in range(1, 7)]
    deck += ["currency"] * 20 + ["shield"] * 3 + ["danger"] * 7
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, stream)
        deck[last], deck[other] = deck[other], deck[last]
    assert deck == TOLD["deck"]


def test_each_line_has_its_link() -> None:
    key = hashed("diadem chain", SECRET)
    links = [blake2b(LINES[0], key=key, digest_size=32).hexdigest()]
    for line in LINES[1:-1]:
        before = bytes.fromhex(links[-1])
        links.append(blake2b(before + line, key=key, digest_size=32).hexdigest())
    assert links == TOLD["links"]
    assert MAPS[-1]["chain"] == links[-1]


def test_the_file_holds_and_tells_of_the_cards_that_were_drawn() -> None:
    file = read(FILE.encode())
    assert verify_whole(file).rounds == (RoundFact(("Ana",), ("Bob",)),)
    drawn = [
        each.event.card
        for step in play(file)
        if isinstance(step.entry, Moved)
        for each in step.told
        if type(each.event).__struct_config__.tag == "drew"
    ]
    assert drawn == TOLD["deck"][: -len(drawn) - 1 : -1]
    assert GAMES["diamoniak"].version == MAPS[0]["version"]
