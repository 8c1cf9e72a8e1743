"""Questions of who has a table are gathered while another is answered."""

import asyncio
from collections.abc import Sequence

import pytest

from diadem_server.cluster.lookups import Found, Lookups
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.statement import Row, Statement

HERE = Found(owner=1, is_member=True, is_running=True)


class Answering:
    """A journal in which each table belongs to node 1, and that answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[Sequence[str]] = []
        self.may_answer = asyncio.Event()
        self.is_away = False

    async def ask(self, *asked: Statement) -> list[list[Row]]:
        ((_, (codes, _since)),) = asked
        self.asked.append(codes)
        await self.may_answer.wait()
        if self.is_away:
            raise JournalUnavailable("away")
        return [[(code, *HERE) for code in codes if code != "NONE"]]


@pytest.fixture
async def journal() -> Answering:
    return Answering()


async def test_all_that_is_asked_meanwhile_is_one_question(journal: Answering) -> None:
    lookups = Lookups(journal, lambda: 0.0)  # type: ignore[arg-type]  # it needs nothing else
    first = asyncio.create_task(lookups.find("A"))
    while not journal.asked:  # noqa: ASYNC110
        await asyncio.sleep(0)
    more = [asyncio.create_task(lookups.find(code)) for code in ("B", "C", "NONE", "B", "A")]
    await asyncio.sleep(0)
    journal.may_answer.set()
    assert await first == HERE
    assert await asyncio.gather(*more) == [HERE, HERE, None, HERE, HERE]
    assert journal.asked == [["A"], ["B", "C", "NONE", "A"]]


async def test_who_gives_up_keeps_nobody_else_from_the_answer(journal: Answering) -> None:
    lookups = Lookups(journal, lambda: 0.0)  # type: ignore[arg-type]
    gone, other = (asyncio.create_task(lookups.find("A")) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    journal.may_answer.set()
    assert await other == HERE


async def test_an_outage_is_told_to_all_and_the_next_question_is_asked(journal: Answering) -> None:
    lookups = Lookups(journal, lambda: 0.0)  # type: ignore[arg-type]
    journal.is_away = True
    journal.may_answer.set()
    refused = await asyncio.gather(lookups.find("A"), lookups.find("B"), return_exceptions=True)
    assert [type(each) for each in refused] == [JournalUnavailable] * 2
    journal.is_away = False
    assert await lookups.find("A") == HERE
