"""Whoever cheats at the shuffle is found: at once by the client whose part it was, or at the end by the file."""

import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from diadem_client import i18n
from diadem_client.net.match_audit import NotExported, fetch
from diadem_client.net.shuffle_contribution import Memories, ShuffleMemory
from diadem_client.state.client_state import ClientState
from diadem_client.state.shuffle_check import Doubt
from diadem_client.wording.shuffle import DOUBTS, praise
from diadem_server.lobby import lobby
from diadem_server.sessions.sessions import Session
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table import commit_reveal, table
from diadem_server.table.commit_reveal import CommitReveal
from diadem_shared import protocol
from diadem_shared.chain import Chain
from diadem_shared.match import Match, Phase
from diadem_shared.match_file import Fault, Untrue, read
from diadem_shared.protocol import Refused
from diadem_shared.refusals import Code, Refusal
from diadem_shared.shuffle import commitment_of_server
from diadem_shared.verification import Seen, verify_whole
from tests.client.net.clients import running
from tests.client.net.fair_match import SETUP, Pair, pair
from tests.rig import cheating_hosts as hosts
from tests.rig.journals import change, select
from tests.rig.wire import lasting_port, server

NAMES = ("Ana", "Bob")


class InMemory(Memories):
    """What a client has remembered last of each table."""

    def __init__(self) -> None:
        self.of: dict[str, ShuffleMemory] = {}

    def load(self, table: str) -> ShuffleMemory | None:
        return self.of.get(table)

    def save(self, table: str, memory: ShuffleMemory) -> None:
        self.of[table] = memory


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
    monkeypatch.setattr(table, "CommitReveal", cheat)
    async with pair(tmp_path) as both:
        await both.begin()
        shown = await both.ana.until(
            lambda client_state: client_state.table and client_state.table.shuffle.doubt
        )
        assert shown.table is not None
        assert shown.table.shuffle.doubt is Doubt.LEFT_OUT
        assert any("without your part" in line.text for line in shown.table.log)
        await both.play_on()
        found = await both.ana.until(
            lambda client_state: client_state.table and client_state.table.public.phase
        )
        assert found.table is not None
        assert not found.table.shuffle.is_verified


async def test_who_was_away_when_it_was_shuffled_is_told_so_at_the_end(tmp_path: Path) -> None:
    """A host who cuts somebody's line, and starts meanwhile, does not have the shuffle praised to them."""
    async with pair(tmp_path) as both:
        await both.ana.ask(protocol.Make, SETUP)
        table = (await both.ana.until(lambda client_state: client_state.table)).table
        assert table is not None
        await both.bob.ask(protocol.Join, table.code)
        await both.bob.ask(protocol.Sit)
        session = next(each for each in both.app.lobby.sessions if each.name == "Bob")
        actor = both.app.lobby.tables[table.code]
        actor.post(lambda: actor.leave(session))
        await both.ana.ask(protocol.Start)
        both.app.lobby.move_to(session, actor)
        for each in (both.ana, both.bob):
            await each.until(lambda client_state: client_state.table and client_state.table.view)
        await both.play_on()
        ana, bob = await both.checks()
        assert (ana.is_verified, ana.without) == (True, 0)
        assert (bob.is_verified, bob.without) == (True, 1)


async def test_a_host_cannot_bind_itself_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "CommitReveal", hosts.BindsItselfAnew)
    async with pair(tmp_path) as both:
        await both.begin()
        for each in (both.ana, both.bob):
            shown = await each.until(
                lambda client_state: client_state.table and client_state.table.shuffle.doubt
            )
            assert shown.table is not None
            assert shown.table.shuffle.doubt is Doubt.CHANGED


# Openings that are heard before the host is bound by the list


def plant(monkeypatch: pytest.MonkeyPatch, cheat: type, dealing: type | None = None) -> None:
    monkeypatch.setattr(lobby, "Table", cheat)
    monkeypatch.setattr(table, "CommitReveal", dealing or hosts.ForgetfulShuffling)
    monkeypatch.setattr(table, "History", hosts.ForgetfulHistory)


async def doubts(both: Pair) -> set[Doubt | None]:
    found = set()
    for each in (both.ana, both.bob):
        shown = await each.until(
            lambda client_state: client_state.table and client_state.table.shuffle.doubt
        )
        assert shown.table is not None
        found.add(shown.table.shuffle.doubt)
        said = i18n.gettext(DOUBTS[shown.table.shuffle.doubt])  # type: ignore[index]  # it is one
        assert said in [line.text for line in shown.table.log]
    return found


async def test_nothing_is_opened_for_a_list_that_no_entry_has_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "CommitReveal", hosts.SealsWithoutEntry)
    async with pair(tmp_path) as both:
        code = await both.begin(is_dealt=False)
        assert await doubts(both) == {Doubt.NOT_SEALED}
        for each in (both.ana, both.bob):
            await each.ask(protocol.Ping)  # what it had to say has come
        cheat = both.app.lobby.tables[code].shuffling
        assert isinstance(cheat, hosts.SealsWithoutEntry)
        assert cheat.heard == 0


@pytest.mark.parametrize("dealing", [None, hosts.WithdrawsAfterOneOpening])
async def test_a_seal_that_is_taken_back_is_noticed_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dealing: type | None
) -> None:
    """When all have opened, or when the first has."""
    plant(monkeypatch, hosts.TakesSealsBack, dealing)
    async with pair(tmp_path) as both:
        await both.begin()
        assert await doubts(both) == {Doubt.TAKEN_BACK}


async def test_a_seal_that_is_taken_back_is_missed_in_the_file_by_who_had_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where nothing was noticed before."""
    plant(monkeypatch, hosts.TakesSealsBack)
    memories = InMemory()
    async with pair(tmp_path, memories) as both:
        code = await both.begin()
        await both.play_on()
        file = read(await fetch(both.ana.client.ask, code))
        opened = memories.of[code].opened
        assert len(opened) == hosts.TRIES + 1
        for each in opened[:-1]:
            with pytest.raises(Untrue) as found:
                verify_whole(file, Seen(shuffles=(each,)))
            assert (found.value.fault, found.value.entry) == (Fault.OTHER_SHUFFLE, each.entry)
        verify_whole(file, Seen(shuffles=opened[-1:]))


async def test_an_entry_that_seals_cannot_be_given_another_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, hosts.RenumbersEntries)
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on()
        assert await faults(both) <= {Fault.OTHER_MATCH, Fault.OTHER_SHUFFLE}


async def test_a_shuffle_that_an_entry_drops_after_it_was_opened_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, hosts.DropsByAnEntry)
    async with pair(tmp_path) as both:
        await both.begin()
        assert await doubts(both) == {Doubt.DROPPED}
        await both.play_on()
        assert {each.is_verified and praise(each) for each in await both.checks()} == {""}


async def test_two_histories_do_not_fit_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "Table", hosts.TellsTwoHistories)
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on()
        ana, bob = await both.checks()
        assert (ana.fault, bob.fault) == (None, Fault.OTHER_SHUFFLE)


async def test_a_journal_that_is_put_back_is_noticed_when_the_server_is_started_again(
    tmp_path: Path,
) -> None:
    port = lasting_port()
    async with AsyncExitStack() as stack:
        async with server(tmp_path, port=port) as app:
            both = Pair(app, *[await stack.enter_async_context(running(port, n)) for n in NAMES])
            await both.begin()
        put_back(tmp_path, "sealed")
        async with server(tmp_path, port=port):
            assert await doubts(both) == {Doubt.TAKEN_BACK}


def put_back(folder: Path, kind: str) -> None:
    """Delete the newest entry of this kind, and all after it."""
    newest = "SELECT max(number) FROM all_entries WHERE CAST(entry AS TEXT) LIKE ?"
    ((number,),) = select(folder, newest, f'%"{kind}"%')
    change(folder, "DELETE FROM entries WHERE number >= ?", number)
    change(folder, "DELETE FROM appended WHERE number >= ?", number)


async def test_a_host_who_gives_no_file_of_the_match_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object) -> bytes:
        raise NotExported(Refused(1, Refusal(Code.NO_SUCH_REPLAY)))

    monkeypatch.setattr("diadem_client.net.client.fetch", refuse)
    async with pair(tmp_path) as both:
        await both.begin()
        await both.play_on()
        for each in (both.ana, both.bob):
            await each.until(
                lambda client_state: client_state.table and client_state.table.shuffle.is_withheld
            )


# Honest hosts who start their servers again


class DeafToOpenings(CommitReveal):
    def open(self, session: Session, match: Match, opening: str) -> None:
        """Nothing is done with it before the server ends."""


async def restarted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, first: type[CommitReveal], until: str
) -> set[Doubt | Fault | str | None]:
    """A match on a server that is started again in the midst of a shuffle, and what both clients say of it."""
    port = lasting_port()
    monkeypatch.setattr(commit_reveal, "WAITS_SECONDS", 15.0)
    async with AsyncExitStack() as stack:
        with monkeypatch.context() as planted:
            planted.setattr(table, "CommitReveal", first)
            async with server(folder, port=port) as app:
                ana, bob = [await stack.enter_async_context(running(port, n)) for n in NAMES]
                code = await Pair(app, ana, bob).begin(is_dealt=False)
                for each in (ana, bob):
                    await each.until(lambda shown: until in kinds(shown))
        async with server(folder, port=port) as app:
            both = Pair(app, ana, bob)
            await ana.until(lambda shown: shown.table and shown.table.view)
            await both.play_on()
            found = await both.checks()
            assert app.lobby.tables[code].match.phase is Phase.OVER
    return {said for each in found for said in (each.doubt, each.fault, praise(each))}


def kinds(shown: ClientState) -> set[str]:
    """Of the events in the log."""
    log = shown.table.log if shown.table else ()
    return {type(line.event).__struct_config__.tag for line in log if line.event is not None}


async def test_a_server_that_is_started_again_between_seal_and_opening_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await restarted(tmp_path, monkeypatch, DeafToOpenings, "sealed")
    assert found == {None, "Shuffle verified."}


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
