"""A server that ends in the midst of a shuffle goes on with it when it is started again."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_server.table import commit_reveal
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from tests.rig.shuffling import commit, is_sealed, open_it
from tests.rig.wire import Player, server
from tests.server import Time, code, done, is_in
from tests.server.table.test_commit_reveal import asked_to_start, of, ready, seated

pytestmark = pytest.mark.usefixtures("numbers", "patient")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for who is here and silent longer than a test takes."""
    monkeypatch.setattr(commit_reveal, "WAITS_SECONDS", 1000.0)


async def come(players: Sequence[Player], app: App) -> None:
    for player in players:
        await player.disconnect()
        player.url = f"ws://127.0.0.1:{app.port}"
        await player.connect()


async def test_what_was_sealed_stays_so_over_a_restart(tmp_path: Path) -> None:
    """Whoever has the server ended between commitments and openings gets no other chance for it."""
    ana, bob = Player(0), Player(0, "Bob")
    async with server(tmp_path) as app:
        for player in (ana, bob):
            player.url = f"ws://127.0.0.1:{app.port}"
            await player.connect()
        table = await seated(ana, bob)
        sealed = [await commit(ana), await commit(bob)]
        await ready((ana, bob))
        await open_it(ana)
    async with server(tmp_path) as app:
        for player in (ana, bob):
            await player.disconnect()
            player.url = f"ws://127.0.0.1:{app.port}"
            await player.connect()
            await player.join(table, sit=False)
            view = await player.seen(is_sealed)
            assert view.public["shuffle"]["added"] == sealed
        assert code(await ana.ask(protocol.Commit, "0" * 64)) == "already_started"
        openings = [await open_it(ana), await open_it(bob)]
        await ana.seen(is_in(Phase.PLAYING))
        assert of(ana, "started") == [{"type": "started", "openings": openings}]
        await ana.disconnect()
        await bob.disconnect()


async def test_who_is_on_their_way_back_after_a_restart_is_waited_for(tmp_path: Path) -> None:
    """The maker starts before the other's client has come, and has repeated its commitment."""
    ana, bob = (Player(0, name, wants=("shuffle",)) for name in ("Ana", "Bob"))
    async with server(tmp_path) as app:
        await come((ana, bob), app)
        table = await seated(ana, bob)
        await commit(ana)
        await commit(bob)
        await ready((bob,))
    async with server(tmp_path) as app:
        await come((ana,), app)
        await ana.join(table, sit=False)
        await asked_to_start(ana)
        commitments = [await commit(ana)]
        await come((bob,), app)
        await bob.join(table, sit=False)
        commitments.append(await commit(bob))
        await open_it(ana)
        await open_it(bob)
        await ana.seen(is_in(Phase.PLAYING))
        assert of(ana, "sealed") == [{"type": "sealed", "commitments": commitments}]
        await ana.disconnect()
        await bob.disconnect()


async def test_who_does_not_come_back_after_a_restart_is_waited_for_no_longer_than_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bob = Player(0), Player(0, "Bob")
    async with server(tmp_path) as app:
        await come((ana, bob), app)
        table = await seated(ana, bob)
        sealed = [await commit(ana), await commit(bob)]
        await ready((ana, bob))
        await ana.seen(is_sealed)
    async with server(tmp_path) as app:
        time = Time(asyncio.get_running_loop(), monkeypatch)
        await come((ana,), app)
        await ana.join(table, sit=False)
        await asked_to_start(ana)
        opening = await open_it(ana)
        view = await ana.seen(is_sealed)
        assert view.public["shuffle"]["added"] == sealed
        time.goes_on(commit_reveal.RETURN_SECONDS + 0.1)
        await ana.seen(is_in(Phase.PLAYING))
        assert of(ana, "started") == [{"type": "started", "openings": [opening, None]}]
        await ana.disconnect()
    await bob.disconnect()


async def test_seats_and_setup_stay_as_they_are_after_a_restart_until_it_is_dealt(
    tmp_path: Path,
) -> None:
    """What was opened before it is not lost by anybody's choice."""
    ana, bob, cem = Player(0), Player(0, "Bob"), Player(0, "Cem")
    async with server(tmp_path) as app:
        await come((ana, bob), app)
        table = await seated(ana, bob)
        await commit(ana)
        await commit(bob)
        await ready((ana, bob))
        await ana.seen(is_sealed)
    async with server(tmp_path) as app:
        await come((ana, cem), app)
        for player in (ana, cem):
            await player.join(table, sit=False)
        for player, command, *given in (
            (ana, protocol.Change, Setup("numbers", rounds=3)),
            (ana, protocol.AddBot, "halver"),
            (ana, protocol.Kick, "Bob"),
            (ana, protocol.Stand),
            (cem, protocol.Sit),
        ):
            assert code(await player.ask(command, *given)) == "already_started", command
        await done(ana, protocol.Ready, ready=True)
        await done(ana, protocol.Part)
        await done(ana, protocol.Join, table)
        view = await ana.seen(lambda view: view.seat == 0)
        assert is_sealed(view)
        for player in (ana, bob, cem):
            await player.disconnect()
