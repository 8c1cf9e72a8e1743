"""The one redactor: whatever leaves a table for a viewer is put together here.

What everybody sees is packed once and set into each viewer's frame as it is.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from msgspec import Raw

from diadem_shared import hints
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved
from diadem_shared.frames import pack
from diadem_shared.game import Choices, Seat, Viewer
from diadem_shared.games import GAMES
from diadem_shared.match import Match, Phase, Player, Told
from diadem_shared.protocol import (
    MOST_ONLOOKERS_NAMED,
    Happened,
    PlayerLine,
    ShuffleLine,
    TableLine,
    TablePublic,
    TableView,
)
from diadem_shared.refusals import Refusal

LONGEST_LISTED = 100
"""Letters of an option that the lobby is told."""


class Logged(NamedTuple):
    """An entry of a table's log. Moves are told by their events alone: their text may be secret."""

    number: int
    entry: Entry
    told: Told

    def told_to(self, viewer: Viewer) -> list[Happened]:
        shown: list[Any] = [] if isinstance(self.entry, Moved) else [self.entry]
        shown += [happening.told(viewer) for happening in self.told]
        return [Happened(self.number, event) for event in shown]


class Frames:
    """The frames of one table as it is now: one for each viewer, sharing what is public."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._choices: dict[Seat, Choices] = {}
        """Of each seat that was told of them, as the state of the game is now: to find them may take milliseconds."""
        self._state: object = None

    def choices(self, match: Match, viewer: Viewer) -> Choices | None:
        """What this seat may do; None if it is not its turn."""
        if viewer is None or viewer not in match.actors:
            return None
        if match.state is not self._state:
            self._state, self._choices = match.state, {}
        if viewer not in self._choices:
            self._choices[viewer] = choices(match, viewer)
        return self._choices[viewer]

    def turn_to(
        self, match: Match, public: TablePublic, last: Logged | None, link: bytes = b""
    ) -> None:
        self._match, self._last, self._link = match, last, link
        self._public = Raw(pack(public))
        self._told_to_all = last.told_to(None) if last else []
        self._told_more = [each.to for each in last.told if each.fuller is not None] if last else []

    def frame(
        self,
        viewer: Viewer,
        number: int,
        muted: tuple[str, ...] = (),
        banned: tuple[str, ...] = (),
        resigned: Seat | None = None,
        *,
        lists_moves: bool = False,
    ) -> bytes:
        return pack(
            TableView(
                table=self._table,
                number=number,
                entry=self._match.entries,
                seat=viewer,
                public=self._public,
                private=private(self._match, viewer),
                happened=self._told(viewer),
                muted=muted,
                banned=banned,
                resigned=resigned,
                moves=self.choices(self._match, viewer) if lists_moves else None,
                chain=self._link.hex(),
                hints=gives_hints(self._match, viewer),
            )
        )

    def _told(self, viewer: Viewer) -> list[Happened]:
        if self._last is None or viewer not in self._told_more:
            return self._told_to_all
        return self._last.told_to(viewer)


class Presence(NamedTuple):
    """Who is at a table, as everybody there may know it."""

    players: tuple[PlayerLine, ...]
    maker: Seat | None
    onlookers: Sequence[str]


def player_lines(
    players: Sequence[Player],
    present: Sequence[bool],
    ready: Sequence[bool],
    programs: Sequence[Seat] = (),
) -> tuple[PlayerLine, ...]:
    return tuple(
        PlayerLine(
            name=player.name,
            bot=player.played_by,
            away=player.stand_in is not None,
            present=present[seat],
            ready=ready[seat],
            program=seat in programs,
        )
        for seat, player in enumerate(players)
    )


def public(
    match: Match,
    presence: Presence,
    *,
    deadline: int | None,
    blocked: Refusal | None,
    again: str | None = None,
    shuffle: ShuffleLine | None = None,
) -> TablePublic:
    return TablePublic(
        setup=match.setup,
        phase=match.phase,
        players=presence.players,
        maker=presence.maker,
        actors=match.actors,
        rounds=match.rounds,
        watchers=len(presence.onlookers),
        left=match.left,
        deadline=deadline,
        game=None if match.state is None else match.game.public(match.state),
        onlookers=tuple(presence.onlookers[:MOST_ONLOOKERS_NAMED]),
        blocked=blocked,
        again=again,
        shuffle=shuffle,
        hints=match.hints,
    )


def line(code: str, match: Match, programs: tuple[Seat, ...] = ()) -> TableLine:
    """The table as the lobby shows it."""
    return TableLine(
        table=code,
        game=match.setup.game,
        names=tuple(player.name for player in match.players),
        seats=match.game.seats[-1],
        phase=match.phase,
        rounds=match.setup.rounds,
        spectators=match.setup.spectators,
        bots=tuple(seat for seat, player in enumerate(match.players) if player.bot),
        programs=programs,
        clock=match.setup.clock,
        options={
            name: value
            for name, value in match.setup.options.items()
            if not isinstance(value, str) or len(value) <= LONGEST_LISTED
        },
    )


def private(match: Match, viewer: Viewer) -> Any:
    if match.state is None or viewer is None:
        return None
    return match.game.private(match.state, viewer)


def choices(match: Match, viewer: Seat) -> Choices:
    """What this seat, whose turn it is, may do, as it follows from what it sees."""
    return match.game.choices(match.game.view(match.state, viewer))


def gives_hints(match: Match, viewer: Viewer) -> bool:
    """Whether this viewer may ask for a hint in this round when it is their turn."""
    if viewer is None or match.phase is not Phase.PLAYING:
        return False
    return hints.are_allowed(match, viewer) and _has_adviser(match.setup.game)


@cache
def _has_adviser(game: str) -> bool:
    return GAMES[game].adviser(Chance(b"")) is not None


def recalled(match: Match, log: Sequence[Logged], viewer: Viewer) -> list[Happened]:
    """What a log shown later still says: games may have things forgotten (D-12)."""
    shown = []
    for logged in log:
        for happened in logged.told_to(viewer):
            event = happened.event
            if match.state is not None and isinstance(event, match.game.event_type):
                event = match.game.recall(match.game.public(match.state), event)
            if event is not None:
                shown.append(Happened(happened.entry, event))
    return shown
