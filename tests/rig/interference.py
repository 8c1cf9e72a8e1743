"""Non-interference: what a viewer cannot know changes nothing of what that viewer is shown.

From a state reached in play, `resample` gives another that the viewer cannot tell from it. The same
moves are played in both, under different chance, and the viewer must see the same bytes until an
event discloses, in a field that says so, what was hidden. From then on the two differ rightly.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from diadem_shared.chance import Chance
from diadem_shared.game import AnyGame, Event, Happening, Seat, Viewer, pack
from tests.rig import require
from tests.rig.walk import Step, options_for, seats_for, walk

AHEAD = 12
"""How many moves are played on in both states."""
TRIES = 3
"""How many resampled states are tried for each viewer and state."""


def check_interference(game: AnyGame, seed: int, *, every: int = 3) -> int:
    """Follow one round; from every n-th state try all viewers. Returns how many moves were compared."""
    key = seed.to_bytes(4, "big")
    options, seats = options_for(game, seed), seats_for(game, seed)
    steps = list(walk(game, options, seats, key))
    compared = 0
    for start in range(seed % every, len(steps), every):
        for viewer in (None, *range(seats)):
            for attempt in range(TRIES):
                label = f"{start} {viewer} {attempt}"
                other = game.resample(steps[start].before, viewer, Chance(key, label))
                ahead = steps[start : start + AHEAD]
                compared += sum(1 for _ in _side_by_side(game, viewer, other, ahead, key, label))
    return compared


def _side_by_side(
    game: AnyGame,
    viewer: Viewer,
    other: Any,
    steps: Sequence[Step],
    key: bytes,
    label: str,
) -> Iterator[None]:
    """Play the steps in the other state too, as long as they are allowed and nothing is disclosed."""
    require_alike(game, viewer, steps[0].before, other)
    for number, step in enumerate(steps):
        view = game.view(other, step.seat)
        if game.explain(view, step.move) is not None:
            require(step.seat != viewer, "a viewer's own moves are allowed by what it sees", step)
            return
        chance = Chance(key, f"{label} {number}")
        other, told = game.play(other, step.seat, step.move, chance)
        if disclosed(viewer, step.seat, step.told, told):
            return
        require_alike(game, viewer, step.after, other)
        yield


def require_alike(game: AnyGame, viewer: Viewer, one: Any, other: Any) -> None:
    views = game.view(one, viewer), game.view(other, viewer)
    require(pack(views[0]) == pack(views[1]), "no view shows what is hidden", viewer, *views)


def disclosed(
    viewer: Viewer, seat: Seat, one: Sequence[Happening[Any]], other: Sequence[Happening[Any]]
) -> bool:
    """True once an event disclosed different things; any other difference is a leak."""
    for mine, theirs in zip(one, other, strict=False):
        event, twin = mine.told(viewer), theirs.told(viewer)
        require(type(event) is type(twin), "events do not depend on what is hidden", event, twin)
        for name, value in _fields(event):
            if value == getattr(twin, name):
                continue
            require(
                name in event.discloses,
                f"only what discloses may depend on what is hidden: {name}",
                event,
                twin,
            )
            return True
    require(len(one) == len(other), "as many events, whatever is hidden", seat, one, other)
    return False


def _fields(event: Event) -> list[tuple[str, Any]]:
    """The fields of an event, those that disclose last: no other may hide behind them."""
    names = sorted(
        (field.name for field in msgspec.structs.fields(event)),
        key=lambda name: name in event.discloses,
    )
    return [(name, getattr(event, name)) for name in names]
