"""Diamino moves as a person types them.

lay C8 across EIL     lay C8 down eIL (e is a joker)     exchange AB*     pass
give EN     keep      accept     object     silent
"""

import re

from diadem_shared.games.diamino.play import NotAPlay, parse_play
from diadem_shared.games.diamino.table import (
    Accept,
    Exchange,
    Give,
    Lay,
    Move,
    Object,
    Pass,
    Silence,
)
from diadem_shared.games.diamino.tiles import sorted_hand
from diadem_shared.refusals import Code, Refusal, RefusalError

FORMS = [
    "lay C8 across EIL",
    "exchange AB*",
    "pass",
    "give EN",
    "keep",
    "accept",
    "object",
    "silent",
]
WORDS: dict[str, Move] = {
    "pass": Pass(),
    "keep": Give(""),
    "accept": Accept(),
    "object": Object(),
    "silent": Silence(),
}
MOVES_LIKE = (
    "lay [A-Z][1-9][0-9]? (?:across|down) [A-Za-z]+"
    "|(?:exchange|give) [A-Z*]+|pass|keep|accept|object|silent"
)
TILES = re.compile(r"[A-Z*]+")


def notate(move: Move) -> str:
    match move:
        case Lay(play):
            return str(play)
        case Exchange(tiles):
            return f"exchange {tiles}"
        case Give(""):
            return "keep"
        case Give(tiles):
            return f"give {tiles}"
        case Pass():
            return "pass"
        case Accept():
            return "accept"
        case Object():
            return "object"
        case Silence():
            return "silent"


def parse(text: str) -> Move:
    word, _, rest = text.strip().partition(" ")
    word = word.casefold()
    if not rest and word in WORDS:
        return WORDS[word]
    tiles = "".join(rest.split()).upper() if rest.isascii() else ""
    if word == "exchange" and TILES.fullmatch(tiles):
        return Exchange(sorted_hand(tiles))
    if word == "give" and TILES.fullmatch(tiles):
        return Give(sorted_hand(tiles))
    if word == "lay":
        try:
            return Lay(parse_play(text))
        except NotAPlay:
            pass
    raise RefusalError(Refusal(Code.UNREADABLE, {"text": text, "forms": FORMS}))
