"""Matches that are weighed in a thread, which goes on while the player looks at something else."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from hashlib import blake2b
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import msgspec

from diadem_client.local.own_words import InOwnWords
from diadem_client.net.slices import until_left
from diadem_client.wording.verified import shown
from diadem_shared import match_file
from diadem_shared.analysis import Analysis, analysis_of
from diadem_shared.entries import Moved
from diadem_shared.match_file import Fault, Untrue
from diadem_shared.playback import Playback

if TYPE_CHECKING:
    from diadem_client.local.kept_analyses import KeptAnalyses

MOST = 3
"""Matches that are weighed at a time, or were, and are at hand. The one that was asked for longest ago gives way."""


class WeighedMatch:
    """A match that was played again, and what each move was worth."""

    def __init__(self, playback: Playback, game: str, analysis: Analysis) -> None:
        self.playback = playback
        self.code = shown(playback.code)
        self.game = game
        self.analysis = analysis

    @property
    def names(self) -> list[str]:
        playback = self.playback
        return [shown(each.name) for each in playback.match_at(playback.last).players]


class AnalysisJob:
    def __init__(self, data: bytes, kept: "KeptAnalyses | None", in_own_words: InOwnWords) -> None:
        """`data`: the file of a match, of which nothing is believed yet."""
        self._data = data
        self._kept = kept
        self._in_own_words = in_own_words
        self._left = Event()
        self._finished = asyncio.Event()
        self._done, self._last = 0, 1
        self._result: WeighedMatch | Exception | None = None

    @property
    def percent(self) -> int:
        return 100 * self._done // self._last

    @property
    def has_failed(self) -> bool:
        return isinstance(self._result, Exception)

    async def run(self) -> None:
        """To its end, or to that of the client, which waits for no thread."""
        loop = asyncio.get_running_loop()

        def work() -> None:
            try:
                self._result = self._weigh()
            except Exception as error:  # noqa: BLE001, the file may be anybody's
                self._result = error
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._finished.set)

        Thread(target=work, name="weighing", daemon=True).start()
        try:
            await self._finished.wait()
        finally:
            self.give_up()

    async def result(self) -> WeighedMatch | None:
        """None if it was given up. Raises Untrue where the file is no match, and what else went wrong."""
        await self._finished.wait()
        if isinstance(self._result, Exception):
            raise self._result
        return self._result

    def give_up(self) -> None:
        self._left.set()
        self._finished.set()

    def _weigh(self) -> WeighedMatch | None:
        told = match_file.read(self._data)
        file = self._in_own_words(told)
        playback, setup = Playback(file), file.header.setup
        self._last = max(1, len(file.entries))
        until_left(playback.prepare(), self._left)
        if self._left.is_set():
            return None
        if file is not told:
            _hold_against_words(playback)
        identity = self._data + msgspec.json.encode(setup)
        analysis = self._kept.find(identity) if self._kept else None
        if analysis is None:
            steps = (playback.step(number) for number in range(1, playback.last + 1))
            analysis = until_left(analysis_of(playback.match_at(0), steps), self._left, self._tell)
            if analysis is not None and self._kept:
                self._kept.keep(identity, analysis, time.time())
        return None if analysis is None else WeighedMatch(playback, setup.game, analysis)

    def _tell(self, number: int) -> None:
        self._done = number


def _hold_against_words(playback: Playback) -> None:
    """A list that is only called as the one that was played by has at least to have all that was laid. Raises Untrue."""
    for number in range(1, playback.last + 1):
        match, entry = playback.match_at(number - 1), playback.step(number).entry
        if isinstance(entry, Moved):
            move = match.game.parse(entry.move)
            if why := match.game.explain(match.game.view(match.state, entry.seat), move):
                raise Untrue(Fault.OTHER_WORDS, number, why)


class AnalysisJobs:
    """Those of one client."""

    def __init__(
        self,
        kept: "KeptAnalyses | None",
        run: Callable[[Coroutine[Any, Any, None]], object],
        in_own_words: InOwnWords,
    ) -> None:
        """`kept`: where what comes of it is kept, if that is so anywhere. `run`: has a coroutine run beside others."""
        self._kept = kept
        self._run = run
        self._in_own_words = in_own_words
        self._weighings: dict[bytes, AnalysisJob] = {}

    def of(self, data: bytes) -> AnalysisJob:
        """That of this match, which perhaps is over, or begins now."""
        key = blake2b(data, digest_size=16).digest()
        weighing = self._weighings.pop(key, None)
        if weighing is None or weighing.has_failed:
            weighing = AnalysisJob(data, self._kept, self._in_own_words)
            self._run(weighing.run())
        self._weighings[key] = weighing  # the last to give way
        for old in list(self._weighings)[:-MOST]:
            self._weighings.pop(old).give_up()
        return weighing
