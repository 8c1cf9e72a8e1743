"""Old pages of a history are read one at a time, and each session asks for one at a time."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from diadem_server.lobby.history_reader import HistoryReader
from diadem_shared.refusals import Code, RefusalError

ANA, BOB = 1, 2


class Slow:
    """A history that is read when the test says so."""

    def __init__(self) -> None:
        self.reading: list[Any] = []
        self.may_end = asyncio.Event()

    async def read(self, journal: Any, page: Any) -> Sequence[Any]:
        self.reading.append(page)
        await self.may_end.wait()
        if page == "broken":
            raise OSError
        return [journal, page]


def reads(pages: HistoryReader, session: int, slow: Any, page: Any) -> asyncio.Task[Sequence[Any]]:
    return asyncio.create_task(pages.read(session, slow, page))


@pytest.fixture
def pages() -> HistoryReader:
    journal: Any = "journal"
    return HistoryReader(journal)


async def test_one_is_read_after_the_other(pages: HistoryReader) -> None:
    slow = Slow()
    first, second = reads(pages, ANA, slow, "first"), reads(pages, BOB, slow, "second")
    await asyncio.sleep(0)
    assert slow.reading == ["first"]
    slow.may_end.set()
    assert await first == ["journal", "first"]
    assert await second == ["journal", "second"]


async def test_who_asks_for_a_second_one_at_once_is_told_to_wait(pages: HistoryReader) -> None:
    slow = Slow()
    first = reads(pages, ANA, slow, "first")
    await asyncio.sleep(0)
    with pytest.raises(RefusalError) as refused:
        await reads(pages, ANA, slow, "second")
    assert refused.value.refusal.code == Code.TOO_FAST
    slow.may_end.set()
    await first
    assert await reads(pages, ANA, slow, "third") == ["journal", "third"]


async def test_one_that_cannot_be_read_holds_up_nobody(pages: HistoryReader) -> None:
    slow = Slow()
    slow.may_end.set()
    with pytest.raises(OSError):  # noqa: PT011, the planted one
        await reads(pages, ANA, slow, "broken")
    assert await reads(pages, ANA, slow, "whole") == ["journal", "whole"]
