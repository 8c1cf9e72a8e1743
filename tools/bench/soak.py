"""What grows while people come and go for ten minutes: memory, descriptors, the log, and the database in files and in rows.

    python -m tools.bench soak --minutes 10 [--plant FAULT]

A real server, which is killed once and ended once on the way, and people who make tables, join them, play,
chat, lose the line and come back. After the second start everything is measured each second; the last tenth
of the time is compared with the tenth in the middle. Whoever runs this is told by an error if anything grows.
"""

import asyncio
import random
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from diadem_server.storage.schema import FILE
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.entries import Setup
from diadem_shared.games import GAMES
from diadem_shared.protocol import Accepted, TableView, Welcome
from tests.rig.journals import bytes_of_rows, select
from tests.rig.wire import Player, lasting_port
from tools.bench._serving import Serving

PEOPLE = 24
MINUTES = 10.0
KILLED, ENDED = 0.12, 0.25
"""Parts of the time after which the server is killed, and ended politely."""
MIDDLE, END = (0.5, 0.6), (0.9, 1.0)
WAIT = 4.0
"""Seconds that somebody waits for the others before they do something else."""
SERVER = """\
from diadem_server.lobby import prune
from diadem_server.cli import main
prune.PAUSE = 5.0
prune.STRANGER_DAYS = 10 / prune.DAY
prune.KEPT_RESULTS = 100
{plant}
main()
"""
"""It tidies up as often in ten minutes as another one does in a day, and keeps less."""
PLANTS = {
    "": "",
    "refusals": """
from diadem_server.lobby import idle_answers
from diadem_server.sessions.answers import Answers
from diadem_server.storage.changes import NewAnswer
from diadem_server.storage.records import AnswerRow
from diadem_shared.protocol import pack
from itertools import count
numbers = count(10**6)
def rows(self, answer):
    number = next(numbers)
    return [NewAnswer(number, AnswerRow(number, answer.id, 0, pack(answer)), 200)]
Answers.rows = rows
""",
    "replays": """
from diadem_server.lobby import lobby
from diadem_server.storage.sqlite import SqliteJournal
async def superfluous(self, keep, keep_bytes):
    return []
SqliteJournal.superfluous = superfluous
""",
    "answers": """
from diadem_server.sessions.sessions import Session
kept = []
give = Session.answer
def answer(self, given):
    kept.append([given] * 1000)
    give(self, given)
Session.answer = answer
""",
}
"""Faults to plant: refusals are written and never dropped, nor are finished matches; answers stay in memory."""
REFUSALS = 50
STRANGERS = 0.3
"""How often somebody comes as a stranger, is refused again and again, and goes."""
OPTIONS = (
    *("--host", "127.0.0.1", "--no-announce", "--bot-pause", "0.2", "--keep-replays", "5"),
    *("--max-per-address", "100", "--max-arrivals", "100", "--max-newcomers", "100000"),
)
GAMES_PLAYED = ("diamoniak", "piratatak", "diadingo", "diamoniak")


class Sample(NamedTuple):
    at: float
    """Part of the time."""
    memory: int
    """Resident, in KB."""
    descriptors: int
    log: int
    """Bytes."""
    database: int
    """Bytes, with what is yet to be moved into it."""
    people: int
    """Bytes in it of sessions and their answers."""
    matches: int
    """Bytes in it of all else."""
    finished: int
    """Matches that are over."""


class Grown(Exception):
    """Something is larger in the end than it was in the middle."""


def run(minutes: float = MINUTES, plant: str = "") -> Iterator[str]:
    samples, met, log = asyncio.run(_soak(60 * minutes, plant))
    yield ", ".join(f"{count} {what}" for what, count in sorted(met.items()))
    middle = [sample for sample in samples if MIDDLE[0] <= sample.at < MIDDLE[1]]
    end = [sample for sample in samples if END[0] <= sample.at]
    lines = judged(middle, end, 60 * minutes)
    yield f"{'':>20} {'middle':>12} {'end':>12} {'at most':>12}"
    for line in lines:
        yield str(line)
    if grown := [line.what for line in lines if line.has_grown]:
        raise Grown(", ".join(grown))
    if wrong := [line for line in log.splitlines() if "Traceback" in line or "ERROR" in line]:
        raise Grown("\n".join(["the log tells of errors", *wrong[:10]]))


def judged(middle: list[Sample], end: list[Sample], seconds: float) -> "list[_Line]":
    """What is more in the end than in the middle of so many seconds."""
    return [
        _Line(
            "memory, KB", median(s.memory for s in middle), median(s.memory for s in end), 1.1, 4096
        ),
        _Line(
            "descriptors",
            median(s.descriptors for s in middle),
            median(s.descriptors for s in end),
            *(1.0, PEOPLE),
        ),
        _Line(
            "log, bytes a minute", _a_minute(middle, seconds), _a_minute(end, seconds), 1.5, 2048
        ),
        _Line(
            "database, bytes",
            max(s.database for s in middle),
            max(s.database for s in end),
            *(1.25, 1 << 20),
        ),
        _Line(
            "people, bytes",
            median(s.people for s in middle),
            median(s.people for s in end),
            *(1.25, 1 << 16),
        ),
        _Line(
            "matches, bytes",
            median(s.matches for s in middle),
            median(s.matches for s in end),
            *(1.25, 1 << 20),
        ),
        _Line(
            "matches that are over",
            median(s.finished for s in middle),
            median(s.finished for s in end),
            *(1.0, 5),
        ),
    ]


class _Line(NamedTuple):
    what: str
    middle: float
    end: float
    times: float
    more: float
    """May be as many times as much, and so much more."""

    @property
    def most(self) -> float:
        return self.middle * self.times + self.more

    @property
    def has_grown(self) -> bool:
        return self.end > self.most

    def __str__(self) -> str:
        numbers = f"{self.middle:12,.0f} {self.end:12,.0f} {self.most:12,.0f}"
        return f"{self.what:>20} {numbers}{'  GROWN' if self.has_grown else ''}"


def _a_minute(samples: list[Sample], seconds: float) -> float:
    first, last = samples[0], samples[-1]
    return 60 * (last.log - first.log) / max(1.0, (last.at - first.at) * seconds)


async def _soak(seconds: float, plant: str) -> tuple[list[Sample], Counter[str], str]:
    met: Counter[str] = Counter()
    samples: list[Sample] = []
    with TemporaryDirectory() as name:
        folder, port, begun = Path(name), lasting_port(), monotonic()
        people = [asyncio.create_task(_live(port, number, met)) for number in range(PEOPLE)]
        try:
            for until, how in (
                (KILLED, signal.SIGKILL),
                (ENDED, signal.SIGTERM),
                (1.0, signal.SIGTERM),
            ):
                async with _server(folder, port, how, plant) as server:
                    while (at := (monotonic() - begun) / seconds) < until:
                        samples.append(_measured(at, server, folder))
                        await asyncio.sleep(1.0)
                met[f"ends by {how.name}"] += 1
        finally:
            for person in people:
                person.cancel()
            done = await asyncio.gather(*people, return_exceptions=True)
        for each in done:
            if isinstance(each, Exception):
                raise each
        return [each for each in samples if each.at > ENDED], met, (folder / "log").read_text()


def _measured(at: float, server: Serving, folder: Path) -> Sample:
    files = [folder / "data" / f"{FILE}{suffix}" for suffix in ("", "-wal")]
    return Sample(
        at,
        server.memory,
        len(list(Path(f"/proc/{server.pid}/fd").iterdir())),
        (folder / "log").stat().st_size,
        sum(file.stat().st_size for file in files if file.exists()),
        *(_rows(folder / "data") if files[0].exists() else (0, 0, 0)),
    )


def _rows(data: Path) -> tuple[int, int, int]:
    rows = bytes_of_rows(data)
    people = rows["sessions"] + rows["answers"]
    ((finished,),) = select(data, "SELECT count(*) FROM tables WHERE ended IS NOT NULL")
    return people, rows.total() - people, int(finished)


@asynccontextmanager
async def _server(
    folder: Path, port: int, how: signal.Signals, plant: str
) -> AsyncIterator[Serving]:
    """Until it is ended in this way."""
    options = (*OPTIONS, "--port", str(port), "--data", str(folder / "data"))
    with (folder / "log").open("a") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-c", SERVER.format(plant=PLANTS[plant]), *options),
            stdout=log,
            stderr=log,
        )
    try:
        yield Serving(process.pid, port, 0.0)
        process.send_signal(how)
        async with asyncio.timeout(30):
            await process.wait()
        if process.returncode not in {0, -how}:
            raise Grown(f"the server ended with {process.returncode}")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


# People


async def _live(port: int, number: int, met: Counter[str]) -> None:
    """One who comes, does something, and goes, again and again."""
    chance = random.Random(number)
    token = ""
    visits = 0
    while True:
        visits += 1
        player = Player(port, f"P{number} {visits % 5}")
        player.token = token if chance.random() < 0.6 else ""
        with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
            if isinstance(await player.connect(), Welcome):
                met["visits"] += 1
                token = player.token
                if chance.random() < STRANGERS:
                    token = await _be_refused(player, met)
                else:
                    await _visit(player, chance, met)
        if chance.random() < 0.5:
            player.cut()
        with suppress(ConnectionClosed):
            await player.disconnect()
        await asyncio.sleep(chance.uniform(0.05, 1.0))


async def _be_refused(player: Player, met: Counter[str]) -> str:
    """As a stranger, who is not known by the token they come with next."""
    for _ in range(REFUSALS):
        async with asyncio.timeout(WAIT):  # the server may end meanwhile
            await player.ask(protocol.Play, "x" * 600)
        met["refusals"] += 1
    return ""


async def _visit(player: Player, chance: random.Random, met: Counter[str]) -> None:
    await player.ask(protocol.WatchLobby, on=True)
    lobby = await player.until(lambda: player.lobby)
    gathering = [line.table for line in lobby.tables if line.phase == "gathering"]
    if gathering and chance.random() < 0.7:
        await player.join(chance.choice(gathering))
        await player.ask(protocol.Ready, ready=True)
    else:
        await _host(player, chance, met)
    await player.ask(protocol.Say, f"hello {chance.random()}")
    met["lines of chat"] += 1
    await _play(player, chance, met)
    match chance.randrange(4):
        case 0:
            await player.ask(protocol.Resign)
        case 1:
            await player.ask(protocol.HandOver, "zombie")
        case 2:
            await player.ask(protocol.Part)
        case _:
            await player.ask(protocol.ListReplays)


async def _host(player: Player, chance: random.Random, met: Counter[str]) -> None:
    setup = Setup(
        chance.choice(GAMES_PLAYED),
        rounds=chance.choice([1, 1, 2]),
        patience=chance.choice([5, 10]),
        private=chance.random() < 0.2,
    )
    if not isinstance(await player.ask(protocol.Make, setup), Accepted):
        return
    met["tables"] += 1
    if chance.random() < 0.5:
        await player.ask(protocol.AddBot, "zombie")
    await asyncio.sleep(chance.uniform(0.0, WAIT / 2))
    await player.ask(protocol.Start)


async def _play(player: Player, chance: random.Random, met: Counter[str]) -> None:
    """Some moves, as long as there is something to do within a while."""
    for _ in range(chance.randrange(150)):
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT):
                view = await player.seen(_is_due)
                game = GAMES[view.public["setup"]["game"]]
                seen = game.read_view(view.seat, view.public["game"], view.private)
                move = game.notate(game.any_move(seen, Chance(chance.randbytes(8))))
                await player.play(move)
                await player.seen(partial(_is_later, view.entry))
                met["moves"] += 1
                continue
        return


def _is_later(entry: int, view: TableView) -> bool:
    return view.entry > entry


def _is_due(view: TableView) -> bool:
    return view.seat is not None and view.seat in view.public["actors"]
