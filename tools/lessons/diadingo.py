"""Diadingo: a loose and two fixed diamonds, a theft, and a theft back."""

from diadem_shared.chance import Chance
from diadem_shared.games.diadingo.board import SPOTS, THEFT
from diadem_shared.games.diadingo.game import Diadingo
from diadem_shared.games.diadingo.table import Options
from diadem_shared.lesson import Deal, LessonTable
from tools.lessons.castles import DEALT

ROWS_OF_KEYS = "F"
"""A spot of this row reads like a function key."""


def deal(game: str, number: int) -> Deal | None:
    text = f"{game} {number}"
    state, _told = Diadingo().start(Options(), 2, None, Chance(LessonTable(text).secret, DEALT))
    cards = [state.card, *state.deck[::-1]]
    mine, theirs, missed, filled, theft, third, fourth, back, fifth = cards[:9]
    rings = (mine, theirs, missed, filled, third, fourth, fifth)
    if state.turn or THEFT in rings or (theft, back) != (THEFT, THEFT):
        return None
    if missed != filled or len({mine, theirs, missed, third, fourth}) < 5:
        return None
    plain = [spot for spot in SPOTS if spot[0] != ROWS_OF_KEYS]
    loose = [spot for spot in plain if spot in state.loose]
    fixed = [spot for spot in plain if spot not in state.loose]
    own, his = loose[::5], loose[2::5]
    take, steal = "take {}".format, f"steal {missed} from {{}}".format
    moves = take(own[0]), take(fixed[4]), steal(2), take(own[1]), take(own[2])
    others = take(fixed[1]), take(his[0]), take(his[1]), steal(1)
    named = {
        "first": own[0],
        "theirs": fixed[1],
        "second": fixed[4],
        "third": own[1],
        "fourth": own[2],
    }
    return Deal(LessonTable(text, others), moves, named)
