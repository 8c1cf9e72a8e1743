"""A match is weighed once, in the background, and nothing of it keeps a client from ending."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from diadem_client import match_analysis
from diadem_client.local.kept_analyses import KeptAnalyses
from diadem_client.local.local_file import read_text
from diadem_client.local.own_words import OwnWords
from diadem_client.match_analysis import MOST, AnalysisJobs
from diadem_shared import analysis
from diadem_shared.analysis import Analysis
from diadem_shared.entries import Setup
from diadem_shared.match_file import Fault, MatchFile, Untrue
from tests.client.zoo import ZOO, zoo_match
from tests.patience import PATIENCE
from tests.shared.match_files import TABLE, file_of, played

FILE = file_of(*played(Setup("diadingo")))


def as_it_is(file: MatchFile) -> MatchFile:
    return file


class Running:
    """As an application runs what goes on beside its screens."""

    def __init__(self) -> None:
        self.tasks: list[asyncio.Task[None]] = []

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        self.tasks.append(asyncio.create_task(work))


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many entries each analysis has gone through."""
    counts: list[int] = []

    def analysis_of(*given: Any) -> Any:
        counts.append(0)
        steps = real(*given)
        while True:
            try:
                yield next(steps)
            except StopIteration as finished:
                return finished.value
            counts[-1] += 1

    real = analysis.analysis_of
    monkeypatch.setattr(match_analysis, "analysis_of", analysis_of)
    return counts


async def result_of(some: AnalysisJobs, data: bytes = FILE) -> Any:
    async with asyncio.timeout(PATIENCE):
        return await some.of(data).result()


async def test_a_match_is_weighed_once_also_for_the_next_client(
    tmp_path: Path, analysed: list[int]
) -> None:
    kept, running = KeptAnalyses(tmp_path), Running()
    some = AnalysisJobs(kept, running.run, as_it_is)
    first = await result_of(some)
    assert first.names == ["Ana", "Bob"]
    assert first.analysis.decisions
    assert await result_of(some) is first
    again = await result_of(AnalysisJobs(kept, running.run, as_it_is))
    assert again.analysis == first.analysis
    assert len(analysed) == 1


async def test_where_nothing_is_kept_on_disk_the_newest_are_at_hand(analysed: list[int]) -> None:
    some = AnalysisJobs(None, Running().run, as_it_is)
    first = await result_of(some)
    for number in range(MOST):
        await result_of(some, FILE.replace(TABLE.encode(), f"A{number}".encode()))
    assert await result_of(some) is not first
    assert len(analysed) == MOST + 2


async def test_it_goes_on_until_the_client_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    entered, ended = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def endless(*_given: Any) -> Any:
        try:
            yield 1
            loop.call_soon_threadsafe(entered.set)  # now the first was told
            while True:
                yield 1
        finally:
            loop.call_soon_threadsafe(ended.set)
        return Analysis()

    monkeypatch.setattr(match_analysis, "analysis_of", endless)
    running = Running()
    weighing = AnalysisJobs(None, running.run, as_it_is).of(FILE)
    async with asyncio.timeout(PATIENCE):
        await entered.wait()
        assert weighing.percent > 0
        running.tasks[0].cancel()
        assert await weighing.result() is None
        await ended.wait()


async def test_what_is_no_match_is_said_and_tried_anew_when_it_is_asked_for_again() -> None:
    some = AnalysisJobs(None, Running().run, as_it_is)
    weighing = some.of(b"no match")
    with pytest.raises(Untrue):
        await weighing.result()
    assert some.of(b"no match") is not weighing


@pytest.mark.parametrize(("has", "fault"), [(ZOO, None), ("zebra\nyak\n", Fault.OTHER_WORDS)])
async def test_a_match_of_own_words_is_weighed_by_a_list_that_has_what_was_laid(
    tmp_path: Path, has: str, fault: Fault | None
) -> None:
    (tmp_path / "zoo.txt").write_text(has)
    own = OwnWords(str(tmp_path / "zoo.txt"))
    some = AnalysisJobs(None, Running().run, lambda file: own.in_place(file, read_text))
    if fault is None:
        assert (await result_of(some, zoo_match())).analysis.decisions
    else:
        with pytest.raises(Untrue) as untrue:
            await result_of(some, zoo_match())
        assert untrue.value.fault is fault
