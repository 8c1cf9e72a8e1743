"""Every command is answered once, by the lobby or by the table at which one is when it comes."""

from collections import Counter
from typing import get_args

import pytest

from diadem_server.app import App
from diadem_shared import protocol
from diadem_shared.protocol import Accepted, Answer, AnyCommand, Command, Pong
from tests.rig.wire import Player
from tests.server import NUMBERS, code, done, started

NOWHERE = "ZZZZ"
GIVEN: dict[type[Command], tuple[object, ...]] = {
    protocol.WatchLobby: (True,),
    protocol.Make: (NUMBERS,),
    protocol.Join: (NOWHERE,),
    protocol.Ready: (True,),
    protocol.Commit: ("0" * 64,),
    protocol.Open: ("0" * 64,),
    protocol.Change: (NUMBERS,),
    protocol.AddBot: ("halver",),
    protocol.Remove: (1,),
    protocol.Kick: ("Bob",),
    protocol.Ban: ("Bob", True),
    protocol.Mute: ("Bob", True),
    protocol.HandOver: ("halver",),
    protocol.Play: ("guess 5",),
    protocol.Check: ({},),
    protocol.LookUp: ("word",),
    protocol.Say: ("hello",),
    protocol.React: ("hello",),
    protocol.SetPause: (0,),
    protocol.GetReplay: (NOWHERE,),
    protocol.Export: (NOWHERE,),
    protocol.GetStandings: ("diadingo",),
    protocol.SetListed: (True,),
}
EVERY_COMMAND = [
    kind(number, *GIVEN.get(kind, ())) for number, kind in enumerate(get_args(AnyCommand), 500)
]


def answers(player: Player) -> Counter[int]:
    return Counter(each.id for each in player.messages if isinstance(each, Answer))


@pytest.mark.parametrize("is_seated", [False, True])
async def test_every_command_is_answered_once(app: App, *, is_seated: bool) -> None:
    async with Player(app.port, "Ana") as ana:
        for command in EVERY_COMMAND:
            if is_seated and ana.view is None:
                await ana.make(NUMBERS)
            await ana.ask_again(command)
        assert isinstance(await ana.ask(protocol.Ping), Pong)
        assert {answers(ana)[command.id] for command in EVERY_COMMAND} == {1}


async def test_what_is_asked_of_a_table_needs_one(app: App) -> None:
    of_the_lobby = {
        *(protocol.WatchLobby, protocol.SetPause, protocol.Make, protocol.Join, protocol.Ping),
        *(protocol.Describe, protocol.ListReplays, protocol.GetReplay),
        *(protocol.ListReplays, protocol.GetReplay, protocol.Export),
        *(protocol.GetStatistics, protocol.GetStandings, protocol.SetListed),
    }
    async with Player(app.port, "Ana") as ana:
        for command in EVERY_COMMAND:
            if type(command) not in of_the_lobby:
                assert code(await ana.ask_again(command)) == "at_no_table"


async def test_commands_are_answered_in_the_order_in_which_they_came(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(NUMBERS)
        assert ana.socket is not None
        lines = [protocol.Say(number, f"line {number}") for number in range(100, 104)]
        for line in lines:
            await ana.socket.send(protocol.pack(line))
        await ana.ask_again(protocol.Ready(104, ready=True))
        asked = [each.id for each in ana.messages if isinstance(each, Answer)]
        assert asked[-5:] == [100, 101, 102, 103, 104]
        assert [said.text for said in ana.chat] == [line.text for line in lines]


async def test_what_follows_leaving_a_table_is_for_the_lobby(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(NUMBERS)
        assert ana.socket is not None
        await ana.socket.send(protocol.pack(protocol.Part(100)))
        assert code(await ana.ask_again(protocol.Say(101, "hello?"))) == "at_no_table"
        await ana.until(
            lambda: 100 in [each.id for each in ana.messages if isinstance(each, Answer)]
        )
        assert isinstance(await ana.ask_again(protocol.Make(102, NUMBERS)), Accepted)


async def test_a_table_that_is_joined_is_seen_and_heard(app: App) -> None:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        table = await started(ana)
        await done(bob, protocol.Join, table.lower())
        await bob.seen(lambda view: view.table == table)
        await done(ana, protocol.Say, "welcome")
        await bob.until(lambda: bob.chat)
