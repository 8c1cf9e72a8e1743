"""The rules that change the table, K-3 to K-16. Whether a move is allowed was settled before.

A turn in progress is collected in a `Turn` and sealed into the next state at its end.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from diadem_shared.chance import Chance
from diadem_shared.game import Seat
from diadem_shared.games.castles.editions import (
    CURRENCY,
    DANGER,
    PRICE,
    SHIELD,
    TOLL,
    Card,
    Colour,
    colour_of,
    in_order,
)
from diadem_shared.games.castles.table import (
    Began,
    Bought,
    Buy,
    CastleEvent,
    Completed,
    Draw,
    Drew,
    Founded,
    Holding,
    Move,
    Paid,
    Pay,
    Razed,
    Shield,
    Shielded,
    Shuffled,
    State,
    Stop,
    Stopped,
    TurnPhase,
)


def carry_out(state: State, move: Move, chance: Chance) -> tuple[State, list[CastleEvent]]:
    turn = Turn(state)
    match move:
        case Draw():
            turn.draw(chance)
        case Stop():
            turn.tell(Stopped(state.turn))
            turn.pass_on()
        case Buy(seller):
            turn.buy(seller)
        case Pay(cards):
            turn.pay(cards)
        case Shield():
            turn.shield()
    return turn.state, turn.events


def owed(holding: Holding) -> int:
    """How many cards a danger takes from a player: all, where there are fewer than three (K-9)."""
    return min(TOLL, len(holding.cards))


class Turn:
    """One move at work: the state as it becomes, and the events on the way."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[CastleEvent] = []

    @property
    def seat(self) -> Seat:
        return self.state.turn

    @property
    def holding(self) -> Holding:
        return self.state.holdings[self.seat]

    def tell(self, event: CastleEvent) -> None:
        self.events.append(event)

    def draw(self, chance: Chance) -> None:
        if not self.state.deck:
            self._shuffle(chance)
        *rest, card = self.state.deck
        self.state = replace(
            self.state, deck=tuple(rest), drawn=(*self.state.drawn, card), phase=TurnPhase.DRAWN
        )
        self.tell(Drew(self.seat, card))
        if card == DANGER:
            self._meet_danger()
        elif colour := colour_of(card):
            self._place(card, colour)
        else:
            self._hold(self.seat, reserve=(*self.holding.reserve, card))

    def buy(self, seller: Seat) -> None:
        """K-7, K-8: three currency for one part of one's own colour, and the turn is over."""
        buyer, shop = self.holding, self.state.holdings[seller]
        card = shop.spare(buyer.builds)[0]
        price = (CURRENCY,) * PRICE
        self._hold(seller, reserve=(*without(shop.reserve, [card]), *price))
        self._hold(self.seat, castle=(*buyer.castle, card), reserve=without(buyer.reserve, price))
        self.tell(Bought(self.seat, seller, card))
        self._finish_or_pass_on()

    def pay(self, cards: tuple[Card, ...]) -> None:
        before = self.holding
        castle_cards = [card for card in cards if card in before.castle]
        self._hold(
            self.seat,
            castle=without(before.castle, castle_cards),
            reserve=without(before.reserve, (card for card in cards if card not in castle_cards)),
        )
        self.state = replace(self.state, aside=self.state.aside + cards)
        self.tell(Paid(self.seat, cards))
        if before.builds is not None and self.holding.builds is None:
            self.tell(Razed(self.seat, before.builds))
        self.pass_on()

    def shield(self) -> None:
        """K-11: the shield goes next to the deck, nothing else is paid."""
        self._hold(self.seat, reserve=without(self.holding.reserve, [SHIELD]))
        self.state = replace(self.state, aside=(*self.state.aside, SHIELD))
        self.tell(Shielded(self.seat))
        self.pass_on()

    def pass_on(self) -> None:
        following = (self.seat + 1) % len(self.state.holdings)
        self.state = replace(self.state, turn=following, phase=TurnPhase.OPEN, drawn=())
        self.tell(Began(following))

    def _shuffle(self, chance: Chance) -> None:
        """K-15: only what lies next to the deck, never what a player holds."""
        self.tell(Shuffled(len(self.state.aside)))
        self.state = replace(self.state, deck=chance.shuffled(self.state.aside), aside=())

    def _meet_danger(self) -> None:
        """K-9. Who has no choice is not asked: all they have goes, and the turn with it."""
        self.state = replace(self.state, aside=(*self.state.aside, DANGER), phase=TurnPhase.DANGER)
        if len(self.holding.cards) <= TOLL and not self.holding.shielded:
            self.pay(in_order(self.holding.cards))

    def _place(self, card: Card, colour: Colour) -> None:
        """K-4, K-5, K-14: where a drawn part goes."""
        holding = self.holding
        if holding.builds == colour:
            self._hold(self.seat, castle=(*holding.castle, card))
        elif holding.builds is None and self._is_free(colour):
            joined = holding.spare(colour)
            self._hold(self.seat, castle=(card, *joined), reserve=without(holding.reserve, joined))
            self.tell(Founded(self.seat, colour, joined))
        else:
            self._hold(self.seat, reserve=(*holding.reserve, card))
        self._finish()

    def _is_free(self, colour: Colour) -> bool:
        return all(holding.builds != colour for holding in self.state.holdings)

    def _finish(self) -> None:
        """K-16: six parts win at once, by whichever way the sixth arrives."""
        if self.holding.complete and self.holding.builds is not None:
            self.state = replace(self.state, phase=TurnPhase.OVER)
            self.tell(Completed(self.seat, self.holding.builds))

    def _finish_or_pass_on(self) -> None:
        self._finish()
        if self.state.phase is not TurnPhase.OVER:
            self.pass_on()

    def _hold(
        self,
        seat: Seat,
        *,
        castle: tuple[Card, ...] | None = None,
        reserve: tuple[Card, ...] | None = None,
    ) -> None:
        holding = self.state.holdings[seat]
        changed = Holding(
            castle=holding.castle if castle is None else in_order(castle),
            reserve=holding.reserve if reserve is None else in_order(reserve),
        )
        holdings = list(self.state.holdings)
        holdings[seat] = changed
        self.state = replace(self.state, holdings=tuple(holdings))


def without(cards: tuple[Card, ...], taken: Iterable[Card]) -> tuple[Card, ...]:
    rest = list(cards)
    for card in taken:
        rest.remove(card)
    return tuple(rest)
