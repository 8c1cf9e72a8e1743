"""When a match is over a client has it given as a file, and holds that against what it has seen."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from diadem_client.net import match_audit
from diadem_client.net.match_audit import NotExported, check, fetch
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.match_file import Fault, Untrue, read
from diadem_shared.protocol import Answer, Exported, Refused
from diadem_shared.refusals import Code, Refusal
from diadem_shared.verification import Seen, SeenView, verify_whole
from tests.client.net.fair_match import pair

CODE = "K7QD"


@pytest.mark.parametrize("game", ["diamoniak", "diadingo", "diamino-bonus"])
async def test_a_match_that_was_dealt_fairly_is_found_to_be_so(tmp_path: Path, game: str) -> None:
    async with pair(tmp_path) as both:
        code = await both.begin(Setup(game, {"language": "en"} if "diamino" in game else {}))
        await both.play_on(most=40)
        for each in (both.ana, both.bob):
            await each.ask(protocol.Resign)
        for found in await both.checks():
            assert found.is_verified
            assert (found.doubt, found.fault) == (None, None)
        file = read(await fetch(both.ana.client.ask, code))
        (dealt,) = verify_whole(file).rounds
        assert (dealt.added, dealt.silent) == (("Ana", "Bob"), ())


async def test_views_are_held_against_the_file_one_by_one(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        code = await both.begin()
        await both.play_on()
        file = await fetch(both.ana.client.ask, code)
    with pytest.raises(Untrue) as told:
        await check(file, Seen(views={5: SeenView("", 0, "another")}))
    assert (told.value.fault, told.value.entry) == (Fault.OTHER_VIEW, 5)


async def test_only_the_newest_views_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_audit, "MOST_VIEWS", 3)
    kept = match_audit.MatchAudit()
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on(most=6)
        tables = [each.table for each in both.ana.pictures if each.table]
    for table in tables:
        kept.see(table)
    newest = sorted({table.entry for table in tables})[-3:]
    assert [*kept.seen("", ()).views] == newest


async def test_another_view_of_the_same_entry_is_noticed_and_the_first_is_kept(
    tmp_path: Path,
) -> None:
    kept = match_audit.MatchAudit()
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on(most=2)
        table = next(each.table for each in reversed(both.bob.pictures) if each.table)
    assert kept.see(table)
    assert kept.see(replace(table, seat=None))
    assert kept.see(table)
    first = kept.seen("", ()).views
    for other in (replace(table, chain="ab" * 32), replace(table, view=None)):
        assert not kept.see(other)
        assert kept.seen("", ()).views == first


async def test_the_seat_that_one_had_is_remembered(tmp_path: Path) -> None:
    """Of one that was given up too, but not of one that was left before the start."""
    kept = match_audit.MatchAudit()
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on(most=2)
        table = next(each.table for each in reversed(both.bob.pictures) if each.table)
    kept.see(table)
    kept.see(replace(table, seat=None))
    assert kept.seat == 1
    kept.see(replace(table, seat=None, public=replace(table.public, phase=Phase.GATHERING)))
    assert kept.seat is None
    kept.see(table)
    kept.see(replace(table, seat=None, code="ELSE"))
    assert kept.seat is None


def asked(*answers: Answer) -> object:
    """A server that answers so."""
    coming = iter(answers)

    async def ask(*_: object) -> Answer:
        return next(coming)

    return ask


async def test_a_file_without_end_is_not_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_audit, "MOST_BYTES", 100)
    pieces = [Exported(1, CODE, b"x" * 60, 7) for _ in range(3)]
    for answers in (pieces, [Exported(1, CODE, b"", 7)] * 3):
        with pytest.raises(Untrue) as told:
            await fetch(asked(*answers), CODE)  # type: ignore[arg-type] # what it answers is awaited
        assert told.value.fault is Fault.TOO_LONG


async def test_a_server_may_refuse_it() -> None:
    refused = Refused(1, Refusal(Code.NO_SUCH_REPLAY))
    with pytest.raises(NotExported):
        await fetch(asked(refused), CODE)  # type: ignore[arg-type] # what it answers is awaited
