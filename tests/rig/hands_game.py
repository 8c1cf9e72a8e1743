"""The sample game with hidden hands: who guesses is told a number, and the others that they were told one.

A small game to plant leaks in, since not all real games have hidden hands.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from diadem_shared.chance import Chance
from diadem_shared.game import Event, Happening, Seat, Viewer
from tests.sample_game import Answered, Guess, Numbers, Options, State

HIGHEST = 9


class WithHands(State, frozen=True, kw_only=True):
    hands: tuple[int, ...]


class Hand(Struct, frozen=True):
    number: int


class Whispered(Event, frozen=True, tag="whispered"):
    discloses: ClassVar[frozenset[str]] = frozenset({"number"})
    seat: Seat
    number: int | None = None


class NumbersWithHands(Numbers):
    name = "whispers"
    state_type = WithHands  # type: ignore[assignment]
    event_type = Answered | Whispered
    private_type = Hand  # type: ignore[assignment]

    def start(
        self, options: Options, seats: int, opener: Seat | None, chance: Chance
    ) -> tuple[State, Sequence[Happening[Any]]]:
        state, told = super().start(options, seats, opener, chance)
        return WithHands(**asdict(state), hands=_hands(seats, chance)), told

    def carry_out(
        self, state: State, seat: Seat, move: Guess, chance: Chance
    ) -> tuple[State, Sequence[Happening[Any]]]:
        assert isinstance(state, WithHands)
        after, told = super().carry_out(state, seat, move, chance)
        number = 1 + chance.below(HIGHEST)
        hands = tuple(number if each == seat else hand for each, hand in enumerate(state.hands))
        whispered = Happening(Whispered(seat), Whispered(seat, number), seat)
        return replace(after, hands=hands), [*told, whispered]

    def private(self, state: State, seat: Seat) -> Any:
        assert isinstance(state, WithHands)
        return Hand(state.hands[seat])

    def resample(self, state: State, viewer: Viewer, chance: Chance) -> State:
        assert isinstance(state, WithHands)
        others = _hands(len(state.hands), chance)
        hands = tuple(
            mine if seat == viewer else other
            for seat, (mine, other) in enumerate(zip(state.hands, others, strict=True))
        )
        return replace(super().resample(state, viewer, chance), hands=hands)


def _hands(seats: int, chance: Chance) -> tuple[int, ...]:
    return tuple(1 + chance.below(HIGHEST) for _ in range(seats))
