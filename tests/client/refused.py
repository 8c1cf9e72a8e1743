"""Refusals as they come: with details as long as they get."""

from collections.abc import Mapping
from string import Formatter

from msgspec import convert

from diadem_client.wording.refusals import words_for
from diadem_shared.games import GAMES
from diadem_shared.games.diamino.verdict import BLACK_REASONS
from diadem_shared.refusals import INTEGER, STRING, STRINGS, Refusal, RefusalCode

Detail = int | str | list[str]

NAME = "Bartholomea Fitzroya"
DETAILS: dict[str, Detail] = {
    "bots": ["zombie", "forgetful", "human", "perfect"],
    "cards": ["blue2", "currency"],
    "field": "setup.options.youngest",
    "fields": ["C8", "D8", "H14"],
    "file": "/home/ana/words of the club/animals and plants.txt",
    "forms": ["lay TILES at FIELD", "exchange TILES", "pass"],
    "games": [*GAMES],
    "have": 2,
    "length": 9,
    "lists": ["Oxford", "Duden 2024"],
    "log": "/home/ana/.local/state/diadem/log/client.log",
    "most": 300,
    "name": NAME,
    "names": [NAME, "Bob"],
    "need": 3,
    "offered": 2,
    "reserve": 41,
    "seat": 1,
    "seats": 8,
    "seconds": 300,
    "server": "diadem.games.example:7453",
    "spot": "H9",
    "start": "H8",
    "table": "K7F3",
    "tiles": "EINSZX*",
    "value": 3000,
    "values": ["1000", "2000", "3000", "4000", "5000", "6000"],
    "what": "words_score",
    "words": ["SOLEILX", "ZQAU"],
}
"""By what a sentence calls them."""
ANY_DETAIL: dict[str, Detail] = {INTEGER: 300, STRING: NAME, STRINGS: [NAME, "Bob"]}


def refusal(code: str, game: str = "") -> Refusal:
    sentence = words_for(code, game) or ""
    fields = [name for _, name, _, _ in Formatter().parse(sentence) if name]
    about = {name: _why(code) if name == "why" else detail_of(code, name) for name in fields}
    return received(code, about)


def detail_of(code: str, name: str) -> Detail:
    """Of a code that is not spoken of above, any of the kind that it says."""
    if name in DETAILS:
        return DETAILS[name]
    kind = code.about.get(name) if isinstance(code, RefusalCode) else None
    return ANY_DETAIL.get(kind or "", 300)


def received(code: str, about: Mapping[str, Detail] = {}) -> Refusal:
    """As it comes over the wire, where the code may be any."""
    return convert({"code": code, "about": about}, Refusal)


def _why(code: str) -> Detail:
    return list(BLACK_REASONS[:2]) if code == "black_field" else "not_one_start"
