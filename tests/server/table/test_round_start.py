"""Whoever is ready is dealt to, or told why not; and nobody plays what they did not agree to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.storage.changes import Change, NewEntry
from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table.table import RETRY_SECONDS
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from tests.rig.wire import Player, server
from tests.server import NUMBERS, Time, code, done, guess_right, is_in, mover, started

OTHER = Setup("numbers", rounds=2)


def is_blocked(by: str | None) -> Callable[[protocol.TableView], bool]:
    def so(view: protocol.TableView) -> bool:
        blocked = view.public["blocked"]
        return (blocked["code"] if blocked else None) == by

    return so


async def test_all_are_told_why_no_round_is_dealt_to_them(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await ana.make(Setup("diamoniak", options={"youngest": 2}))
    await bob.join(table)
    await cem.join(table, sit=False)
    await done(ana, protocol.Ready, ready=True)
    assert ana.view is not None
    assert ana.view.public["blocked"] is None
    await done(bob, protocol.Ready, ready=True)
    for player in (ana, bob, cem):
        await player.seen(is_blocked("no_such_seat"))
    assert code(await ana.ask(protocol.Start)) == "no_such_seat"
    await done(cem, protocol.Sit)
    await ana.seen(is_blocked(None))
    await done(cem, protocol.Ready, ready=True)
    for player in (ana, bob, cem):
        view = await player.seen(is_in(Phase.PLAYING))
        assert view.public["blocked"] is None


async def test_whoever_is_ready_alone_is_told_that_more_are_needed(ana: Player) -> None:
    await ana.make(Setup("diamoniak"))
    await done(ana, protocol.Ready, ready=True)
    view = await ana.seen(is_blocked("too_few_players"))
    assert view.public["blocked"]["about"] == {"need": 2}
    await done(ana, protocol.AddBot, "strong")
    await ana.seen(is_in(Phase.PLAYING))


async def test_all_are_told_when_the_round_cannot_be_written_and_dealt_to_when_it_can(
    app: App, time: Time, monkeypatch: pytest.MonkeyPatch, ana: Player, bob: Player
) -> None:
    await started(ana, bob, setup=OTHER)
    await guess_right(await mover([ana, bob]), app)
    await bob.seen(is_in(Phase.BETWEEN))
    await done(ana, protocol.Ready, ready=True)
    with monkeypatch.context() as full:
        full.setattr(SqliteJournal, "write", _writes_no_entries)
        await done(bob, protocol.Ready, ready=True)
        for player in (ana, bob):
            await player.seen(is_blocked("journal_unavailable"))
    time.goes_on(RETRY_SECONDS)
    for player in (ana, bob):
        await player.seen(is_in(Phase.PLAYING))


async def _writes_no_entries(_: SqliteJournal, *changes: Change) -> None:
    if any(isinstance(change, NewEntry) for change in changes):
        raise JournalUnavailable("planted")


# Agreed options


async def test_a_start_waits_for_those_who_have_not_agreed_to_a_change(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await ana.make(NUMBERS)
    for player in (bob, cem):
        await player.join(table)
        await done(player, protocol.Ready, ready=True)
    await done(ana, protocol.Change, OTHER)
    view = await ana.seen(lambda view: view.public["setup"]["rounds"] == 2)
    assert not any(line["ready"] for line in view.public["players"])
    refused = await ana.ask(protocol.Start)
    assert code(refused) == "not_agreed"
    assert refused.why.about == {"names": ["Bob", "Cem"]}
    await done(bob, protocol.Ready, ready=True)
    refused = await ana.ask(protocol.Start)
    assert refused.why.about == {"names": ["Cem"]}
    await done(cem, protocol.Stand)
    await done(cem, protocol.Sit)
    await done(ana, protocol.Start)
    await bob.seen(is_in(Phase.PLAYING))


async def test_change_and_start_in_one_breath_start_nothing(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await bob.join(table)
    await done(bob, protocol.Ready, ready=True)
    assert ana.socket is not None
    for command in (protocol.Change(101, OTHER), protocol.Start(102)):
        await ana.socket.send(protocol.pack(command))
    answer = await ana.until(
        lambda: next((each for each in ana.messages if getattr(each, "id", 0) == 102), None)
    )
    assert code(answer) == "not_agreed"
    await done(ana, protocol.Ready, ready=True)
    await done(bob, protocol.Ready, ready=True)
    await bob.seen(is_in(Phase.PLAYING))


async def test_a_start_waits_for_whoever_sat_down_while_the_options_were_changed(
    ana: Player, bob: Player
) -> None:
    """They may have sat down before they saw it."""
    table = await ana.make(NUMBERS)
    await done(bob, protocol.Join, table)
    await done(ana, protocol.Change, OTHER)
    await done(bob, protocol.Sit)
    assert code(await ana.ask(protocol.Start)) == "not_agreed"
    await done(bob, protocol.Ready, ready=True)
    await done(ana, protocol.Start)


async def test_without_a_change_the_maker_starts_as_ever(ana: Player, bob: Player) -> None:
    table = await ana.make(NUMBERS)
    await done(ana, protocol.Change, OTHER)
    await done(ana, protocol.AddBot, "halver")
    await bob.join(table)
    await done(ana, protocol.Start)
    await bob.seen(is_in(Phase.PLAYING))


@pytest.mark.usefixtures("numbers")
async def test_a_start_waits_for_them_after_a_restart_too(tmp_path: Path) -> None:
    ana, bob = Player(0, "Ana"), Player(0, "Bob")
    table = ""
    for first in (True, False):
        async with server(tmp_path) as app:
            for player in (ana, bob):
                player.url = f"ws://127.0.0.1:{app.port}"
                await player.connect()
            if first:
                table = await ana.make(NUMBERS)
                await bob.join(table)
                await done(ana, protocol.Change, OTHER)
            else:
                for player in (ana, bob):
                    await done(player, protocol.Join, table)
                assert code(await ana.ask(protocol.Start)) == "not_agreed"
                await done(bob, protocol.Ready, ready=True)
                await done(ana, protocol.Start)
        for player in (ana, bob):
            await player.disconnect()
