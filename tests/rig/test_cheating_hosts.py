"""Whoever cheats at the shuffle is found: at once by the client whose part it was, or at the end by the file."""

import json
from pathlib import Path
from typing import Any

import pytest

from diadem import protocol
from diadem.chain import Chain
from diadem.match_file import Fault, Untrue, read
from diadem.shuffle import commitment_of_server
from diadem.verification import verify_whole
from diadem_client.net.witness import fetch
from diadem_client.state.shuffle_check import Doubt
from diadem_server.lobby import lobby
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table import table
from tests.client.net.fair_match import SETUP, Pair, pair
from tests.rig import cheating_hosts as hosts
from tests.rig.journals import change
from tests.rig.wire import server


def chained_anew(lines: list[bytes]) -> bytes:
    """By a host, who has the key."""
    end = json.loads(lines[-1])
    chain = Chain(bytes.fromhex(end["secret"]), lines[0])
    link = chain.origin
    for line in lines[1:-1]:
        link = chain.link(link, line)
    return b"\n".join([*lines[:-1], json.dumps(end | {"chain": link.hex()}).encode()]) + b"\n"


async def faults(both: Pair) -> set[Fault | None]:
    return {each.fault for each in await both.checks()}


async def test_an_honest_host_is_believed(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on()
        assert await faults(both) == {None}


# The secret chosen when all is known


async def test_a_secret_that_was_chosen_when_all_had_opened_is_found_by_what_it_dealt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "Table", hosts.ChoosesWhenAllIsKnown)
    async with pair(tmp_path) as both:
        code = await both.begin()
        await both.play_on()
        for found in await faults(both):
            assert found in {Fault.OTHER_VIEW, Fault.ILLEGAL}
        with pytest.raises(Untrue):  # even by somebody who was not there
            verify_whole(read(await fetch(both.ana.client.ask, code)))


async def test_the_secret_that_was_chosen_late_cannot_be_told_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the commitment to it in the file, and all links of the chain made anew."""

    async def tell_another(ask: Any, code: str) -> bytes:
        first, *rest = (await fetch(ask, code)).splitlines()
        told = json.loads(first) | {"commitment": commitment_of_server(bytes(32)).hex()}
        rest[-1] = json.dumps(json.loads(rest[-1]) | {"secret": bytes(32).hex()}).encode()
        forged = chained_anew([json.dumps(told).encode(), *rest])
        with pytest.raises(Untrue) as found:  # nor can it be told to others
            verify_whole(read(forged))
        assert found.value.fault is Fault.ILLEGAL
        return forged

    monkeypatch.setattr("diadem_client.net.client.fetch", tell_another)
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on()
        assert await faults(both) == {Fault.COMMITMENT}


# What players add, dropped or replaced


@pytest.mark.parametrize(
    "cheat", [hosts.SaysNobodyOpened, hosts.SaysNobodyCommitted, hosts.AddsForOthers]
)
async def test_what_is_dropped_or_replaced_is_missed_at_once_and_again_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cheat: type
) -> None:
    monkeypatch.setattr(table, "Shuffling", cheat)
    async with pair(tmp_path) as both:
        await both.begin()
        shown = await both.ana.until(lambda picture: picture.table and picture.table.shuffle.doubt)
        assert shown.table is not None
        assert shown.table.shuffle.doubt is Doubt.LEFT_OUT
        assert any("without your part" in line.text for line in shown.table.log)
        await both.play_on()
        found = await both.ana.until(lambda picture: picture.table and picture.table.public.phase)
        assert found.table is not None
        assert not found.table.shuffle.is_verified


async def test_who_was_away_when_it_was_shuffled_is_told_so_at_the_end(tmp_path: Path) -> None:
    """A host who cuts somebody's line, and starts meanwhile, does not have the shuffle praised to them."""
    async with pair(tmp_path) as both:
        await both.ana.ask(protocol.Make, SETUP)
        table = (await both.ana.until(lambda picture: picture.table)).table
        assert table is not None
        await both.bob.ask(protocol.Join, table.code)
        await both.bob.ask(protocol.Sit)
        session = next(each for each in both.app.lobby.sessions if each.name == "Bob")
        actor = both.app.lobby.tables[table.code]
        actor.post(lambda: actor.leave(session))
        await both.ana.ask(protocol.Start)
        both.app.lobby.move_to(session, actor)
        for each in (both.ana, both.bob):
            await each.until(lambda picture: picture.table and picture.table.view)
        await both.play_on()
        ana, bob = await both.checks()
        assert (ana.is_verified, ana.without) == (True, 0)
        assert (bob.is_verified, bob.without) == (True, 1)


async def test_a_host_cannot_bind_itself_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "Shuffling", hosts.BindsItselfAnew)
    async with pair(tmp_path) as both:
        await both.begin()
        for each in (both.ana, both.bob):
            shown = await each.until(lambda picture: picture.table and picture.table.shuffle.doubt)
            assert shown.table is not None
            assert shown.table.shuffle.doubt is Doubt.CHANGED


# The deck swapped, the journal edited


async def test_a_deck_that_is_swapped_in_the_midst_of_a_round_is_found(tmp_path: Path) -> None:
    async with pair(tmp_path) as both:
        code = await both.begin()
        await both.play_on(most=4)
        hosts.swap_deck(both.app, code)
        await both.play_on()
        for found in await faults(both):
            assert found in {Fault.OTHER_VIEW, Fault.ILLEGAL}
        with pytest.raises(Untrue):
            verify_whole(read(await fetch(both.ana.client.ask, code)))


async def test_a_journal_that_is_edited_by_hand_is_found_when_its_table_is_taken_up(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with pair(tmp_path) as both:
        code = await both.begin()
        await both.play_on(most=4)
    await SqliteJournal(tmp_path).close()  # all entries lie in one place now
    change(tmp_path, "UPDATE entries SET entry = replace(entry, 'draw', 'stop') WHERE number = 5")
    async with server(tmp_path) as app:
        assert code in app.lobby.shut
    assert "is kept but not opened" in caplog.text


async def test_a_journal_that_is_edited_and_chained_anew_is_not_the_match_that_was_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def edit(ask: Any, code: str) -> bytes:
        lines = (await fetch(ask, code)).splitlines()
        at = next(number for number, line in enumerate(lines) if b'"moved"' in line)
        lines[at] = json.dumps(json.loads(lines[at]) | {"spent": 60_000}).encode()
        forged = chained_anew(lines)
        assert verify_whole(read(forged)).is_chained  # nobody else could tell
        return forged

    monkeypatch.setattr("diadem_client.net.client.fetch", edit)
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on()
        assert await faults(both) == {Fault.OTHER_MATCH}
