"""A state machine: people send any command that the protocol allows, in any order, over any time."""

import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
)
from msgspec import to_builtins

from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Clock, GameClock, NoClock, Setup, TurnClock
from diadem_shared.game import AnyGame
from diadem_shared.games import GAMES
from diadem_shared.protocol import Command
from tests.rig.shuffling import commitment, may_commit
from tests.rig.virtual_people import Person, legal_moves
from tests.rig.virtual_world import DAY, HOUR, World
from tests.rig.walk import option_sets
from tests.sample_game import Numbers

NAMES = ("Ana", "Bob", "Cem", "Dee", "Eva")
ADDRESSES = ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:1::1")
"""Two of them in one network."""


def check(id_: int) -> Command:
    return protocol.Check(id_, {"H8": "A"})


def not_again(id_: int) -> Command:
    return protocol.Again(id_, on=False)


def standings(id_: int) -> Command:
    return protocol.GetStandings(id_, Numbers.name)


def not_listed(id_: int) -> Command:
    return protocol.SetListed(id_, on=False)


SIMPLE = (
    check,
    not_again,
    protocol.Part,
    protocol.Sit,
    protocol.Stand,
    protocol.Start,
    protocol.TakeBack,
    protocol.Resign,
    protocol.Again,
    protocol.GetHistory,
    protocol.ListReplays,
    protocol.Ping,
)
ABOUT_RESULTS = (protocol.GetStatistics, not_listed, standings)
LEVELS = st.sampled_from(["zombie", "zombie", "easy", "halver", "forgetful", "nobody"])
"""Levels of cheap bots, and of none."""
WAITS = st.sampled_from([0.5, 1.5, 5.0, 31.0, 130.0, 10 * 60.0, HOUR, 8 * DAY])
SHARED_MEMORY = "/dev/shm"  # noqa: S108, a folder of our own is made in it
IN_MEMORY = SHARED_MEMORY if Path(SHARED_MEMORY).is_dir() else None
"""Options of a server without a disk."""
whose = st.integers(0, len(NAMES) - 1)


def some_options(game: AnyGame) -> list[dict[str, Any]]:
    sets = list(option_sets(game))
    return [to_builtins(each) for each in sets[:: 1 + len(sets) // 16]]


SOME_OPTIONS = {game.name: some_options(game) for game in (*GAMES.values(), Numbers())}
BAD_SETUPS = (
    Setup("chess"),
    Setup(Numbers.name, options={"highest": 10}),
    Setup(Numbers.name, absent="nobody"),
    Setup("diamino-bonus", options={"board": "hello"}),
    Setup("diamoniak", options={"youngest": -1}),
)


def clocks() -> st.SearchStrategy[Clock]:
    return st.sampled_from(
        [NoClock(), NoClock(), TurnClock(5), TurnClock(3_600), GameClock(10), GameClock(600, 5)]
    )


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    name = draw(st.sampled_from([Numbers.name, Numbers.name, *SOME_OPTIONS]))
    options = draw(st.sampled_from(SOME_OPTIONS[name]))
    return Setup(
        name,
        options=options,
        rounds=draw(st.sampled_from([1, 1, 2, 20] if name == Numbers.name else [1, 1, 1, 2])),
        clock=draw(clocks()),
        patience=draw(st.sampled_from([5, 120, 86_400, None])),
        spectators=draw(st.booleans()),
        private=draw(st.booleans()),
    )


class Server(RuleBasedStateMachine):
    @initialize(
        seed=st.integers(0, 2**16),
        setup=st.none() | setups(),
        ready=st.sampled_from([1, 3]),
    )
    def open(self, seed: int, setup: Setup | None, ready: int) -> None:
        self.opened = ExitStack()
        folder = self.opened.enter_context(tempfile.TemporaryDirectory(dir=IN_MEMORY))
        self.world = self.opened.enter_context(World(Path(folder), seed))
        for name in NAMES:
            self.world.person(name, ADDRESSES[NAMES.index(name)])
        for person in self.world.people[:3]:
            self.world.run(person.come(self.world.app.port))
        if setup is not None:
            self.start_a_match([0, 1, 2], setup, ready)

    @invariant()
    def promises_are_kept(self) -> None:
        if hasattr(self, "world"):
            self.world.run(self.world.settle())
            self.world.check()

    def teardown(self) -> None:
        if not hasattr(self, "world"):
            return
        with self.opened:
            if sys.exc_info()[0] is not None:
                return  # a promise is broken already
            for person in self.world.present:
                self.world.run(person.leave(politely=False))
            self.world.run(self.world.pass_time(10 * DAY))
            self.world.check()
            self.world.run(self.world.pass_time(100 * DAY))
            self.world.check_end()

    def one(self, who: int) -> Person:
        """One of the people who are connected, if anybody is."""
        here = self.world.present or self.world.people
        return here[who % len(here)]

    def send(self, person: Person, *commands: Command) -> None:
        if person.is_here:
            self.world.run(person.send(*commands))

    # Connections

    @rule(who=whose, address=st.sampled_from(ADDRESSES))
    def come(self, who: int, address: str) -> None:
        person = self.world.people[who]
        if not person.is_here:
            person.local_address = address, 0
            self.world.run(person.come(self.world.app.port))

    @rule(who=whose, how=st.sampled_from(["politely", "cut", "vanish"]))
    def go(self, who: int, how: str) -> None:
        person = self.world.people[who]
        if not person.is_here:
            return
        if how == "vanish":
            person.vanish()
        else:
            self.world.run(person.leave(politely=how == "politely"))

    @rule(seconds=WAITS)
    def time_passes(self, seconds: float) -> None:
        self.world.run(self.world.pass_time(seconds))

    @rule(kills=st.booleans())
    def start_again(self, *, kills: bool) -> None:
        self.world.run(self.world.crash() if kills else self.world.restart())

    @rule(repeats=st.integers(0, 4))
    def kill_and_come_back(self, repeats: int) -> None:
        """Everybody comes back to their table, and sends again what they sent last."""
        here = self.world.present
        self.world.run(self.world.crash())
        for person in here:
            self.world.run(person.come(self.world.app.port))
            session = self.world.session_of(person)
            held = self.world.seat_of(session) if session else None
            last = person.repeatable[-repeats:] if repeats else []
            if held is not None:
                self.send(person, protocol.Join(person.new_id(), held))
            self.send(person, *last)

    # Commands

    @rule(who=whose, setup=setups() | st.sampled_from(BAD_SETUPS))
    def make(self, who: int, setup: Setup) -> None:
        person = self.one(who)
        self.send(person, protocol.Make(person.new_id(), setup))

    @rule(who=whose, which=st.integers(0, 3))
    def join(self, who: int, which: int) -> None:
        person, codes = self.one(who), sorted(self.world.app.lobby.tables)
        code = codes[which].lower() if which < len(codes) else "NOPE"
        self.send(person, protocol.Join(person.new_id(), code))

    @rule(who=whose, kind=st.sampled_from(SIMPLE))
    def ask(self, who: int, kind: Callable[[int], Command]) -> None:
        person = self.one(who)
        self.send(person, kind(person.new_id()))

    @rule(who=whose, kind=st.sampled_from(ABOUT_RESULTS))
    def look_back(self, who: int, kind: Callable[[int], Command]) -> None:
        person = self.one(who)
        self.send(person, kind(person.new_id()))

    @rule(who=whose, ready=st.booleans())
    def be_ready(self, who: int, *, ready: bool) -> None:
        person = self.one(who)
        self.send(person, protocol.Ready(person.new_id(), ready))

    @rule(who=whose, opens=st.booleans())
    def add_to_the_shuffle(self, who: int, *, opens: bool) -> None:
        person = self.one(who)
        person.opens = opens
        if person.view is not None and may_commit(person.view):
            told = commitment(person, person.view)
            self.send(person, protocol.Commit(person.new_id(), told))

    @rule(
        who=whose,
        hashed=st.sampled_from(["0" * 64, "ab" * 32]),
        kind=st.sampled_from([protocol.Commit, protocol.Open]),
    )
    def add_anything(self, who: int, hashed: str, kind: Callable[[int, str], Command]) -> None:
        person = self.one(who)
        self.send(person, kind(person.new_id(), hashed))

    @rule(who=whose, level=LEVELS, kind=st.sampled_from([protocol.AddBot, protocol.HandOver]))
    def have_a_bot(self, who: int, level: str, kind: Callable[[int, str], Command]) -> None:
        person = self.one(who)
        self.send(person, kind(person.new_id(), level))

    @rule(who=whose, seat=st.integers(-1, 4))
    def remove(self, who: int, seat: int) -> None:
        person = self.one(who)
        self.send(person, protocol.Remove(person.new_id(), seat))

    @rule(who=whose, whom=st.sampled_from([*NAMES, "Nobody"]), on=st.booleans())
    def keep_away(self, who: int, whom: str, *, on: bool) -> None:
        person = self.one(who)
        self.send(person, protocol.Ban(person.new_id(), whom, on))

    @rule(who=whose, whom=st.sampled_from([*NAMES, "Nobody"]), on=st.booleans())
    def mute(self, who: int, whom: str, *, on: bool) -> None:
        person = self.one(who)
        self.send(person, protocol.Mute(person.new_id(), whom, on))

    @rule(who=whose, whom=st.sampled_from([*NAMES, "Nobody"]))
    def send_away(self, who: int, whom: str) -> None:
        person = self.one(who)
        self.send(person, protocol.Kick(person.new_id(), whom))

    @rule(who=whose, setup=setups() | st.sampled_from(BAD_SETUPS))
    def change(self, who: int, setup: Setup) -> None:
        person = self.one(who)
        self.send(person, protocol.Change(person.new_id(), setup))

    @rule(who=whose, on=st.booleans())
    def watch(self, who: int, *, on: bool) -> None:
        person = self.one(who)
        self.send(person, protocol.WatchLobby(person.new_id(), on))

    @rule(who=whose, most=st.sampled_from([0, 100, 60_000]))
    def set_pause(self, who: int, most: int) -> None:
        person = self.one(who)
        self.send(person, protocol.SetPause(person.new_id(), most))

    @rule(who=whose, text=st.sampled_from(["hello", " ", "é" * 500]))
    def say(self, who: int, text: str) -> None:
        person = self.one(who)
        self.send(person, protocol.Say(person.new_id(), text))

    @rule(who=whose, kind=st.sampled_from(get_args(protocol.Reaction)))
    def react(self, who: int, kind: protocol.Reaction) -> None:
        person = self.one(who)
        self.send(person, protocol.React(person.new_id(), kind))

    @rule(who=whose, move=st.sampled_from(["", "draw", "guess 5", "guess 99", "lay H8 across OK"]))
    def play_anything(self, who: int, move: str) -> None:
        person = self.one(who)
        self.send(person, protocol.Play(person.new_id(), move))

    @rule(who=whose, moves=st.integers(1, 30), key=st.integers(0, 255))
    def play(self, who: int, moves: int, key: int) -> None:
        """All who are at the table with this one move as they may, one after another."""
        one = self.one(who)
        if one.view is None:
            return
        table = one.view.table
        for number in range(moves):
            for person in self.world.present:
                due = legal_moves(person) if person.view and person.view.table == table else None
                if due is not None:
                    game, view = due
                    move = game.notate(game.any_move(view, Chance(bytes([key]), str(number))))
                    self.send(person, protocol.Play(person.new_id(), move))
                    self.world.run(self.world.settle())

    @rule(
        everybody=st.permutations(range(len(NAMES))), setup=setups(), ready=st.sampled_from([1, 3])
    )
    def start_a_match(self, everybody: list[int], setup: Setup, ready: int) -> None:
        """Play on, which random commands alone would seldom do."""
        here = [self.world.people[who] for who in everybody if self.world.people[who].is_here]
        if len(here) < 2:
            return
        maker, *others = here[:3]
        self.send(maker, protocol.Make(maker.new_id(), setup))
        self.world.run(self.world.settle())
        if maker.view is None:
            return
        for person in others[: GAMES[setup.game].seats[-1] - 1]:
            self.send(
                person,
                protocol.Join(person.new_id(), maker.view.table),
                protocol.Sit(person.new_id()),
            )
            self.world.run(self.world.settle())
        for person in here[:ready]:
            self.add_to_the_shuffle(self.world.present.index(person), opens=ready > 1)
            self.send(
                person,
                protocol.Say(person.new_id(), "hello"),
                protocol.Ready(person.new_id(), ready=True),
            )

    @rule(
        who=st.permutations(range(len(NAMES))), kinds=st.lists(st.sampled_from(SIMPLE), max_size=6)
    )
    def all_at_once(self, who: list[int], kinds: list[Callable[[int], Command]]) -> None:
        for number, kind in enumerate(kinds):
            self.ask(who[number % len(who)], kind)

    @rule(kind=st.sampled_from(SIMPLE))
    def all_do(self, kind: Callable[[int], Command]) -> None:
        for person in self.world.present:
            self.send(person, kind(person.new_id()))

    @rule(who=whose, back=st.integers(0, 9))
    def repeat(self, who: int, back: int) -> None:
        """A command that was sent before, perhaps on another connection, is not done twice."""
        person = self.one(who)
        if sent := person.repeatable:
            self.send(person, sent[-1 - back % len(sent)])
