"""What is worth remembering of a match: each game tells it from what happens at its table."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

EventT = TypeVar("EventT")
ROUND = "round"
"""The kind that all games know: the score of a round."""


class Best(StrEnum):
    MOST = "most"
    LEAST = "least"


class Highlight(Struct, frozen=True):
    kind: str
    """One of those that the game names."""
    value: int
    text: str = ""
    """What it was, such as a word or a colour."""


class Highlights(Generic[EventT]):
    """The best of each kind that each seat has shown, as events of a match are told."""

    kinds: Mapping[str, Best] = {}
    """Whatever else is noted is left out."""

    def __init__(self, options: Any) -> None:
        """With the options of the match."""
        self._best: dict[int, dict[str, Highlight]] = {}

    def see(self, event: EventT) -> None:
        """What everybody is told. A small game has nothing to remember."""

    def end_round(self, scores: Sequence[int]) -> None:
        for seat, score in enumerate(scores):
            self.note(seat, ROUND, score)

    def note(self, seat: int, kind: str, value: int, text: str = "") -> None:
        keep_best(self._best.setdefault(seat, {}), Highlight(kind, value, text), self.kinds)

    def of(self, seat: int) -> tuple[Highlight, ...]:
        return tuple(self._best.get(seat, {}).values())


AnyHighlights: TypeAlias = Highlights[Any]


def keep_best(best: dict[str, Highlight], found: Highlight, kinds: Mapping[str, Best]) -> None:
    """The earlier one stays where a later one is as good. Kinds that are not named are left out."""
    if found.kind not in kinds:
        return
    known = best.get(found.kind)
    if known is None or (
        found.value < known.value if kinds[found.kind] is Best.LEAST else found.value > known.value
    ):
        best[found.kind] = found
