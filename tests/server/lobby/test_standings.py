"""Standings are told page by page to whoever asks; who has left them is shown to nobody."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import pytest

from diadem_server.app import App
from diadem_server.lobby import standings
from diadem_server.lobby.standings import PAGE, ServerStandings
from diadem_server.storage.changes import NewResults, NewSession, SessionSeen
from diadem_server.storage.sqlite import SqliteJournal
from diadem_shared import protocol
from diadem_shared.bot_ratings import ratings_of
from diadem_shared.protocol import Standings
from diadem_shared.results import Other, Result
from diadem_shared.standings import LEAST_MATCHES, WEEK, Line
from tests.rig.wire import Player, play_to_the_end
from tests.server import code, done, started

GAME = "diadingo"


@pytest.fixture(autouse=True)
def always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standings, "FRESH_SECONDS", 0.0)


class Club:
    """A journal, and its standings at some time."""

    def __init__(self, journal: SqliteJournal) -> None:
        self.journal = journal
        self.now = 10 * WEEK
        self.matches = 0
        self.reads = 0

    def standings(self) -> ServerStandings:
        return ServerStandings(self.journal, lambda: self.now)

    async def come(self, *names: str) -> None:
        for id_, name in enumerate(names, start=1):
            await self.journal.write(NewSession(id_, name.encode(), name, 0.0))

    async def play(self, winner: int, loser: int, ended: float | None = None) -> None:
        self.matches += 1
        when = self.now + self.matches if ended is None else ended
        lines = [
            Line(self.matches, session, when, Result(GAME, place, True, 0, (other,)))  # noqa: FBT003
            for session, place, other in (
                (winner, 1, Other("loser", None, 2, stayed=True)),
                (loser, 2, Other("winner", None, 1, stayed=True)),
            )
        ]
        await self.journal.write(NewResults("AAAA", 1, lines))


@pytest.fixture
async def empty(tmp_path: Path) -> AsyncIterator[Club]:
    """One that nobody has come to yet."""
    journal = SqliteJournal(tmp_path)
    await journal.start()
    yield Club(journal)
    await journal.close()


@pytest.fixture
async def club(empty: Club) -> Club:
    await empty.come("Ana", "Bob", "Cem")
    for _ in range(LEAST_MATCHES):
        await empty.play(1, 2)
    return empty


def people(told: Standings) -> list[str]:
    return [line.name for line in told.lines if line.bot is None]


async def test_people_stand_among_the_bots_by_their_marks(club: Club) -> None:
    told = await club.standings().page(GAME, 2, 0, 7)
    assert people(told) == ["Ana", "Bob"]
    marks = [line.mark for line in told.lines]
    assert marks == sorted(marks, reverse=True)
    assert {line.bot: line.mark for line in told.lines if line.bot} == ratings_of(GAME)
    assert told.mine is not None
    assert told.lines[told.mine].name == "Bob"
    assert (told.id, told.total, told.listed) == (7, len(told.lines), True)


async def test_a_place_is_for_those_whose_mark_is_sure(club: Club) -> None:
    assert {line.place for line in (await club.standings().page(GAME, 1, 0, 1)).lines} == {None}
    for week in range(8):
        for number in range(5):
            await club.play(*((1, 2) if number else (2, 1)), week * WEEK + number * 86_400)
    lines = (await club.standings().page(GAME, 1, 0, 1)).lines
    assert [line.place for line in lines if line.bot is None] == [1, 2]
    assert {line.place for line in lines if line.bot is not None} == {None}


async def test_who_has_played_little_or_is_forgotten_is_not_shown(club: Club) -> None:
    await club.play(1, 3)
    for _ in range(LEAST_MATCHES):
        await club.play(1, 99)
    assert people(await club.standings().page(GAME, 3, 0, 1)) == ["Ana", "Bob"]


async def test_the_name_is_the_one_they_came_with_last(club: Club) -> None:
    await club.journal.write(SessionSeen(2, "Bea", 1.0))
    assert people(await club.standings().page(GAME, 1, 0, 1)) == ["Ana", "Bea"]


async def test_pages_are_short_and_beyond_the_last_there_is_nothing(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "PAGE", 2)
    asked = club.standings()
    whole: list[str] = []
    for first in range(0, 8, 2):
        told = await asked.page(GAME, 1, first, 1)
        assert len(told.lines) <= 2
        assert told.first == first
        whole += [line.name or str(line.bot) for line in told.lines]
    assert len(whole) == told.total == len(ratings_of(GAME)) + 2
    assert (await asked.page(GAME, 1, 2**31 - 1, 1)).lines == ()


async def test_kept_standings_and_new_ones_are_the_same_whatever_comes_when(club: Club) -> None:
    """Weeks end, and what ended long ago is summed up late."""
    kept = club.standings()
    for winner, loser, ended in (
        *((1, 2, None), (3, 1, None), (2, 3, 3.5 * WEEK), (3, 2, 9.99 * WEEK), (1, 3, 2.0)),
        *((3, 1, 12 * WEEK), (2, 1, None)),
    ):
        await club.play(winner, loser, ended)
        told = await kept.page(GAME, 1, 0, 1)
        assert told == await club.standings().page(GAME, 1, 0, 1)
        club.now += WEEK / 2


async def test_weeks_that_are_over_are_read_once(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Sequence[Line]] = []
    results_after = club.journal.results_after

    async def noted(*asked: object) -> Sequence[Line]:
        found = await results_after(*asked)  # type: ignore[arg-type]
        read.append(found)
        return found

    for week in range(5):
        await club.play(1, 2, ended=week * WEEK)
    asked = club.standings()
    await asked.page(GAME, 1, 0, 1)
    monkeypatch.setattr(club.journal, "results_after", noted)
    await asked.page(GAME, 1, 0, 1)
    assert {line.ended >= 10 * WEEK for page in read for line in page} == {True}


# Over the wire


@pytest.fixture
async def rivals(ana: Player, bob: Player) -> tuple[Player, Player]:
    for _ in range(LEAST_MATCHES):
        await started(ana, bob)
        await play_to_the_end(ana, bob)
        for each in (ana, bob):
            await done(each, protocol.Part)
    return ana, bob


async def test_who_leaves_the_standings_is_shown_to_nobody_until_they_come_back(
    rivals: tuple[Player, Player], cem: Player
) -> None:
    ana, bob = rivals
    assert set(people(await cem.ask(protocol.GetStandings, "numbers"))) == {"Ana", "Bob"}
    await done(ana, protocol.SetListed, on=False)
    for each in (ana, bob, cem):
        assert people(await each.ask(protocol.GetStandings, "numbers")) == ["Bob"]
    gone = await ana.ask(protocol.GetStandings, "numbers")
    assert (gone.mine, gone.listed) == (None, False)
    await done(ana, protocol.SetListed, on=True)
    assert set(people(await cem.ask(protocol.GetStandings, "numbers"))) == {"Ana", "Bob"}


async def test_another_token_is_another_player(app: App, rivals: tuple[Player, Player]) -> None:
    ana, _ = rivals
    await ana.disconnect()
    async with Player(app.port, "Ana") as other:
        told = await other.ask(protocol.GetStandings, "numbers")
        assert set(people(told)) == {"Ana", "Bob"}
        assert told.mine is None


NO_PAGES = (
    -1,
    2**31,
    2**60,
    0.5,
    "0",
    None,
)


async def test_no_page_is_asked_for_that_cannot_be(ana: Player) -> None:
    assert ana.socket is not None
    for id_, first in enumerate(NO_PAGES, start=9):
        asked = {"type": "get_standings", "id": id_, "game": GAME, "first": first}
        await ana.socket.send(msgspec.msgpack.encode(asked))
        refused = await ana.until(partial(refusal, ana, id_))
        assert code(refused) == "bad_value", first


def refusal(player: Player, id_: int) -> protocol.Refused | None:
    refused = (each for each in player.messages if isinstance(each, protocol.Refused))
    return next((each for each in refused if each.id == id_), None)


async def test_a_page_holds_no_more_than_is_said(empty: Club) -> None:
    club = empty
    await club.come(*(f"P{number}" for number in range(3 * PAGE)))
    for number in range(1, 3 * PAGE, 2):
        for _ in range(LEAST_MATCHES):
            await club.play(number, number + 1)
    told = await club.standings().page(GAME, 1, 0, 1)
    assert len(told.lines) == PAGE
    assert told.total == 3 * PAGE + len(ratings_of(GAME))
