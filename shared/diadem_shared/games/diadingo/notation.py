"""Diadingo moves as a person types them: "take C4" or just "C4", "steal 3000 from 2", "decline".

Seats count from 1 in text, as they do on the screen. Whether there is such a spot, ring or seat is
for the rules to say, so that they can say it in their own code.
"""

import re

from diadem_shared.games.diadingo.table import Decline, Move, Steal, Take
from diadem_shared.refusals import Code, Refusal, RefusalError

FORMS = ["take C4", "steal 3000 from 2", "decline"]

MOVES_LIKE = "take [A-G][1-8]|steal [1-6]000 from [1-8]|decline"

_TAKE = re.compile(r"(?:take )?([a-z]) ?([0-9]{1,2})")
_STEAL = re.compile(r"steal \$?([0-9]{1,5})\$? from ([1-9][0-9]?)")


def notate(move: Move) -> str:
    match move:
        case Take(spot):
            return f"take {spot}"
        case Steal(value, victim):
            return f"steal {value} from {victim + 1}"
        case Decline():
            return "decline"


def parse(text: str) -> Move:
    words = " ".join(text.casefold().split())
    if words == "decline":
        return Decline()
    if aimed := _TAKE.fullmatch(words):
        return Take(f"{aimed[1].upper()}{int(aimed[2])}")
    if chosen := _STEAL.fullmatch(words):
        return Steal(int(chosen[1]), int(chosen[2]) - 1)
    raise RefusalError(Refusal(Code.UNREADABLE, {"text": text, "forms": FORMS}))
