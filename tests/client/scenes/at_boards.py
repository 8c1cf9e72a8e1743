"""The boards of all five games, in states that a player comes to see."""

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diadem_client.games.castles.draft import can_buy, sellers
from diadem_client.i18n import current_language
from diadem_client.local.lessons import setup_of
from diadem_client.state.client_state import ClientState
from diadem_client.ui.screens.table import TableScreen
from diadem_shared.entries import Moved, Sat, Setup, Started
from diadem_shared.games.castles.editions import CURRENCY, SHIELD
from diadem_shared.games.castles.table import TurnPhase as CastlesPhase
from diadem_shared.games.diadingo.table import TurnPhase as DiadingoPhase
from diadem_shared.games.diamino.table import TurnPhase as DiaminoPhase
from diadem_shared.lesson import deal_of
from diadem_shared.match import Match, Phase
from diadem_shared.protocol import Checked
from tests.client.scenes.stage import scene, show
from tests.client.ui.screens.rig import Seen
from tests.client.ui.screens.staged import Sitting


class Played(Struct, frozen=True):
    """A match that bots have played so far for Ana and the others."""

    client_state: ClientState
    match: Match

    def judge(self, draft: dict[str, str]) -> Checked:
        """What the server says of tiles laid for a try."""
        game = self.match.game
        verdict = game.preview(game.view(self.match.state, 0), draft)
        return Checked(0, msgspec.to_builtins(verdict))


Wanted = Callable[[Any], bool]


def played(game: str, levels: list[str], entries: int, **options: Any) -> Played:
    return _played(game, tuple(levels), entries, None, tuple(options.items()), current_language())


def played_until(game: str, levels: list[str], wanted: Wanted, **options: Any) -> Played:
    """Until Ana is to move in such a state."""
    return _played(game, tuple(levels), 0, wanted, tuple(options.items()), current_language())


@cache
def _played(
    game: str,
    levels: tuple[str, ...],
    entries: int,
    wanted: Wanted | None,
    options: tuple[tuple[str, Any], ...],
    _language: str,
) -> Played:
    """Once in each language: the log is told in one."""
    sitting = Sitting(Setup(game, dict(options)))
    matches: list[Match] = []

    def reached(match: Match) -> bool:
        matches.append(match)
        is_anas = 0 in match.actors and match.entries >= entries
        return is_anas and (wanted is None or wanted(match.state))

    client_state = sitting.play_out(list(levels), reached)
    assert 0 in matches[-1].actors, "the match was over before"
    return Played(client_state, matches[-1])


async def at(seen: Seen, so_far: Played) -> None:
    await show(seen, so_far.client_state, judge=so_far.judge)


# Castles and ships

BUILDERS = ["strong"] * 4
LATE = 20
"""Entries after which everybody has had cards."""


@scene(TableScreen)
async def diamoniak(seen: Seen) -> None:
    await at(seen, played("diamoniak", BUILDERS, 125, youngest=0))


@scene(TableScreen)
async def diamoniak_for_two(seen: Seen) -> None:
    await at(seen, played("diamoniak", BUILDERS[:2], 40, youngest=0))


@scene(TableScreen)
async def diamoniak_witch(seen: Seen) -> None:
    def must_pay(state: Any) -> bool:
        return state.phase is CastlesPhase.DANGER and len(state.holdings[0].cards) > 6

    await at(seen, played_until("diamoniak", BUILDERS[:3], must_pay, youngest=0))
    await seen.press("space")


@scene(TableScreen)
async def piratatak(seen: Seen) -> None:
    await at(seen, played("piratatak", ["easy"] * 4, 110, youngest=0))


# Diadingo


@scene(TableScreen)
async def diadingo(seen: Seen) -> None:
    await at(seen, played("diadingo", ["human"] * 4, 26))
    await seen.press("c", "4")


@scene(TableScreen)
async def diadingo_of_eight(seen: Seen) -> None:
    await at(seen, played("diadingo", ["human"] * 8, 40, play="marked", scoring="professional"))


@scene(TableScreen)
async def diadingo_theft(seen: Seen) -> None:
    def robs(state: Any) -> bool:
        return state.phase is DiadingoPhase.STEAL and sum(len(h.filled) for h in state.hands) > 4

    await at(seen, played_until("diadingo", ["human"] * 4, robs))


# Diamino

LETTERS = ["easy"] * 3


@scene(TableScreen)
async def diamino_bonus(seen: Seen) -> None:
    await at(seen, played("diamino-bonus", LETTERS, 20, language="en"))


@scene(TableScreen)
async def diamino_bonus_draft(seen: Seen) -> None:
    so_far = played("diamino-bonus", LETTERS[:2], 16, language="en", words_score=True)
    await at(seen, so_far)
    hand = so_far.match.state.hands[0]
    letters = [letter.lower() for letter in hand if letter.isalpha()]
    await seen.press("right", *letters[:2])


@scene(TableScreen)
async def diamino_rummy(seen: Seen) -> None:
    await at(seen, played("diamino-rummy", LETTERS, 20, language="de"))


@scene(TableScreen)
async def diamino_rummy_of_eight(seen: Seen) -> None:
    await at(seen, played("diamino-rummy", ["easy"] * 8, 30, language="fr"))


@scene(TableScreen)
async def diamino_judging(seen: Seen) -> None:
    def judged(state: Any) -> bool:
        return state.phase is DiaminoPhase.JUDGE

    await at(seen, played_until("diamino-bonus", LETTERS, judged, language="en", judging="table"))


# The same boards with other cards, players and tools on them


def drew(card: str) -> Wanted:
    return lambda state: bool(state.drawn) and state.drawn[-1] == card


@scene(TableScreen, more=True)
async def diamoniak_for_three(seen: Seen) -> None:
    await at(seen, played("diamoniak", BUILDERS[:3], 60, youngest=0))


@scene(TableScreen, more=True)
async def diamoniak_fairy(seen: Seen) -> None:
    await at(seen, played_until("diamoniak", BUILDERS, drew(SHIELD), youngest=0))


@scene(TableScreen, more=True)
async def diamoniak_diamond(seen: Seen) -> None:
    await at(seen, played_until("diamoniak", BUILDERS, drew(CURRENCY), youngest=0))


@scene(TableScreen, more=True)
async def diamoniak_seller(seen: Seen) -> None:
    def sold_by_two(state: Any) -> bool:
        return state.phase is CastlesPhase.OPEN and len(sellers(state, 0)) > 1 and can_buy(state, 0)

    await at(seen, played_until("diamoniak", BUILDERS, sold_by_two, youngest=0))
    await seen.press("b")


@scene(TableScreen, more=True)
async def diamoniak_with_nothing_left(seen: Seen) -> None:
    """Ana has drawn the witch and given up all there was; another one is on."""

    def lost_all(match: Match) -> bool:
        return match.phase is Phase.PLAYING and 0 not in match.actors and has_paid(match)

    def has_paid(match: Match) -> bool:
        return match.entries > LATE and not match.state.holdings[0].cards

    sitting = Sitting(Setup("diamoniak", {"youngest": 0}))
    await show(seen, sitting.play_out(BUILDERS, lost_all))


@scene(TableScreen, more=True)
async def piratatak_for_two(seen: Seen) -> None:
    await at(seen, played("piratatak", ["easy"] * 2, 40, youngest=0))


@scene(TableScreen, more=True)
async def piratatak_pirate(seen: Seen) -> None:
    def must_pay(state: Any) -> bool:
        return state.phase is CastlesPhase.DANGER and state.holdings[0].shielded

    await at(seen, played_until("piratatak", ["easy"] * 4, must_pay, youngest=0))


@scene(TableScreen, more=True)
async def piratatak_cannon(seen: Seen) -> None:
    await at(seen, played_until("piratatak", ["easy"] * 4, drew(SHIELD), youngest=0))


@scene(TableScreen, more=True)
async def diadingo_for_two(seen: Seen) -> None:
    await at(seen, played("diadingo", ["human"] * 2, 20))


@scene(TableScreen, more=True)
async def diamino_for_two(seen: Seen) -> None:
    """The tiles that nobody has seen yet."""
    await at(seen, played("diamino-bonus", ["easy"] * 2, 20, language="en"))
    await seen.press("6")


@scene(TableScreen, more=True)
async def diamino_sheet(seen: Seen) -> None:
    """What every play of the round has brought."""
    await at(seen, played("diamino-bonus", LETTERS, 20, language="en"))
    await seen.press("7")


@scene(TableScreen, more=True)
async def diamino_exchange(seen: Seen) -> None:
    await at(seen, played("diamino-rummy", LETTERS, 20, language="de"))
    await seen.press("4")


@scene(TableScreen, more=True)
async def typed_moves(seen: Seen) -> None:
    await at(seen, played("diamino-bonus", LETTERS, 20, language="en"))
    await seen.press("f6")


@scene(TableScreen, more=True)
async def onlooker(seen: Seen) -> None:
    client_state = played("piratatak", ["easy"] * 4, 110, youngest=0).client_state
    table = client_state.table
    assert table is not None
    assert table.view is not None
    view = replace(table.view, seat=None)
    await show(seen, replace(client_state, table=replace(table, seat=None, view=view)))


@scene(TableScreen, more=True)
async def chat_over_the_board(seen: Seen) -> None:
    await at(seen, played("diamino-bonus", LETTERS, 20, language="en"))
    await seen.press("tab")


# A first game


async def learning(seen: Seen, game: str, moves: int) -> None:
    """After so many of the moves that are proposed. What is laid is a word."""
    setup = setup_of(game)
    assert setup is not None
    deal = deal_of(setup)
    assert deal is not None
    sitting = Sitting(setup, secret=deal.table.secret)
    mine, others = iter(deal.moves[:moves]), iter(deal.table.moves)
    sitting.enter(Sat("Ana"), Sat("Bob", "zombie"), Started())
    while True:
        (seat,) = sitting.match.actors
        await show(seen, sitting.client_state)
        judges = seat and sitting.match.state.phase == DiaminoPhase.JUDGE
        if (move := "accept" if judges else next(others if seat else mine, None)) is None:
            return
        sitting.enter(Moved(seat, move))


@scene(TableScreen)
async def learning_diamoniak(seen: Seen) -> None:
    await learning(seen, "diamoniak", 5)


@scene(TableScreen, more=True)
async def learning_diadingo(seen: Seen) -> None:
    await learning(seen, "diadingo", 2)


@scene(TableScreen, more=True)
async def learning_diamino_bonus(seen: Seen) -> None:
    await learning(seen, "diamino-bonus", 1)
