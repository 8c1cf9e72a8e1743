"""Castles: all cards come in the order in which the lesson speaks of them."""

from collections.abc import Sequence

from diadem_shared.chance import Chance
from diadem_shared.games import GAMES
from diadem_shared.games.castles.editions import CURRENCY, DANGER, SHIELD, Card, colour_of
from diadem_shared.games.castles.game import Castles
from diadem_shared.games.castles.table import Options
from diadem_shared.lesson import Deal, LessonTable

DEALT = "entry 2"
"""The label of the chance of the first deal, after two have sat down."""
MOST_DRAWN = 4
"""By the other player in one turn."""


def deal(game: str, number: int) -> Deal | None:
    """The deal of this number, if the lesson can be played on it."""
    castles, text = GAMES[game], f"{game} {number}"
    assert isinstance(castles, Castles)  # noqa: S101 - both editions are
    chance = Chance(LessonTable(text).secret, DEALT)
    state, _told = castles.start(Options(youngest=0), 2, None, chance)
    played = _play(state.deck[::-1])
    if played is None:
        return None
    mine, others = played
    words = castles.edition.words
    named = {CURRENCY: words[CURRENCY], SHIELD: words[SHIELD]}
    spelt = tuple(" ".join(named.get(word, word) for word in move.split()) for move in mine)
    return Deal(LessonTable(text, others), spelt)


def _play(cards: Sequence[Card]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The moves of both, from the top of the deck down."""
    colour = colour_of(cards[0])
    if colour is None or list(cards[1:4]) != [CURRENCY] * 3:
        return None
    at, drawn = 4, 0
    while colour_of(cards[at]) != colour:
        at, drawn = at + 1, drawn + 1
        if cards[at] in {DANGER, SHIELD} or drawn == MOST_DRAWN:
            return None
    if cards[4] in {DANGER, SHIELD}:
        return None
    others = ["draw"] * (drawn + 1) + ["stop"]
    first, fairy, witch, last, *mine = cards[at + 1 : at + 9]
    if {first, last} & {DANGER, SHIELD} or (fairy, witch) != (SHIELD, DANGER):
        return None
    others += ["draw", "stop", "draw", "stop"]
    *given, end = mine
    if end != DANGER or any(
        card in {DANGER, SHIELD} or colour_of(card) == colour for card in given
    ):
        return None
    moves = ["draw"] * 4 + ["stop", "buy from 2", "draw", "draw", SHIELD] + ["draw"] * 4
    return (*moves, " ".join(["pay", *given])), tuple(others)
