"""A few things are said with a key: no more often than chat, to nobody who has muted who says them."""

from functools import partial
from typing import get_args

import pytest

from diadem_server.app import App
from diadem_server.table.chat import PERSON_AT_ONCE
from diadem_shared import protocol
from diadem_shared.frames import pack
from diadem_shared.protocol import Reacted, Reaction, Refused
from tests.rig.wire import Player
from tests.server import NUMBERS, Time, code, done, looks_on, started


def heard(player: Player) -> list[Reacted]:
    return [each for each in player.messages if isinstance(each, Reacted)]


def heard_so_many(player: Player, count: int) -> list[Reacted] | None:
    return heard(player) if len(heard(player)) == count else None


@pytest.mark.usefixtures("chatter")
async def test_everybody_at_the_table_hears_it(ana: Player, bob: Player, cem: Player) -> None:
    table = await started(ana, bob)
    await looks_on(cem, table)
    kinds = get_args(Reaction)
    for kind in kinds:
        await done(bob, protocol.React, kind)
    for player in (ana, bob, cem):
        told = await player.until(partial(heard_so_many, player, len(kinds)))
        assert told == [Reacted("Bob", 1, kind) for kind in kinds]


async def test_onlookers_say_it_without_a_seat(ana: Player, bob: Player) -> None:
    await looks_on(bob, await ana.make(NUMBERS))
    await done(bob, protocol.React, "hello")
    assert await ana.until(lambda: heard(ana)) == [Reacted("Bob", None, "hello")]


async def test_who_is_at_no_table_says_it_to_nobody(ana: Player, bob: Player) -> None:
    await ana.make(NUMBERS)
    assert code(await bob.ask(protocol.React, "hello")) == "at_no_table"
    assert not heard(ana)


NO_REACTIONS = ("", "Hello", "hello ", "\x1b[2J", "x" * 10_000, 7, None, ["wow"])


async def test_nothing_else_can_be_said_so(ana: Player, bob: Player) -> None:
    await started(ana, bob)
    assert ana.socket is not None
    for id_, kind in enumerate(NO_REACTIONS, start=700):
        await ana.socket.send(pack({"type": "react", "id": id_, "kind": kind}))
        refused = await ana.until(partial(refusal, ana, id_))
        assert (code(refused), refused.why.about["field"]) == ("bad_value", "kind"), kind
    assert not heard(bob)


def refusal(player: Player, id_: int) -> Refused | None:
    refused = (each for each in player.messages if isinstance(each, Refused) and each.id == id_)
    return next(refused, None)


async def test_it_is_said_no_more_often_than_chat(time: Time, ana: Player, bob: Player) -> None:
    await started(ana, bob)
    for number in range(PERSON_AT_ONCE):
        if number % 2:
            await done(ana, protocol.React, "wow")
        else:
            await done(ana, protocol.Say, "wow")
    refused = await ana.ask(protocol.React, "wow")
    assert code(refused) == code(await ana.ask(protocol.Say, "wow")) == "too_fast"
    time.goes_on(refused.why.about["seconds"])
    await done(ana, protocol.React, "wow")
    assert len(await bob.until(lambda: heard(bob))) == PERSON_AT_ONCE // 2 + 1


async def test_who_has_muted_somebody_is_not_told(ana: Player, bob: Player, cem: Player) -> None:
    await started(ana, bob, cem)
    await done(ana, protocol.Mute, "Bob", on=True)
    await done(bob, protocol.React, "sorry")
    await cem.until(lambda: heard(cem))
    await done(cem, protocol.React, "thanks")
    assert [each.name for each in await ana.until(lambda: heard(ana))] == ["Cem"]


async def test_none_is_kept(app: App, ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await done(ana, protocol.React, "hello")
    assert not app.lobby.tables[table].chat.lines
    assert not (await app.lobby.journal.load(table)).chat
    await looks_on(bob, table)
    await done(ana, protocol.React, "wow")
    assert [each.kind for each in await bob.until(lambda: heard(bob))] == ["wow"]


async def test_what_is_sent_twice_is_said_once(ana: Player, bob: Player) -> None:
    await started(ana, bob)
    said = protocol.React(700, "wow")
    assert await ana.ask_again(said) == await ana.ask_again(said)
    await done(ana, protocol.React, "thanks")
    kinds = await bob.until(lambda: len(heard(bob)) > 1 and [each.kind for each in heard(bob)])
    assert kinds == ["wow", "thanks"]
