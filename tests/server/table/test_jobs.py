"""What a table has to do, one thing after the other."""

import asyncio

import pytest

from diadem_server.sessions.sessions import Session
from diadem_server.table.jobs import Job, Jobs

ANA = Session(1, "Ana")


def job(command: int) -> Job:
    async def work() -> None:
        """Nothing."""

    return Job(work, ANA, command)


async def test_jobs_are_taken_in_the_order_in_which_they_came() -> None:
    jobs, first, second = Jobs(), job(1), job(2)
    assert not jobs
    jobs.put(first)
    jobs.put(second)
    jobs.put(None)
    assert jobs
    assert [await jobs.take() for _ in range(3)] == [first, second, None]
    assert not jobs


async def test_whoever_waits_is_given_the_first_that_comes() -> None:
    jobs, first, second = Jobs(), job(1), job(2)
    taking = asyncio.create_task(jobs.take())
    await asyncio.sleep(0)
    assert not taking.done()
    jobs.put(first)
    jobs.put(second)
    assert await taking == first
    assert await jobs.take() == second


async def test_whoever_waits_no_longer_takes_nothing() -> None:
    jobs, only = Jobs(), job(1)
    taking = asyncio.create_task(jobs.take())
    await asyncio.sleep(0)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    jobs.put(only)
    assert await jobs.take() == only


async def test_the_rest_is_what_was_not_taken() -> None:
    jobs, first, second = Jobs(), job(1), job(2)
    for each in (first, None, second):
        jobs.put(each)
    assert jobs.rest() == [first, second]
    assert not jobs
