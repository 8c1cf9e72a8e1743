"""What every journal promises of results of matches, by player."""

from collections.abc import Sequence
from math import inf

from diadem_server.storage.changes import (
    DropResults,
    DropTable,
    FinishTable,
    ForgetSessions,
    NewResults,
    NewSession,
    NewTable,
    SetListed,
)
from diadem_server.storage.journal import Journal
from diadem_server.storage.records import FinishedLine
from diadem_shared.entries import Setup
from diadem_shared.game import Outcome
from diadem_shared.results import Other, Result
from diadem_shared.standings import Line
from tests.server.storage import Place

GAME = "diamoniak"
ANA, BOB = 1, 2


def line(match: int, session: int, ended: float, game: str = GAME, place: int = 1) -> Line:
    other = Other("Elm", "easy", 2, stayed=True)
    return Line(match, session, ended, Result(game, place, stayed=True, points=3, others=(other,)))


async def keep(journal: Journal, *lines: Line, code: str = "AAAA", version: int = 1) -> None:
    await journal.write(NewResults(code, version, lines))


async def all_of(journal: Journal, game: str, since: float, until: float) -> Sequence[Line]:
    found: list[Line] = []
    last = None
    while page := await journal.results_after(game, last, since, until, 2):
        found += page
        last = page[-1]
    return found


async def test_results_are_read_page_by_page(place: Place) -> None:
    lines = [line(9, BOB, 1.0), line(3, ANA, 2.0), line(3, BOB, 2.0), line(4, ANA, 2.0)]
    lines.append(line(1, ANA, 3.0))
    async with place.opened() as journal:
        await keep(journal, *lines[::-1], line(5, ANA, 2.0, game="diadingo"))
    async with place.opened() as journal:
        assert await all_of(journal, GAME, 0.0, inf) == lines
        assert await all_of(journal, GAME, 2.0, 3.0) == lines[1:4]
        assert await journal.count_results(GAME, 2.0) == 1
        assert await journal.count_results(GAME, inf) == 5
        assert await journal.first_result(GAME, 1.5) == 2.0
        assert await journal.first_result(GAME, 4.0) is None


async def test_a_player_reads_their_own_the_newest_first(journal: Journal) -> None:
    lines = [line(number, ANA, float(number)) for number in range(5)]
    await keep(journal, *lines, line(9, BOB, 9.0))
    assert await journal.results_of(ANA, inf, 3) == lines[:1:-1]
    assert await journal.results_of(ANA, lines[2].ended, 3) == lines[1::-1]
    assert await journal.results_of(3, inf, 3) == []


async def test_results_that_are_made_anew_replace_the_old_ones(journal: Journal) -> None:
    await keep(journal, line(1, ANA, 1.0))
    await keep(journal, line(1, ANA, 1.0, place=2))
    (found,) = await journal.results_of(ANA, inf, 9)
    assert found.result.place == 2


async def test_matches_without_results_are_found_the_oldest_first(journal: Journal) -> None:
    listed = FinishedLine("AAAA", GAME, ("Ana",), Outcome((1,), (0,)))
    for ended, code in enumerate(("AAAA", "BBBB", "CCCC"), start=1):
        await journal.write(NewTable(code, 0.0, Setup(GAME), code.encode(), 1))
        if code != "CCCC":
            await journal.write(FinishTable(code, float(ended), listed, [ANA]))
    found = await journal.unsummed(1, 9)
    assert [(each.row.code, each.row.seed, each.ended) for each in found] == [
        ("AAAA", b"AAAA", 1.0),
        ("BBBB", b"BBBB", 2.0),
    ]
    assert await journal.unsummed(1, 1) == found[:1]
    await keep(journal, line(1, ANA, 1.0))
    assert await journal.unsummed(1, 9) == found[1:]
    assert await journal.unsummed(2, 9) == found
    await journal.write(DropTable("AAAA"))
    assert len(await journal.results_of(ANA, inf, 9)) == 1


async def test_only_the_newest_results_are_kept(journal: Journal) -> None:
    assert await journal.superfluous_results(3, 9) == []
    lines = [line(number, ANA, float(number)) for number in range(5)]
    await keep(journal, *lines, line(4, BOB, 4.0))
    await journal.write(DropResults(await journal.superfluous_results(3, 9)))
    assert await all_of(journal, GAME, 0.0, inf) == [lines[3], lines[4], line(4, BOB, 4.0)]
    assert await journal.superfluous_results(3, 9) == []
    assert await journal.superfluous_results(3, 1) == [(3, ANA)], "more of one player"


async def test_who_is_shown_is_known_here_and_has_not_left_the_standings(journal: Journal) -> None:
    for id_, name in ((ANA, "Ana"), (BOB, "Bob"), (3, "Cem")):
        await journal.write(NewSession(id_, name.encode(), name, 0.0))
    await keep(journal, line(1, ANA, 1.0), line(1, BOB, 1.0), line(2, BOB, 2.0), line(2, 99, 2.0))
    assert await journal.listed_players(GAME) == {ANA: "Ana", BOB: "Bob"}
    assert await journal.listed_players("diadingo") == {}
    for _ in range(2):
        await journal.write(SetListed(BOB, on=False))
        assert not await journal.is_listed(BOB)
        assert await journal.listed_players(GAME) == {ANA: "Ana"}
    await journal.write(SetListed(BOB, on=True))
    assert await journal.is_listed(BOB)
    await journal.write(SetListed(BOB, on=False), ForgetSessions([BOB]))
    assert await journal.is_listed(BOB)
    assert await journal.listed_players(GAME) == {ANA: "Ana"}


async def test_whoever_has_results_is_no_stranger_and_their_number_is_not_given_again(
    journal: Journal,
) -> None:
    await journal.write(NewSession(ANA, b"Ana", "Ana", 10.0), NewSession(BOB, b"Bob", "Bob", 10.0))
    await keep(journal, line(1, ANA, 1.0), line(1, 41, 1.0))
    assert await journal.long_gone(before=5.0, unless_played=20.0) == {BOB}
    assert await journal.last_session() == 41
