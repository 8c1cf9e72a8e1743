"""However often something legal is done, a server holds on to no more than before."""

import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Self, TypeAlias

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune
from diadem_server.sessions.sessions import Session
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import Answer
from tests.rig.journals import bytes_of_rows, bytes_on_disk
from tests.rig.reachable import bytes_held_by, held_by
from tests.rig.server_machine import IN_MEMORY
from tests.rig.virtual_world import World
from tests.rig.wire import Player
from tests.sample_game import Numbers
from tests.thoroughness import times

TIMES = times(70, 300)
REMEMBERED = TIMES - 10
"""Answers and entries that are remembered, fewer than are made."""
SETUP = Setup(Numbers.name)
LONG = Setup(Numbers.name, rounds=20)
PAUSE = 1.5
"""Seconds between two times, so that nobody is too fast."""
A_WHILE = 12 * 60.0
"""Seconds after which what was left is gone."""
MORE = TIMES // 2
"""Objects: half as many as one for each time."""
MORE_MEMORY = 64 * TIMES
"""Bytes: less than any object for each time."""
MORE_ROWS = 8 * TIMES
"""Bytes in the journal: less than any row for each time."""
MORE_ON_DISK = 64 * 1024
"""Bytes: some pages, as they are not always full."""


class Kept(NamedTuple):
    """What a server holds on to, in bytes."""

    memory: int
    rows: Counter[str]
    """By table of the journal."""
    disk: int

    @classmethod
    def by(cls, app: App) -> Self:
        folder = app.config.data
        return cls(bytes_held_by(app), bytes_of_rows(folder), bytes_on_disk(folder))

    def require_no_more_than(self, before: Self) -> None:
        rows = self.rows - before.rows
        assert self.memory - before.memory < MORE_MEMORY, self.memory - before.memory
        assert rows.total() < MORE_ROWS, rows
        assert self.disk - before.disk < MORE_ON_DISK, (self.disk, before.disk)


class People:
    """Ana, Bob and Cem, each at an address of their own; Ana and Bob at Ana's table, before the start."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ana, self.bob, self.cem = (
            world.person(name, f"192.0.2.{number}")
            for number, name in enumerate(("Ana", "Bob", "Cem"), start=1)
        )
        self.table = ""

    async def come(self) -> None:
        for person in (self.ana, self.bob, self.cem):
            await person.come(self.world.app.port)
        self.table = await self.ana.make(LONG)
        await self.bob.join(self.table)


Cycle: TypeAlias = Callable[[People], Awaitable[object]]


async def make_and_part(people: People) -> None:
    await people.cem.ask(protocol.Make, SETUP)
    await people.cem.ask(protocol.Part)


async def make_and_resign(people: People) -> None:
    """A match of several rounds that goes on without anybody."""
    await people.cem.ask(protocol.Make, LONG)
    await people.cem.ask(protocol.AddBot, "halver")
    await people.cem.ask(protocol.Start)
    await people.cem.ask(protocol.Resign)
    await people.cem.ask(protocol.Part)


async def make_and_lose_the_line(people: People) -> None:
    await people.cem.ask(protocol.Make, SETUP)
    await people.cem.leave(politely=False)
    await people.cem.come(people.world.app.port)


async def come_under_a_new_name(people: People) -> None:
    name = f"Dee {people.world.chance.random()}"[:20]
    visitor = Player(people.world.app.port, name)
    visitor.local_address = "192.0.2.9", 0
    await visitor.connect()
    await visitor.disconnect()


async def look_on_and_part(people: People) -> None:
    await people.cem.join(people.table, sit=False)
    await people.cem.ask(protocol.Part)


async def sit_and_stand(people: People) -> None:
    await people.bob.ask(protocol.Stand)
    await people.bob.ask(protocol.Sit)


async def change(people: People) -> None:
    await people.ana.ask(protocol.Change, SETUP)
    await people.ana.ask(protocol.Change, LONG)


async def add_and_remove(people: People) -> None:
    await people.ana.ask(protocol.AddBot, "halver")
    await people.ana.ask(protocol.Remove, 2)


async def be_ready_and_not(people: People) -> None:
    await people.bob.ask(protocol.Ready, ready=True)
    await people.bob.ask(protocol.Ready, ready=False)


async def talk(people: People) -> None:
    for _ in range(2):
        await people.bob.ask(protocol.Say, "hello " * 50)
    await people.world.pass_time(2.0)  # until there is room for another line at least


async def watch_the_lobby(people: People) -> None:
    await people.cem.ask(protocol.WatchLobby, on=True)
    await people.cem.ask(protocol.WatchLobby, on=False)


async def guess_codes(people: People) -> None:
    await people.cem.ask(protocol.Join, f"{people.world.chance.getrandbits(32):08X}")


async def ask_for_replays(people: People) -> None:
    await people.cem.ask(protocol.ListReplays)
    await people.cem.ask(protocol.GetReplay, f"{people.world.chance.getrandbits(32):08X}")


async def ask_for_standings(people: People) -> None:
    await make_and_resign(people)
    await people.cem.ask(protocol.GetStatistics)
    await people.cem.ask(protocol.GetStandings, Numbers.name, 2**30)
    await people.cem.ask(protocol.SetListed, on=False)
    await people.world.pass_time(1.0)  # until all of that may be asked again


async def hand_over_and_take_back(people: People) -> None:
    await people.ana.ask(protocol.Start)
    await people.ana.ask(protocol.HandOver, "zombie")
    await people.ana.ask(protocol.TakeBack)


async def give_up_and_take_back(people: People) -> None:
    await people.ana.ask(protocol.Start)
    await people.bob.ask(protocol.Resign)
    await people.bob.ask(protocol.TakeBack)


async def mute_and_not(people: People) -> None:
    await people.cem.join(people.table, sit=False)
    await people.ana.ask(protocol.Mute, "Cem", on=True)
    await people.ana.ask(protocol.Mute, "Cem", on=False)


async def be_refused(people: People) -> None:
    await people.bob.ask(protocol.Play, "guess 5")
    await people.bob.ask(protocol.Remove, 0)
    await people.bob.ask(protocol.Again)


CYCLES: list[Cycle] = [
    make_and_part,
    make_and_resign,
    make_and_lose_the_line,
    come_under_a_new_name,
    look_on_and_part,
    sit_and_stand,
    change,
    add_and_remove,
    be_ready_and_not,
    talk,
    watch_the_lobby,
    guess_codes,
    ask_for_replays,
    ask_for_standings,
    be_refused,
    hand_over_and_take_back,
    give_up_and_take_back,
    mute_and_not,
]


@pytest.fixture
def people(monkeypatch: pytest.MonkeyPatch) -> Iterator[People]:
    monkeypatch.setattr("diadem_server.sessions.answers.REMEMBERED_ANSWERS", TIMES // 4)
    monkeypatch.setattr("diadem_server.table.executed_commands.KEPT", REMEMBERED)
    monkeypatch.setattr("diadem_server.table.history.KEPT", REMEMBERED)
    monkeypatch.setattr("diadem_server.lobby.table_limits.MOST_BEFORE_START", REMEMBERED)
    monkeypatch.setattr("diadem_server.lobby.table_limits.MOST_ABSENCES", REMEMBERED)
    monkeypatch.setattr("diadem_server.lobby.prune.KEPT_RESULTS", 10)
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder,
        World(Path(folder), max_tables=500, keep_replays=10, newcomers_an_hour=10**6) as world,
    ):
        people = People(world)
        world.run(people.come())
        yield people


async def _again_and_again(people: People, cycle: Cycle) -> None:
    for _ in range(TIMES):
        await cycle(people)
        await people.world.pass_time(PAUSE)
    await people.world.pass_time(A_WHILE)


@pytest.mark.slow
@pytest.mark.parametrize("cycle", CYCLES)
def test_nothing_grows_however_often(people: People, cycle: Cycle) -> None:
    held, kept = [], []
    for _ in range(3):  # the first fills what has room for so many
        people.world.run(_again_and_again(people, cycle))
        held.append(held_by(people.world.app))
        people.world.run(prune.tidy(people.world.app.lobby))
        kept.append(Kept.by(people.world.app))
    assert (held[2] - held[1]).total() < MORE, (held[2] - held[1]).most_common(8)
    kept[2].require_no_more_than(kept[1])


@pytest.mark.slow
def test_what_grows_is_noticed(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[object] = []
    people.world.app.lobby.kept = kept  # type: ignore[attr-defined]
    answer = Session.answer

    def keeping(session: Session, given: Answer) -> None:
        kept.append(given)
        answer(session, given)

    monkeypatch.setattr(Session, "answer", keeping)
    with pytest.raises(AssertionError):
        test_nothing_grows_however_often(people, talk)
