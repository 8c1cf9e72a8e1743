"""How a round begins (M-3, M-19, M-25), and how it could have been dealt otherwise."""

from collections.abc import Sequence

from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Seat, Viewer
from diadem_shared.games.diamino.board import (
    SHIPPED,
    Layout,
    empty_board,
    parse_layout,
    shipped_layout,
    standard_layout,
)
from diadem_shared.games.diamino.table import Opened, Options, State, TurnPhase
from diadem_shared.games.diamino.terms import BONUS_HAND, RuleSet
from diadem_shared.games.diamino.tiles import JOKER, TILE_SETS, sorted_hand

RUMMY_HANDS = {2: 40, 3: 32, 4: 24, 5: 18, 6: 16, 7: 14, 8: 12}


def deal(rules: RuleSet, options: Options, seats: int, chance: Chance) -> tuple[State, Opened]:
    tiles = TILE_SETS[options.language].tiles
    opened = draw_for_start(tiles, seats, chance)
    size = RUMMY_HANDS[seats] if rules is RuleSet.RUMMY else BONUS_HAND
    mixed = "".join(chance.shuffled(tiles))
    state = State(
        options=options,
        board=empty_board(layout_of(options)),
        hands=tuple(sorted_hand(mixed[seat * size : (seat + 1) * size]) for seat in range(seats)),
        reserve=sorted_hand(mixed[seats * size :]),
        turn=opened.seat,
        points=(0,) * seats,
        witnessed=("",) * (seats + 1),
    )
    return state, opened


def layout_of(options: Options) -> Layout:
    if options.board in SHIPPED:
        return shipped_layout(options.board)
    return parse_layout(options.board) if options.board else standard_layout()


def draw_for_start(tiles: str, seats: int, chance: Chance) -> Opened:
    """M-3: the letter nearest the front of the alphabet begins, a joker counts as A."""
    draws: list[tuple[tuple[Seat, str], ...]] = []
    tied: Sequence[Seat] = range(seats)
    while len(tied) > 1:
        drawn = dict(zip(tied, chance.shuffled(tiles), strict=False))
        draws.append(tuple(drawn.items()))
        ranks = {seat: "A" if tile == JOKER else tile for seat, tile in drawn.items()}
        tied = [seat for seat in tied if ranks[seat] == min(ranks.values())]
    return Opened(tuple(draws), tied[0])


def deal_otherwise(state: State, viewer: Viewer, chance: Chance) -> State:
    """The tiles this viewer does not see, dealt anew to the hands and the reserve.

    Letters of which the viewer has seen some come or go stay where they are: which of them went
    where is more than this state remembers.
    """
    if state.options.open_hands or state.phase is TurnPhase.OVER:
        return state
    spectators = len(state.hands)
    known = {*state.witnessed[spectators if viewer is None else viewer]}
    known |= {*(state.pending.used if state.pending else "")}
    places = [*state.hands, state.reserve]
    hidden = [
        "" if place == viewer else "".join(tile for tile in tiles if tile not in known)
        for place, tiles in enumerate(places)
    ]
    mixed = iter(chance.shuffled("".join(hidden)))
    dealt = [
        tiles
        if place == viewer
        else sorted_hand("".join(next(mixed) if tile not in known else tile for tile in tiles))
        for place, tiles in enumerate(places)
    ]
    return replace(state, hands=tuple(dealt[:-1]), reserve=dealt[-1])
