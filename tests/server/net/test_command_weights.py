"""Commands weigh against the rate limit by what they cost, and none holds up the others."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from diadem_server.app import App
from diadem_server.lobby import lobby as lobby_module
from diadem_server.lobby import replays
from diadem_server.net.command_weights import WEIGHTS, weight
from diadem_server.storage.changes import FinishTable, NewEntry, NewTable
from diadem_server.storage.records import EntryRow, FinishedLine
from diadem_shared import protocol
from diadem_shared.entries import Moved, Setup
from diadem_shared.game import Outcome
from diadem_shared.protocol import (
    LobbyView,
    Pong,
    Replay,
    pack,
)
from tests.rig.wire import Player, server
from tests.server import done

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text()
SAVED_UP = 20
NOWHERE = "NONE"
CODE = "LONG"
COSTLY: tuple[Callable[[int], Any], ...] = (
    *(protocol.Sit, protocol.Stand, protocol.Part, protocol.Start),
    *(protocol.Resign, protocol.TakeBack),
    lambda id_: protocol.Ready(id_, ready=True),
    lambda id_: protocol.Remove(id_, 1),
    lambda id_: protocol.AddBot(id_, "zombie"),
    lambda id_: protocol.HandOver(id_, "zombie"),
    lambda id_: protocol.Kick(id_, "Bob"),
    lambda id_: protocol.Ban(id_, "Bob", on=True),
    lambda id_: protocol.Mute(id_, "Bob", on=True),
    lambda id_: protocol.Change(id_, Setup("chess")),
    lambda id_: protocol.Check(id_, {}),
    lambda id_: protocol.LookUp(id_, "ei"),
    lambda id_: protocol.Join(id_, NOWHERE),
    protocol.GetHistory,
    protocol.GetMoves,
    protocol.Describe,
    protocol.ListReplays,
    lambda id_: protocol.WatchLobby(id_, on=True),
    protocol.Again,
    lambda id_: protocol.Make(id_, Setup("chess")),
    lambda id_: protocol.GetReplay(id_, NOWHERE),
    lambda id_: protocol.Export(id_, NOWHERE),
    protocol.GetHint,
    protocol.Explain,
    protocol.GetStatistics,
    lambda id_: protocol.GetStandings(id_, "diadingo"),
    lambda id_: protocol.SetListed(id_, on=True),
)


@pytest.mark.parametrize(("tiles", "most"), [(0, 2), (15, 2), (20, 3), (120, 23)])
def test_a_draft_weighs_by_its_tiles(tiles: int, most: int) -> None:
    fields = [f"{column}{row}" for row in range(1, 11) for column in "ABCDEFGHIJKL"]
    assert weight(protocol.Check(1, dict.fromkeys(fields[:tiles], "*"))) == most


def is_too_fast(answer: Any) -> bool:
    return isinstance(answer, protocol.Refused) and answer.why.code == "too_fast"


def test_every_command_that_weighs_more_is_tried_below() -> None:
    assert {type(make(1)) for make in COSTLY} == WEIGHTS.keys()


async def test_what_costs_more_may_be_asked_for_less_often(tmp_path: Path) -> None:
    wrong = []
    async with server(tmp_path, commands_a_second=0.0, burst=SAVED_UP) as app:
        for make in COSTLY:
            async with Player(app.port) as ana:
                most = SAVED_UP // weight(make(1))
                answers = [await ana.ask_again(make(number)) for number in range(1, most + 2)]
            if [is_too_fast(each) for each in answers] != [False] * most + [True]:
                wrong.append(make(1))
    assert wrong == []


async def test_who_asked_for_much_is_told_when_as_much_may_be_asked_for_again(
    tmp_path: Path,
) -> None:
    async with (
        server(tmp_path, commands_a_second=1.0, burst=SAVED_UP) as app,
        Player(app.port) as ana,
    ):
        await ana.ask(protocol.GetReplay, NOWHERE)
        refused = await ana.ask(protocol.GetReplay, NOWHERE)
        assert is_too_fast(refused)
        assert refused.why.about["seconds"] in {SAVED_UP - 1, SAVED_UP}


async def test_what_weighs_more_than_can_be_saved_up_is_done_all_the_same(tmp_path: Path) -> None:
    async with server(tmp_path, commands_a_second=0.0, burst=3) as app, Player(app.port) as ana:
        assert not is_too_fast(await ana.ask(protocol.GetReplay, NOWHERE))
        assert is_too_fast(await ana.ask(protocol.Ping))


def test_weights_are_told_to_who_writes_a_client() -> None:
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \| (\d+) \|$", PAGE, re.MULTILINE)
    told = {name: int(each) for names, each in rows for name in re.findall(r"\w+", names)}
    tags = {str(kind.__struct_config__.tag): each for kind, each in WEIGHTS.items()}
    assert told == tags


# Long answers


async def _played_long_ago(app: App, player: Player, entries: int, code: str = CODE) -> list[Any]:
    """A finished match of that many moves in the journal."""
    session = app.lobby.sessions.known(player.token)
    assert session is not None
    setup, line = Setup("diamoniak"), FinishedLine(code, "diamoniak", ("Ana",), Outcome((1,), (0,)))
    moves = [Moved(0, f"draw {number}", number) for number in range(entries)]
    await app.lobby.journal.write(
        NewTable(code, 0.0, setup, b"seed", 1),
        *(
            NewEntry(code, EntryRow(number, move, session.id, number, ""))
            for number, move in enumerate(moves, start=1)
        ),
        FinishTable(code, 1.0, line, [session.id]),
    )
    return [{"type": "moved", "seat": 0, "move": each.move, "spent": each.spent} for each in moves]


async def test_a_replay_of_any_length_is_whole(
    app: App, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "PAGE", 10)
    for number, entries in enumerate((1, 9, 10, 11, 45)):
        code = f"LONG{number}"
        moves = await _played_long_ago(app, ana, entries, code)
        replay = await ana.ask(protocol.GetReplay, code)
        assert isinstance(replay, Replay)
        assert [dict(each) for each in replay.entries] == moves, entries


async def test_nobody_waits_while_a_long_replay_is_put_together(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "PAGE", 1)
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        await _played_long_ago(app, ana, 300)
        assert ana.socket is not None
        await ana.socket.send(pack(protocol.GetReplay(900, CODE)))
        await app.lobby.journal.codes()  # by then it is at work
        for _ in range(5):
            assert isinstance(await bob.ask(protocol.Ping), Pong)
        assert not any(isinstance(each, Replay) for each in ana.messages)
        assert await ana.until(lambda: any(isinstance(each, Replay) for each in ana.messages))


def _lobby_with_a_table(player: Player) -> LobbyView | None:
    return player.lobby if player.lobby and player.lobby.tables else None


async def test_all_who_watch_the_lobby_are_told_though_not_at_once(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_module, "BROADCAST_BATCH", 1)
    watchers = [Player(app.port, name) for name in ("Ana", "Bob", "Cem", "Dee")]
    for player in watchers:
        await player.connect()
        await done(player, protocol.WatchLobby, on=True)
    async with Player(app.port, "Eve") as eve:
        table = await eve.make(Setup("diamoniak"))
        for player in watchers:
            lobby = await player.until(partial(_lobby_with_a_table, player))
            assert [line.table for line in lobby.tables] == [table]
    for player in watchers:
        await player.disconnect()
