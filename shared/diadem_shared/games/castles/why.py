"""What speaks for a castle move, and what is to be feared: all of it can be read off the table."""

from collections.abc import Callable, Iterator

from diadem_shared.advice import Reason
from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import CURRENCY, PARTS, PRICE, Card, colour_of
from diadem_shared.games.castles.position import COLOURS, DANGERS, NONE, Position
from diadem_shared.games.castles.reasons import CastlesReason
from diadem_shared.games.castles.table import (
    Buy,
    Draw,
    Holding,
    Move,
    Pay,
    PublicState,
    Shield,
    Stop,
)

MOST_REASONS = 4
NEAR = 2
"""So few missing parts make a rival worth a word."""


def reasons_for(
    table: PublicState, position: Position, move: Move, lost: Callable[[], tuple[Card, ...] | None]
) -> tuple[Reason, ...]:
    """`lost`: the cards that the best payment for a danger takes; None if a shield does."""
    return tuple(_reasons(table, position, move, lost))[:MOST_REASONS]


def _reasons(
    table: PublicState, position: Position, move: Move, lost: Callable[[], tuple[Card, ...] | None]
) -> Iterator[Reason]:
    me = table.turn
    match move:
        case Draw():
            deck = position.refilled()
            yield _danger(deck)
            yield from _hopes(deck, me)
            yield from _costs(deck, lost)
        case Stop():
            deck = position.refilled()
            yield _danger(deck)
            yield from _costs(deck, lost)
            if position.stocks[me].colour != NONE:
                yield from _hopes(deck, me)
        case Buy():
            missing = PARTS - len(table.mover.castle) - 1
            if not missing:
                yield Reason(CastlesReason.COMPLETES)
                return
            yield Reason(CastlesReason.MISSING_AFTER, {"missing": missing})
            if not position.deck[position.stocks[me].colour]:
                yield Reason(CastlesReason.NONE_IN_DECK)
        case Pay(cards):
            yield from _payment(table, cards)
        case Shield():
            yield Reason(CastlesReason.COSTS_NO_CARDS)
    yield from _rivals(table)


def _danger(deck: Position) -> Reason:
    dangers, cards = deck.deck[DANGERS], sum(deck.deck)
    if not dangers:
        return Reason(CastlesReason.NO_DANGER_AHEAD)
    percent = round(100 * dangers / cards)
    about = {"percent": percent, "dangers": dangers, "cards": cards}
    return Reason(CastlesReason.DANGER_AHEAD, {**about})


def _costs(deck: Position, lost: Callable[[], tuple[Card, ...] | None]) -> Iterator[Reason]:
    if not deck.deck[DANGERS]:
        return
    cards = lost()
    if cards is None:
        yield Reason(CastlesReason.SHIELD_READY)
    elif cards:
        yield Reason(CastlesReason.DANGER_WOULD_COST, {"cards": [*cards]})
    else:
        yield Reason(CastlesReason.NOTHING_TO_LOSE)


def _hopes(deck: Position, me: Seat) -> Iterator[Reason]:
    cards, colour = sum(deck.deck), deck.stocks[me].colour
    if colour == NONE:
        good = sum(deck.deck[each] for each in range(COLOURS) if deck.is_free(each))
        if good:
            yield Reason(CastlesReason.MAY_START, {"good": good, "cards": cards})
    elif good := deck.deck[colour]:
        yield Reason(CastlesReason.GOOD_CARDS, {"good": good, "cards": cards})
    else:
        yield Reason(CastlesReason.NONE_IN_DECK)


def _payment(table: PublicState, cards: tuple[Card, ...]) -> Iterator[Reason]:
    mine = table.mover
    given = sum(card in mine.castle for card in cards)
    if given:
        yield Reason(CastlesReason.GIVES_PARTS, {"count": given})
    elif mine.castle:
        yield Reason(CastlesReason.SPARES_CASTLE)
    else:
        left = len(mine.cards) - len(cards)
        rich = mine.wealth - cards.count(CURRENCY)
        yield Reason(CastlesReason.HOLDS_THEN, {"cards": left, "currency": rich})
    for seat, holding in enumerate(table.holdings):
        if seat != table.turn and holding.builds in map(colour_of, cards) and holding.builds:
            yield Reason(CastlesReason.KEPT_FROM, {"seat": seat, "colour": holding.builds})
    wealth = mine.wealth - cards.count(CURRENCY)
    if mine.builds and wealth >= PRICE and _is_for_sale(table, mine):
        yield Reason(CastlesReason.MAY_BUY_NEXT, {"have": wealth})


def _is_for_sale(table: PublicState, mine: Holding) -> bool:
    return any(
        holding.spare(mine.builds)
        for seat, holding in enumerate(table.holdings)
        if seat != table.turn
    )


def _rivals(table: PublicState) -> Iterator[Reason]:
    """The player who is nearest to the end, if that is near."""
    missing = {
        seat: PARTS - len(holding.castle)
        for seat, holding in enumerate(table.holdings)
        if seat != table.turn
    }
    seat = min(missing, key=lambda each: missing[each])
    if missing[seat] <= NEAR:
        yield Reason(CastlesReason.RIVAL_NEAR, {"seat": seat, "missing": missing[seat]})
