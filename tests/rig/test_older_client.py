"""What an older client sends still plays: frames recorded from that of commit 3b8b652b, of a match of each game."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgpack
import pytest

from diadem_shared.games import GAMES
from diadem_shared.protocol import Accepted, Answer, Hello, Refused, TableView
from tests.rig.older_client import same_secret
from tests.rig.wire import Player, server
from tools.protocol_tables.answers import ANSWERS

RECORDED = Path(__file__).parents[1] / "corpus" / "older_client.jsonl"


class OlderPlayer(Player):
    """Sends frames as they were recorded, but for what the server has given out since: codes and entries."""

    def __init__(self, port: int, name: str, hello: bytes) -> None:
        super().__init__(port, name)
        self._hello = hello

    async def say(self, message: Any) -> None:
        assert isinstance(message, Hello)
        await self.send(self._hello)

    async def send(self, frame: bytes) -> None:
        assert self.socket is not None
        await self.socket.send(frame)

    async def send_again(self, command: dict[str, Any], table: str) -> None:
        """As soon as the table stands as it did then."""
        if "table" in command:
            command["table"] = table.lower() if command["table"].islower() else table
        if command["type"] == "open":
            await self.seen(lambda view: view.public["shuffle"]["sealed"])
        if command.get("entry") is not None:
            command["entry"] = (await self.seen(_is_turn)).entry
        await self.send(msgpack.packb(command))

    async def outcome(self, id_: int) -> str:
        """How a command was answered: the type, or the code of the refusal."""
        answer = await self.until(lambda: next(self._answers(id_), None))
        return answer.why.code if isinstance(answer, Refused) else _tag(type(answer))

    def _answers(self, id_: int) -> Iterator[Answer]:
        return (each for each in self.messages if isinstance(each, Answer) and each.id == id_)

    async def catch_up(self, entry: int) -> None:
        if self.view is not None:
            await self.seen(lambda view: view.entry >= entry)

    @property
    def has_ended(self) -> bool:
        views = (each for each in self.messages if isinstance(each, TableView))
        return any(view.public["phase"] == "over" for view in views)


def _is_turn(view: TableView) -> bool:
    return view.seat in view.public["actors"]


def _tag(kind: Any) -> str:
    return str(kind.__struct_config__.tag)


def recorded(game: str) -> list[tuple[str, dict[str, Any], bytes, str]]:
    """Who sent what, and how that was answered."""
    lines = [json.loads(line) for line in RECORDED.read_text().splitlines()]
    return [
        (line["by"], msgpack.unpackb(frame), frame, line.get("answer", ""))
        for line in lines
        if line["game"] == game and (frame := bytes.fromhex(line["frame"]))
    ]


async def _settle(
    players: Mapping[str, OlderPlayer], waiting: Sequence[tuple[OlderPlayer, int, str]]
) -> None:
    """All commands are answered as they were, and everybody sees what came of them."""
    for player, id_, answer in waiting:
        assert (id_, await player.outcome(id_)) == (id_, answer)
    entries = [
        each.entry or 0
        for player in players.values()
        for each in player.messages
        if isinstance(each, Accepted)
    ]
    for player in players.values():
        await player.catch_up(max(entries, default=0))


def test_commands_are_answered_as_the_page_says() -> None:
    """Unless they are refused."""
    answers = {_tag(command): _tag(answer) for command, answer in ANSWERS.items()}
    found = {
        (command["type"], answer)
        for game in GAMES
        for _by, command, _frame, answer in recorded(game)
        if answer in {*answers.values(), "accepted"}
    }
    for command, answer in found:
        assert answers.get(command, "accepted") == answer
    assert {command for command, _answer in found} > answers.keys() - {"hint", "explain"}


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_of_an_older_client_is_played_again(game: str, tmp_path: Path) -> None:
    if not (lines := recorded(game)):
        pytest.skip("this game is younger than the client")
    players: dict[str, OlderPlayer] = {}
    waiting: list[tuple[OlderPlayer, int, str]] = []
    table = ""
    with same_secret(game):
        async with server(tmp_path) as app:
            for name, command, frame, answer in lines:
                if command["type"] == "hello":
                    players[name] = OlderPlayer(app.port, name, frame)
                    await players[name].connect()
                    continue
                if command["type"] != "open":  # the round is dealt once both have
                    await _settle(players, waiting)
                    waiting.clear()
                table = table or next((it.view.table for it in players.values() if it.view), "")
                await players[name].send_again(command, table)
                waiting.append((players[name], command["id"], answer))
            await _settle(players, waiting)
            assert all(player.has_ended for player in players.values())
            for player in players.values():
                await player.disconnect()
