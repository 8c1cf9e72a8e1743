"""Chat has a budget for each person and for each table, and those who sit keep a part of it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from diadem_server.table.chat import (
    KEPT_MESSAGES,
    ONLOOKERS_SHARE,
    PERSON_A_SECOND,
    PERSON_AT_ONCE,
    TABLE_A_SECOND,
    TABLE_AT_ONCE,
)
from diadem_shared import protocol
from diadem_shared.protocol import Accepted, Refused
from tests.rig.wire import Player, server
from tests.server import NUMBERS, Time, code, done, looks_on, players, started

STRANGERS = 50


async def talk(player: Player, lines: int) -> list[Any]:
    return [await player.ask(protocol.Say, f"{player.name} {line}") for line in range(lines)]


def said(answers: list[Any]) -> int:
    return sum(isinstance(answer, Accepted) for answer in answers)


def wait_of(answer: Any) -> int:
    assert isinstance(answer, Refused), answer
    assert answer.why.code == "too_fast"
    seconds = answer.why.about["seconds"]
    assert isinstance(seconds, int)
    return seconds


async def test_who_says_too_much_is_told_how_long_to_wait(
    time: Time, ana: Player, bob: Player
) -> None:
    await started(ana, bob)
    assert said(await talk(ana, PERSON_AT_ONCE)) == PERSON_AT_ONCE
    wait = wait_of(await ana.ask(protocol.Say, "and another thing"))
    assert wait == 1 / PERSON_A_SECOND
    await done(bob, protocol.Say, "well")
    assert len(await bob.until(lambda: bob.chat)) == PERSON_AT_ONCE + 1
    time.goes_on(wait)
    await done(ana, protocol.Say, "and another thing")


async def test_neither_another_table_nor_another_line_gives_more_to_say(
    ana: Player, bob: Player
) -> None:
    table = await ana.make(NUMBERS)
    await looks_on(bob, table)
    await talk(bob, PERSON_AT_ONCE)
    await bob.make(NUMBERS)
    assert wait_of(await bob.ask(protocol.Say, "here too"))
    bob.cut()
    await bob.connect()
    await looks_on(bob, table)
    assert wait_of(await bob.ask(protocol.Say, "and here"))


async def test_what_was_refused_costs_nobody_anything(
    ana: Player, bob: Player, cem: Player
) -> None:
    await started(ana, bob, cem)
    answers = await talk(ana, 10 * TABLE_AT_ONCE)
    assert said(answers) < TABLE_AT_ONCE
    for player in (bob, cem):
        assert said(await talk(player, PERSON_AT_ONCE)) == PERSON_AT_ONCE


@pytest.mark.slow
@pytest.mark.usefixtures("numbers")
async def test_a_crowd_of_strangers_does_not_fill_the_chat_of_those_who_play(
    tmp_path: Path,
) -> None:
    names = [f"Guest {number}" for number in range(STRANGERS)]
    async with (
        server(tmp_path, max_per_address=2 * STRANGERS) as app,
        players(app, "Ana", "Bob", *names) as (ana, bob, *strangers),
    ):
        table = await started(ana, bob)
        for stranger in strangers:
            await looks_on(stranger, table)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        floods = await asyncio.gather(*(talk(each, 2 * PERSON_AT_ONCE) for each in strangers))
        told = sum(said(answers) for answers in floods)
        lasted = loop.time() - begun
        assert told <= ONLOOKERS_SHARE * (TABLE_AT_ONCE + TABLE_A_SECOND * lasted)
        assert told < STRANGERS * PERSON_AT_ONCE / 2, "or the flood was none"
        for player in (ana, bob):
            assert said(await talk(player, 5)) == 5
        assert len((await app.lobby.journal.load(table)).chat) == min(told + 10, KEPT_MESSAGES)


@pytest.mark.parametrize("text", ["\u0301" * 500, "\u0e34" * 500, "\u20dd\u200d\ufe0f" * 100, " "])
async def test_chat_of_nothing_to_read_is_refused(text: str, ana: Player) -> None:
    await ana.make(NUMBERS)
    assert code(await ana.ask(protocol.Say, text)) == "nothing_said"
    assert ana.chat == []
