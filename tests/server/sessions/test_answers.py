"""What a session remembers of its answers: one command an id, one answer a frame, and no end of neither."""

import asyncio
from typing import cast

import pytest

from diadem_server.net.outbox import Outbox
from diadem_server.sessions.answers import MOST_IN_FLIGHT, REMEMBERED_ANSWERS, Answers, content_of
from diadem_shared.entries import OptionValue, Setup
from diadem_shared.protocol import (
    Accepted,
    Make,
    Play,
    Pong,
    Refused,
    Say,
    pack,
)
from diadem_shared.refusals import Code, Refusal, RefusalError


class Line:
    """What is sent over one connection."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.sent.append(frame)

    @property
    def outbox(self) -> Outbox:
        return cast("Outbox", self)


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.fixture
def answers() -> Answers:
    return Answers(1, is_new=True)


def test_a_command_is_begun_once(answers: Answers, line: Line) -> None:
    assert answers.begin(7, 1, line.outbox)
    assert not answers.begin(7, 1, line.outbox)
    assert answers.awaits(7)
    answers.give(Accepted(7, 3), line.outbox)
    assert line.sent == [pack(Accepted(7, 3))] * 2, "one for each frame"
    assert not answers.begin(7, 1, line.outbox)
    assert line.sent == [pack(Accepted(7, 3))] * 3
    assert not answers.awaits(7)


def test_an_answer_goes_over_the_line_that_asked_for_it(answers: Answers, line: Line) -> None:
    newer = Line()
    answers.begin(7, 1, line.outbox)
    answers.begin(8, 1, line.outbox)
    answers.begin(8, 1, newer.outbox)
    for id_ in (7, 8):
        answers.give(Accepted(id_), newer.outbox)
    assert not line.sent
    assert newer.sent == [pack(Accepted(8))]
    assert not answers.begin(7, 1, newer.outbox), "done meanwhile"
    assert newer.sent[1:] == [pack(Accepted(7))]


@pytest.mark.parametrize("is_answered", [False, True])
def test_an_id_has_one_content(answers: Answers, line: Line, *, is_answered: bool) -> None:
    answers.begin(7, 1, line.outbox)
    if is_answered:
        answers.give(Accepted(7), line.outbox)
    for asks in (False, True):
        with pytest.raises(RefusalError, match="id_reused"):
            answers.begin(7, 2, line.outbox, asks=asks)


def test_content_is_what_is_meant_not_how_it_is_written() -> None:
    options: dict[str, OptionValue] = {"youngest": 0, "play": "marked"}
    turned = dict(reversed(options.items()))
    assert content_of(Make(1, Setup("x", options))) == content_of(Make(1, Setup("x", turned)))
    assert content_of(Play(1, "draw")) != content_of(Play(1, "stop"))
    assert content_of(Play(1, "draw")) != content_of(Say(1, "draw"))


def test_a_question_is_asked_anew(answers: Answers, line: Line) -> None:
    for _ in range(2):
        assert answers.begin(7, 1, line.outbox, asks=True)
    for sent in (1, 2):
        answers.give(Pong(7), line.outbox)
        assert len(line.sent) == sent
    assert answers.begin(7, 2, line.outbox), "and then forgotten"


@pytest.mark.parametrize("code", [Code.TOO_FAST, Code.JOURNAL_UNAVAILABLE])
def test_what_was_refused_for_now_is_judged_anew(answers: Answers, line: Line, code: Code) -> None:
    answers.begin(7, 1, line.outbox)
    refusal = Refused(7, Refusal(code))
    assert not answers.rows(refusal)
    answers.give(refusal, line.outbox)
    assert line.sent == [pack(refusal)]
    assert answers.begin(7, 1, line.outbox)


def test_answers_are_not_remembered_for_ever(answers: Answers, line: Line) -> None:
    for id_ in range(1, 3 * REMEMBERED_ANSWERS):
        answers.begin(id_, 1, line.outbox)
        answers.give(Accepted(id_), line.outbox)
    assert sum(map(answers.knows, range(3 * REMEMBERED_ANSWERS))) == REMEMBERED_ANSWERS
    assert not answers.knows(1)


def test_no_more_is_begun_than_can_be_waited_for(answers: Answers, line: Line) -> None:
    for id_ in range(1, MOST_IN_FLIGHT):
        assert answers.begin(id_, 1, line.outbox)
    for _ in range(MOST_IN_FLIGHT - 1):
        assert not answers.begin(1, 1, line.outbox)
    assert answers.begin(MOST_IN_FLIGHT, 1, line.outbox)
    for id_ in (1, MOST_IN_FLIGHT + 1):
        with pytest.raises(RefusalError, match="too_fast"):
            answers.begin(id_, 1, line.outbox)
    answers.give(Accepted(1), line.outbox)
    assert len(line.sent) == MOST_IN_FLIGHT
    assert answers.begin(MOST_IN_FLIGHT + 1, 1, line.outbox)


def test_only_whoever_waits_for_nothing_is_forgotten(answers: Answers, line: Line) -> None:
    answers.begin(7, 1, line.outbox)
    answers.give(Accepted(7), line.outbox)
    answers.begin(8, 1, line.outbox)
    answers.forget()
    assert answers.knows(7)
    answers.give(Accepted(8), line.outbox)
    answers.forget()
    assert not any(map(answers.knows, (7, 8)))
    assert not answers.is_recalled


async def test_all_is_answered_once_the_last_command_is(answers: Answers, line: Line) -> None:
    await answers.idle()
    answers.begin(7, 1, line.outbox)
    answers.begin(8, 1, line.outbox)
    waiting = [asyncio.create_task(answers.idle()) for _ in range(2)]
    answers.give(Accepted(7, 3), line.outbox)
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    answers.give(Accepted(8, 4), line.outbox)
    await asyncio.gather(*waiting)


async def test_a_command_that_is_withdrawn_may_be_begun_again(answers: Answers, line: Line) -> None:
    answers.begin(7, 1, line.outbox, asks=True)
    answers.begin(7, 1, line.outbox, asks=True)
    answers.withdraw(7, line.outbox)
    assert answers.awaits(7), "another frame of it has to be answered"
    answers.withdraw(7, line.outbox)
    await answers.idle()
    assert answers.begin(7, 2, line.outbox)
    assert not line.sent


def test_what_one_node_has_answered_another_answers_alike(answers: Answers, line: Line) -> None:
    there = Answers(1, is_new=True)
    for id_ in range(1, REMEMBERED_ANSWERS + 2):
        answers.begin(id_, id_, line.outbox)
        answers.rows(Accepted(id_))
        answers.give(Accepted(id_), line.outbox)
    line.sent.clear()
    there.add(*answers.taken_along())
    assert not there.begin(REMEMBERED_ANSWERS, REMEMBERED_ANSWERS, line.outbox)
    assert line.sent == [pack(Accepted(REMEMBERED_ANSWERS))]
    assert there.begin(1, 1, line.outbox), "too long ago"
    with pytest.raises(RefusalError):
        there.begin(2, 3, line.outbox)
    (row,) = there.rows(Accepted(1))
    assert row.row.number == REMEMBERED_ANSWERS + 2, "they are counted on"
