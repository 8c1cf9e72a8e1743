"""What attackers have the server keep is bounded in bytes, and the counting sees it where a bound is gone."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune
from diadem_server.lobby.address_quota import AddressQuota
from diadem_server.net import connection
from diadem_server.sessions.answers import Answers
from diadem_server.storage.changes import NewAnswer
from diadem_server.storage.records import AnswerRow
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Answer, Refused
from tests.rig.journals import bytes_of_rows, bytes_on_disk
from tests.rig.reachable import bytes_held_by
from tests.rig.server_machine import IN_MEMORY
from tests.rig.states import nothing, nothing_happens
from tests.rig.virtual_world import World
from tests.rig.wire import Player
from tests.sample_game import Numbers

pytestmark = pytest.mark.slow
VISITS = 20
REFUSED = 50
"""Commands of a visit."""
OF_A_VISIT = 2_500, 150, 1_000
"""Bytes that may be left of one, for the minutes until its name is forgotten: in memory, in rows, on disk."""
AN_HOUR = 30_000
"""Bytes that may be written for an address."""
OF_MATCHES = 8_000
"""Bytes that finished matches may take."""
MATCHES = 60
HOUR = 60 * 60.0


@contextmanager
def a_world(**settings: Any) -> Iterator[World]:
    given = {"max_tables": 500, "max_tables_per_address": 500, "tables_a_minute": 10**6}
    given |= {"newcomers_an_hour": 10**6, "keep_replays": 10**6} | settings
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder,
        World(Path(folder), **given) as world,
    ):
        yield world


def kept(app: App) -> Sequence[int]:
    folder = app.config.data
    return bytes_held_by(app), bytes_of_rows(folder).total(), bytes_on_disk(folder)


# Strangers who are refused


async def visit(world: World, number: int, table: str) -> None:
    stranger = Player(world.app.port, f"Stranger {number}")
    stranger.local_address = "192.0.2.9", 0
    await stranger.connect()
    await stranger.ask(protocol.Join, table)
    for _ in range(REFUSED):
        assert isinstance(await stranger.ask(protocol.Play, "x" * 100), Refused)
        await world.pass_time(0.1)
    await stranger.disconnect()
    await world.pass_time(1.0)


def test_a_visit_of_a_stranger_leaves_little() -> None:
    with a_world() as world:
        ana = world.person("Ana", "192.0.2.1")
        world.run(ana.come(world.app.port))
        table = world.run(ana.make(Setup(Numbers.name)))
        world.run(visit(world, 0, table))
        before = kept(world.app)
        for number in range(1, VISITS + 1):
            world.run(visit(world, number, table))
        left = [(now - then) / VISITS for now, then in zip(kept(world.app), before, strict=True)]
    assert all(here < most for here, most in zip(left, OF_A_VISIT, strict=True)), left


NUMBERS = count(1)


def _with_refusals(answers: Answers, answer: Answer) -> list[NewAnswer]:
    """As it was once, with a row for each refusal."""
    row = AnswerRow(next(NUMBERS), answer.id, 0, protocol.pack(answer))
    return [NewAnswer(id(answers), row, 10**6)]


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [(connection, "forget_unless_seated", nothing_happens), (Answers, "rows", _with_refusals)],
    ids=["answers are not forgotten", "refusals are written"],
)
def test_what_strangers_leave_is_noticed(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, fault: Callable[..., Any]
) -> None:
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises(AssertionError):
        test_a_visit_of_a_stranger_leaves_little()


# Matches without end


async def make_and_resign(world: World, player: Player) -> None:
    """A match that goes on without anybody, and is kept once it is over."""
    await player.ask(protocol.Make, Setup(Numbers.name))
    await player.ask(protocol.AddBot, "halver")
    await player.ask(protocol.Start)
    await player.ask(protocol.Resign)
    await player.ask(protocol.Part)
    await world.pass_time(HOUR / MATCHES)


def _matches(**settings: Any) -> int:
    """Bytes of entries, once an hour was spent on making matches."""
    with a_world(**settings) as world:
        eve = world.person("Eve", "192.0.2.9")
        world.run(eve.come(world.app.port))
        for _ in range(MATCHES):
            world.run(make_and_resign(world, eve))
        world.run(prune.tidy(world.app.lobby))
        rows = bytes_of_rows(world.app.config.data)
    return rows["entries"] + rows["appended"]


def test_so_much_is_written_for_an_address_in_an_hour() -> None:
    assert 1_000 < _matches(written_an_hour=AN_HOUR) < 2 * AN_HOUR


def test_finished_matches_take_so_many_bytes() -> None:
    assert 1_000 < _matches(keep_bytes=OF_MATCHES) < OF_MATCHES


@pytest.mark.parametrize(
    ("owner", "name", "fault", "settings", "most"),
    [
        (AddressQuota, "spend", nothing, {"written_an_hour": AN_HOUR // 4}, AN_HOUR // 2),
        (SqliteJournal, "superfluous", None, {"keep_bytes": OF_MATCHES}, OF_MATCHES),
    ],
    ids=["bytes of an address are not counted", "matches are counted, not their bytes"],
)
def test_what_matches_take_is_noticed(
    monkeypatch: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    fault: Any,
    settings: dict[str, Any],
    most: int,
) -> None:
    counted = SqliteJournal.superfluous
    assert _matches(**settings) < most
    monkeypatch.setattr(
        owner, name, fault or (lambda journal, keep, _: counted(journal, keep, 10**12))
    )
    assert _matches(**settings) > most
