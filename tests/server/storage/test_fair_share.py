"""Nobody loses a finished match, or what is kept of it, because somebody else plays many."""

from collections.abc import Sequence

from diadem_server.storage.changes import (
    Change,
    DropTable,
    FinishTable,
    NewEntry,
    NewResults,
    NewSession,
    NewTable,
)
from diadem_server.storage.journal import Journal
from diadem_server.storage.records import EntryRow
from diadem_shared.entries import Moved, Setup
from diadem_shared.results import Result
from diadem_shared.standings import Line
from tests.server.storage import LINE

ANA, BOB, CEM, STRANGER = 1, 2, 3, 10
HOME, AWAY = "home", "away"
PLENTY = 10**12


def session(id_: int, origin: str) -> NewSession:
    return NewSession(id_, b"token %d" % id_, f"P{id_}", 0.0, origin)


def match(code: str, ended: float, *played: int, size: int = 100) -> Sequence[Change]:
    """Of one entry of so many bytes."""
    row = EntryRow(1, Moved(0, "draw"), None, None, "", written=b"x" * size)
    return (
        NewTable(code, 0.0, Setup("diamoniak"), b"", 1),
        NewEntry(code, row),
        FinishTable(code, ended, LINE, played),
    )


async def kept(journal: Journal, keep: int, keep_bytes: int = PLENTY) -> set[str]:
    for code in await journal.superfluous(keep, keep_bytes):
        await journal.write(DropTable(code))
    return await journal.codes()


async def test_one_player_flushes_no_match_of_another(journal: Journal) -> None:
    await journal.write(*match("OLDER", 0.5, ANA), *match("OLD", 1.0, ANA))
    for number in range(20):
        await journal.write(*match(f"NEW{number:02}", 10.0 + number, BOB))
    assert await kept(journal, 5) == {"OLD", "OLDER", "NEW19", "NEW18", "NEW17"}
    assert await kept(journal, 3) == {"OLD", "NEW19", "NEW18"}
    assert await kept(journal, 0) == set()


async def test_many_names_from_one_address_flush_no_match_of_another_address(
    journal: Journal,
) -> None:
    await journal.write(session(ANA, HOME), session(BOB, HOME))
    await journal.write(*match("ANA", 1.0, ANA), *match("BOTH", 2.0, ANA, BOB))
    for number in range(20):
        await journal.write(session(STRANGER + number, AWAY))
        await journal.write(*match(f"NEW{number:02}", 10.0 + number, STRANGER + number))
    assert await kept(journal, 4) == {"ANA", "BOTH", "NEW19", "NEW18"}


async def test_of_players_at_one_address_each_keeps_as_many(journal: Journal) -> None:
    """As in a school."""
    await journal.write(session(ANA, HOME), session(BOB, HOME), session(CEM, HOME))
    await journal.write(*match("ANA", 1.0, ANA), *match("CEM", 2.0, CEM))
    for number in range(20):
        await journal.write(*match(f"NEW{number:02}", 10.0 + number, BOB))
    assert await kept(journal, 4) == {"ANA", "CEM", "NEW19", "NEW18"}


async def test_a_match_is_kept_that_one_of_its_players_still_has(journal: Journal) -> None:
    await journal.write(*match("SHARED", 1.0, ANA, BOB))
    for number in range(20):
        await journal.write(*match(f"NEW{number:02}", 10.0 + number, BOB))
    assert await kept(journal, 2) == {"SHARED", "NEW19"}


async def test_so_many_bytes_are_kept_and_who_has_most_loses_first(journal: Journal) -> None:
    await journal.write(*match("OLDER", 0.5, ANA), *match("OLD", 1.0, ANA))
    for number in range(5):
        await journal.write(*match(f"BIG{number}", 10.0 + number, BOB, size=5_000))
    small, big = 320, 5_220
    assert await kept(journal, 99, 2 * small + 2 * big) == {"OLD", "OLDER", "BIG4", "BIG3"}
    assert await kept(journal, 99, 2 * small + big - 1) == {"OLD", "OLDER"}


async def test_a_match_of_nobody_who_is_known_is_one_of_many(journal: Journal) -> None:
    for number in range(3):
        await journal.write(*match(f"LEFT{number}", float(number)))
    await journal.write(*match("ANA", 0.5, ANA))
    assert await kept(journal, 2) == {"LEFT2", "ANA"}


async def test_results_of_many_names_from_one_address_flush_no_others(journal: Journal) -> None:
    result = Result("diamoniak", 1, stayed=True, points=1)

    async def keep(match_id: int, who: int, ended: float) -> None:
        await journal.write(NewResults("AAAA", 1, [Line(match_id, who, ended, result)]))

    await journal.write(session(ANA, HOME))
    for number in range(3):
        await keep(number, ANA, float(number))
    for number in range(20):
        await journal.write(session(STRANGER + number, AWAY))
        await keep(100 + number, STRANGER + number, 100.0 + number)
    gone = await journal.superfluous_results(6, 99)
    assert sorted(gone) == [(100 + number, STRANGER + number) for number in range(17)]
    assert await journal.superfluous_results(99, 1) == [(1, ANA), (0, ANA)]
