"""Requests of several commands: each is sent when the one before was answered, and a refusal ends it."""

import asyncio
from typing import Any

import pytest

from diadem_client.net import requests
from diadem_client.net.client import Client
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Accepted, Answer, Refused
from diadem_shared.refusals import Code, Refusal

SETUP = Setup("diamoniak")
FULL = Refusal(Code.TABLE_FULL)


class Answering(Client):
    """Asks nobody: kinds of commands that are named here are refused, the others accepted."""

    def __init__(self, *refused: type) -> None:
        self.asked: list[Any] = []
        self._refused = refused

    def ask(self, kind: Any, *given: Any, **named: Any) -> asyncio.Future[Answer]:
        self.asked.append(kind(1, *given, **named))
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        answer.set_result(Refused(1, FULL) if kind in self._refused else Accepted(1))
        return answer

    @property
    def kinds(self) -> list[type]:
        return [type(each) for each in self.asked]


async def test_who_joins_sits_down_if_they_want_to() -> None:
    client = Answering()
    assert await requests.join(client, client.ask(protocol.Join, "K7F3"), sit=True) is None
    assert client.kinds == [protocol.Join, protocol.Sit]
    onlooker = Answering()
    assert await requests.join(onlooker, onlooker.ask(protocol.Join, "K7F3"), sit=False) is None
    assert onlooker.kinds == [protocol.Join]


@pytest.mark.parametrize("refused", [protocol.Join, protocol.Sit])
async def test_who_is_not_let_in_or_finds_no_seat_is_told(refused: type) -> None:
    client = Answering(refused)
    assert await requests.join(client, client.ask(protocol.Join, "K7F3"), sit=True) == FULL
    assert client.kinds[-1] is refused


async def test_a_table_with_bots_is_begun_and_one_without_waits() -> None:
    client = Answering()
    made = client.ask(protocol.Make, SETUP)
    assert await requests.make(client, made, ("easy", "strong")) is None
    assert client.asked[1:3] == [protocol.AddBot(1, "easy"), protocol.AddBot(1, "strong")]
    assert client.kinds[3:] == [protocol.Start]
    alone = Answering()
    assert await requests.make(alone, alone.ask(protocol.Make, SETUP), ()) is None
    assert alone.kinds == [protocol.Make]


@pytest.mark.parametrize("refused", [protocol.Make, protocol.Start])
async def test_a_table_that_is_not_made_or_not_begun_says_why(refused: type) -> None:
    client = Answering(refused)
    assert await requests.make(client, client.ask(protocol.Make, SETUP), ("easy",)) == FULL
    assert client.kinds[-1] is refused


async def test_a_new_match_comes_after_the_old_one_was_given_up() -> None:
    client = Answering()
    assert await requests.make_instead(client, SETUP, ("easy",)) is None
    assert client.kinds[:3] == [protocol.Resign, protocol.Part, protocol.Make]
    assert protocol.Start not in client.kinds  # that is for the player to say
