"""Hints at one table: what a strong bot would do in the place of whoever asks, and why."""

import logging
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from diadem_server.sessions.sessions import Session
from diadem_server.table.autoplay import Autoplay
from diadem_server.table.bots import BotWorkers, tell
from diadem_server.table.jobs import Work
from diadem_server.table.services import TableServices
from diadem_server.table.views import Logged
from diadem_shared import hints
from diadem_shared.advice import Evaluation
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Hinted, Moved, Started
from diadem_shared.game import AnyAdviser, Seat, View, digest
from diadem_shared.match import Match, Phase
from diadem_shared.protocol import Advised, HintLine
from diadem_shared.refusals import Code, Refusal, RefusalError

log = logging.getLogger(__name__)

MOST = 3
"""Moves in a hint."""


class Hinting(Protocol):
    """What is asked of the table at which hints are given."""

    @property
    def code(self) -> str: ...

    @property
    def match(self) -> Match: ...

    @property
    def history(self) -> Iterable[Logged]: ...

    @property
    def autoplay(self) -> Autoplay: ...

    async def enter(self, entry: Entry) -> Refusal | None: ...

    def post(self, work: Work) -> None: ...


class Asked(NamedTuple):
    session: Session
    command: int


class Hints:
    def __init__(self, table: Hinting, seed: bytes, services: TableServices) -> None:
        self._table = table
        self._seed = seed
        self._services = services
        self._given: dict[Seat, tuple[str, tuple[HintLine, ...]]] = {}
        """The last hint of each seat, with the digest of the view that it was given for."""
        self._waiting: dict[tuple[Seat, str], list[Asked]] = {}
        """Who waits for a hint that is being found, by seat and digest of the view."""

    async def ask(self, session: Session, seat: Seat, command: int) -> None:
        """Answer now what is known, and the rest once it is found: moves do not wait for it."""
        match = self._table.match
        if match.phase is not Phase.PLAYING:
            raise RefusalError(Refusal(Code.NOT_PLAYING))
        if why := hints.refusal(match, seat):
            raise RefusalError(why)
        view = match.game.view(match.state, seat)
        shown = digest(view)
        asked, found = Asked(session, command), self._given.get(seat)
        if found is not None and found[0] == shown:
            self._answer(asked, found[1])
        elif (seat, shown) in self._waiting:
            self._waiting[seat, shown].append(asked)
        else:
            adviser = self._adviser(match, seat, shown)
            self._waiting[seat, shown] = [asked]
            self._services.spawn(self._find(match, adviser, view, shown))

    def _adviser(self, match: Match, seat: Seat, shown: str) -> AnyAdviser:
        """One that has been told what the seat was told. Its chance is of the view, so that it says the same again."""
        adviser = match.game.adviser(Chance(self._seed, f"hint {seat} {shown}"))
        if adviser is None:
            raise RefusalError(Refusal(Code.NO_ADVICE))
        for logged in self._table.history:
            tell(adviser, seat, logged)
        return adviser

    async def _find(
        self, match: Match, adviser: AnyAdviser, view: View[Any, Any], shown: str
    ) -> None:
        seat = view.seat
        if seat is None:
            raise ValueError(view)
        lines: tuple[HintLine, ...] = ()
        try:
            lines = lines_of(match, await self._evaluated(adviser, view))
        except Exception:
            log.exception("table %s: no hint was found", self._table.code)
        self._table.post(lambda: self._give(seat, shown, lines))

    async def _evaluated(
        self, adviser: AnyAdviser, view: View[Any, Any]
    ) -> Sequence[Evaluation[Any]]:
        if adviser.heavy:
            workers: BotWorkers = self._services.bot_workers
            return await workers.advise(adviser, view, MOST)
        return adviser.evaluate(view, MOST)

    async def _give(self, seat: Seat, shown: str, lines: tuple[HintLine, ...]) -> None:
        waiting = self._waiting.pop((seat, shown), [])
        why = await self._against_giving(seat, shown, lines)
        if why is None:
            self._given[seat] = shown, lines
        for asked in waiting:
            if why is None:
                self._answer(asked, lines)
            else:
                self._services.refuse(asked.session, asked.command, why)

    async def _against_giving(
        self, seat: Seat, shown: str, lines: tuple[HintLine, ...]
    ) -> Refusal | None:
        """None once all are told that a hint is given."""
        if not lines:
            return Refusal(Code.NO_ADVICE)
        match = self._table.match
        state = match.state if match.phase is Phase.PLAYING else None
        if state is None or digest(match.game.view(state, seat)) != shown:
            return Refusal(Code.STALE, {"entry": self._table.autoplay.turns.entry_of(seat)})
        return None if self._was_told(seat) else await self._table.enter(Hinted(seat))

    def _was_told(self, seat: Seat) -> bool:
        """Since the last move, perhaps before the server was started again."""
        for logged in reversed([*self._table.history]):
            match logged.entry:
                case Hinted(hinted) if hinted == seat:
                    return True
                case Moved() | Started():
                    return False
                case _:
                    pass
        return False

    def _answer(self, asked: Asked, lines: tuple[HintLine, ...]) -> None:
        asked.session.answer(Advised(asked.command, self._table.match.entries, lines))


def lines_of(match: Match, advice: Sequence[Evaluation[Any]]) -> tuple[HintLine, ...]:
    return tuple(
        HintLine(match.game.notate(each.move), round(each.value, 4), each.unit, each.reasons)
        for each in advice
    )
