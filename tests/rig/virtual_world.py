"""A whole server in virtual time, and people at many addresses who send any command that the protocol allows.

The promises of `check` hold after every step.
"""

import asyncio
import logging
import random
import secrets
import shutil
from collections import Counter
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self, TypeVar
from unittest.mock import patch

from websockets.exceptions import ConnectionClosed

from diadem_server.app import App
from diadem_server.config import Config
from diadem_server.net import websocket
from diadem_server.sessions.sessions import Session
from diadem_server.table.bots import STAND_IN, BotWorkers, Chosen, think
from diadem_server.table.commit_reveal import WAITS_SECONDS
from diadem_server.table.table import Table
from diadem_shared.chance import Chance
from diadem_shared.game import AnyBot, View
from diadem_shared.games import GAMES
from diadem_shared.match import Phase
from tests.rig import require
from tests.rig.virtual_clock import VirtualLoop
from tests.rig.virtual_people import Person
from tests.sample_game import Numbers

R = TypeVar("R")

EPOCH = 1_000_000_000.0
HOUR = 60 * 60.0
DAY = 24 * HOUR
MOMENT = 0.4
"""Seconds in which whatever needs no waiting is done, also of what is read in pieces, and no bot has moved yet."""
BOT_PAUSE = 1.0
KEEPALIVE_SECONDS = 300.0
"""Seconds between keepalives: dead connections are found in minutes, and an hour has few pings."""
ORPHANED_SECONDS = 6 * 60.0
"""After which a table without an owner or a watcher must have ended."""
LIMITS: dict[str, Any] = {
    "max_tables": 12,
    "max_tables_per_address": 5,
    "tables_a_minute": 6,
    "max_per_address": 6,
    "max_connections": 20,
    "keep_replays": 3,
}
"""So low that they are met."""


class ErrorHandler(logging.Handler):
    """Collects what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(self.format(record))


class InstantWorkers(BotWorkers):
    """Bots without processes and without delay: heavy bots move as zombies."""

    async def think(self, game: str, mind: AnyBot, view: View[Any, Any]) -> Chosen:
        return think(game, GAMES[game].bots[STAND_IN](Chance(b"thoughtless")), view)


class World:
    def __init__(self, folder: Path, seed: int = 0, **settings: Any) -> None:
        self._folders = folder
        self._settings = LIMITS | settings
        self._stack = ExitStack()
        self.loop = VirtualLoop(seed)
        self.chance = random.Random(seed)
        self.people: list[Person] = []
        self.alarm = ErrorHandler()
        self._troubles: list[dict[str, Any]] = []
        self._orphaned: dict[Table, float] = {}
        """Since when nobody owns a seat there or looks on."""
        self._starts = 0
        self.app: App

    def __enter__(self) -> Self:
        self._stack.callback(self.loop.close)
        self._stack.enter_context(patch.dict(GAMES, {Numbers.name: Numbers()}))
        self._stack.enter_context(patch.object(websocket, "KEEPALIVE_SECONDS", KEEPALIVE_SECONDS))
        self._stack.enter_context(patch.object(secrets, "token_bytes", self.chance.randbytes))
        self._stack.enter_context(patch.object(secrets, "choice", self.chance.choice))
        logging.getLogger().addHandler(self.alarm)
        self._stack.callback(logging.getLogger().removeHandler, self.alarm)
        self.loop.set_exception_handler(lambda _, context: self._troubles.append(context))
        self._folder.mkdir()
        self.run(self._start(self._folder))
        return self

    def __exit__(self, *_: object) -> None:
        """In a thread of its own: or else an exception on its way would be the context of whatever is
        met in closing, and a server forgets the tracebacks of its connections, contexts included."""
        with self._stack, ThreadPoolExecutor(1) as apart:
            apart.submit(self.run, self._stop()).result()

    def run(self, work: Coroutine[Any, Any, R]) -> R:
        return self.loop.run_until_complete(work)

    # The server

    @property
    def _folder(self) -> Path:
        return self._folders / str(self._starts)

    async def _start(self, folder: Path) -> None:
        config = Config(
            data=folder,
            host="127.0.0.1",
            port=0,
            announce=False,
            bot_pause=BOT_PAUSE,
            now=lambda: EPOCH + self.loop.time(),
            **self._settings,
        )
        self.app = App(config)
        self.app.lobby.bot_workers = InstantWorkers(1)
        journal = self.app.lobby.journal
        self.loop.is_awaited = lambda: journal.waiting > 0
        await self.app.__aenter__()

    async def _stop(self) -> None:
        await self.app.__aexit__(None, None, None)
        for person in self.people:
            await person.leave(politely=False)

    async def restart(self) -> None:
        """SIGTERM, and a new start."""
        await self._stop()
        self._orphaned.clear()
        await self._start(self._folder)

    async def crash(self) -> None:
        """SIGKILL at a moment when nothing is on its way to the disk, and a new start."""
        await asyncio.sleep(MOMENT)
        old, before = self._folder, self._state()
        self._starts += 1
        shutil.copytree(old, self._folder)
        for person in self.people:
            await person.leave(politely=False)
        await self.app.__aexit__(None, None, None)
        self._orphaned.clear()
        await self._start(self._folder)
        after = self._state()
        for code, state in before.items():
            require(
                after.get(code) == state, "what was acknowledged is kept", state, after.get(code)
            )

    def _state(self) -> dict[str, Any]:
        """Of every table that somebody may come back to."""
        return {
            table.code: (
                table.match.entries,
                table.seating.owners[:],
                table.seating.is_ready,
                [line.said for line in table.chat.lines],
                table.bans.names,
            )
            for table in self.app.lobby.tables.values()
            if any(table.seating.owners) and table.match.phase is not Phase.OVER
        }

    # People

    def person(self, name: str, address: str) -> Person:
        self.people.append(Person(name, address))
        return self.people[-1]

    @property
    def present(self) -> list[Person]:
        return [person for person in self.people if person.is_here]

    def session_of(self, person: Person) -> Session | None:
        return self.app.lobby.sessions.known(person.token)

    def seat_of(self, session: Session) -> str | None:
        return self.run(self.app.lobby.registry.seat_of(session.id))

    def table_of(self, person: Person) -> Table | None:
        return self.app.lobby.tables.get(person.view.table) if person.view else None

    async def settle(self) -> None:
        await asyncio.sleep(MOMENT)
        waiting = any(person.answered != person.asked for person in self.present)
        tables = self.app.lobby.tables.values()
        if waiting or any(each.match.sealed or each.shuffling.is_dealing for each in tables):
            await asyncio.sleep(2 * WAITS_SECONDS)  # for who commits to a shuffle and is silent

    async def pass_time(self, seconds: float) -> None:
        """Hours pass in leaps, as for a machine that slept; all timers are heard after each.

        The longer the time, the longer the leaps: months are not made of hours.
        """
        while seconds > HOUR:
            leap = min(seconds - HOUR, max(6 * HOUR, seconds / 10))
            self.loop.leap(leap)
            seconds -= leap
            await asyncio.sleep(2 * BOT_PAUSE)
        await asyncio.sleep(seconds)

    # Promises

    def check(self) -> None:
        require(not self.alarm.heard, "nothing goes wrong", *self.alarm.heard)
        require(not self._troubles, "no task dies", *self._troubles)
        for person in self.people:
            lost = getattr(person, "lost", None)
            require(lost is None or isinstance(lost, ConnectionClosed), "all can be read", lost)
            require(
                not person.faults,
                "nobody is shown the past, or answered otherwise than before",
                person.name,
                *person.faults,
            )
        for person in self.present:
            require(
                person.answered == person.asked,
                "every command is answered once",
                person.name,
                [person.commands[id_] for id_ in person.asked - person.answered],
                [person.commands.get(id_) for id_ in person.answered - person.asked],
            )
            self._check_view(person)
        self._check_seats(self.app.lobby.tables.values())
        self._check_orphans()

    def _check_view(self, person: Person) -> None:
        session, table = self.session_of(person), self.table_of(person)
        if session is None:
            return
        at = self.app.lobby.tables.get(session.table or "")
        if at is not None and session in at.seating.viewers:
            require(at is table, "who is at a table sees it", person.name, at.code)
        if person.view is None:
            return
        require(table is not None, "who looks at a table is told of its end", person.view.table)
        assert table is not None
        require(session in table.seating.viewers, "who looks at a table is there", person.name)
        shown = person.view.public
        require(person.view.entry == table.match.entries, "what is shown is how it is", person.name)
        names = [line["name"] for line in shown["players"]]
        require(names == [player.name for player in table.match.players], "who plays is shown")
        ready = [line["ready"] for line in shown["players"]]
        require(ready == table.seating.is_ready, "who is ready is shown", ready)
        self._check_ready(shown)
        if table.match.phase is Phase.OVER:
            self._check_again(table, shown)
        seat = table.seating.seat_of(session)
        require(person.view.seat == seat, "one's own seat is shown", person.name, seat)

    @staticmethod
    def _check_seats(tables: Iterable[Table]) -> None:
        going_on = [table for table in tables if table.match.phase is not Phase.OVER]
        owners = Counter(
            owner for table in going_on for owner in table.seating.owners if owner is not None
        )
        twice = [owner for owner, seats in owners.items() if seats > 1]
        require(not twice, "nobody has two seats", twice)

    @staticmethod
    def _check_ready(shown: dict[str, Any]) -> None:
        """Whoever is ready is dealt to, or told why not."""
        if shown["phase"] not in {Phase.GATHERING, Phase.BETWEEN}:
            return
        waited_for = [
            line["ready"] and line["present"]
            for line in shown["players"]
            if not line["bot"] and not line["away"]
        ]
        if waited_for and all(waited_for):
            require(shown.get("blocked"), "whoever is ready is dealt to, or told why not", shown)

    @staticmethod
    def _check_again(table: Table, shown: dict[str, Any]) -> None:
        """Where all who are still there want to play again, they do, or are told why not."""
        here = {person.id for person in table.seating.viewers}
        asked = [owner for owner in table.seating.owners if owner in here]
        waits = table.grace.sessions  # for who may come back in a moment
        if asked and not waits and table.seating.ready.issuperset(asked):
            require(shown.get("blocked"), "who want to play again do, or are told why not", shown)

    def _check_orphans(self) -> None:
        now = self.loop.time()
        orphans = {
            table
            for table in self.app.lobby.tables.values()
            if not table.seating.viewers and not any(table.seating.owners)
        }
        self._orphaned = {table: self._orphaned.get(table, now) for table in orphans}
        for table, since in self._orphaned.items():
            require(
                now - since < ORPHANED_SECONDS,
                "a table that nobody owns or watches ends",
                table.code,
                table.match.phase,
            )

    def check_end(self) -> None:
        """Everybody has gone, for months: nothing is left of them but what is meant to be kept."""
        lobby = self.app.lobby
        require(not lobby.tables, "every table ends", *lobby.tables.values())
        require(not lobby.lobby_watchers, "nobody watches the lobby", *lobby.lobby_watchers)
        require(lobby.metrics.connections == 0, "no connection is left", lobby.metrics)
        kept = self.run(lobby.journal.codes())
        require(len(kept) <= LIMITS["keep_replays"], "codes are given back", kept)
        require(not list(lobby.sessions), "nobody is remembered for ever", *lobby.sessions)
        running = [task.get_name() for task in asyncio.all_tasks(self.loop)]
        require(len(running) <= 4, "no task is left", *running)
