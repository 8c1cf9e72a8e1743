"""The chance of a round is made of the server's secret and of what each client adds, who commits to it first."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from diadem_server.app import App
from diadem_server.table import commit_reveal
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import Refused
from diadem_shared.shuffle import commitment_of_server
from tests.rig.shuffling import added_by, commit, is_sealed, open_it
from tests.rig.wire import Player, play_to_the_end, server
from tests.server import NUMBERS, Time, code, done, guess_right, is_in, mover

pytestmark = pytest.mark.usefixtures("numbers")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server waits for whoever is silent longer than a test takes."""
    monkeypatch.setattr(commit_reveal, "WAITS_SECONDS", 1000.0)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit_reveal, "WAITS_SECONDS", 0.05)


async def seated(*players: Player) -> str:
    first, *others = players
    table = await first.make(NUMBERS)
    for other in others:
        await other.join(table)
    return table


async def ready(players: Sequence[Player]) -> None:
    for player in players:
        await done(player, protocol.Ready, ready=True)


def of(player: Player, kind: str) -> list[dict[str, Any]]:
    return player.events(kind)


@pytest.mark.usefixtures("patient")
async def test_a_round_is_dealt_once_all_have_opened_what_they_committed_to(
    app: App, ana: Player, bob: Player, cem: Player
) -> None:
    table = await seated(ana, bob)
    await cem.join(table, sit=False)
    commitments = [await commit(ana), await commit(bob)]
    await ready((ana, bob))
    for player in (ana, bob, cem):
        view = await player.seen(is_sealed)
        assert view.public["phase"] == "gathering"
        assert view.public["shuffle"]["added"] == commitments
        assert of(player, "sealed") == [{"type": "sealed", "commitments": commitments}]
    openings = [await open_it(ana), await open_it(bob)]
    for player in (ana, bob, cem):
        view = await player.seen(is_in(Phase.PLAYING))
        assert view.public["shuffle"] is None
        assert of(player, "started") == [{"type": "started", "openings": openings}]
    assert not app.lobby.tables[table].match.sealed


@pytest.mark.usefixtures("patient")
async def test_who_says_that_they_add_is_waited_for_from_the_first_round_on(
    app: App, ana: Player
) -> None:
    async with Player(app.port, "Bob", wants=("shuffle",)) as bob:
        await seated(ana, bob)
        await asked_to_start(ana)
        await ana.ask(protocol.Describe)  # the answer comes once the start is under way
        committed = await commit(bob)
        await ana.seen(is_sealed)
        await open_it(bob)
        await ana.seen(is_in(Phase.PLAYING))
        assert of(ana, "sealed") == [{"type": "sealed", "commitments": ["", committed]}]


async def test_where_nobody_adds_anything_a_round_is_dealt_as_ever(ana: Player) -> None:
    await ana.make(NUMBERS)
    await done(ana, protocol.AddBot, "halver")
    await done(ana, protocol.Start)
    await ana.seen(is_in(Phase.PLAYING))
    assert of(ana, "sealed") == []
    assert of(ana, "started") == [{"type": "started"}]


async def test_the_commitment_of_the_server_is_in_the_first_view_and_opened_at_the_end(
    ana: Player, bob: Player
) -> None:
    table = await seated(ana, bob)
    assert ana.view
    told = ana.view.public["shuffle"]["server"]
    await done(ana, protocol.Start)
    await play_to_the_end(ana, bob)
    replay = await ana.ask(protocol.GetReplay, table)
    assert commitment_of_server(replay.seed).hex() == told


async def asked_to_start(player: Player) -> None:
    """Without waiting for the answer, which comes when the round is dealt."""
    assert player.socket is not None
    await player.socket.send(protocol.pack(protocol.Start(100)))


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("is_sealed_already", [False, True])
async def test_whoever_is_silent_keeps_nobody_else_from_anything(
    app: App, ana: Player, cem: Player, *, is_sealed_already: bool
) -> None:
    """While one is waited for, but for the seats and the setup: what was heard of others changes nothing about them."""
    async with Player(app.port, "Bob", wants=("shuffle",)) as bob:
        table = await seated(ana, bob)
        await commit(ana)
        if is_sealed_already:
            await commit(bob)
        await asked_to_start(ana)
        await done(cem, protocol.Join, table)
        if is_sealed_already:
            await cem.seen(is_sealed)
        for player in (ana, bob, cem):
            await done(player, protocol.Say, f"{player.name} is here")
        for player, command, *given in (
            (ana, protocol.Start),
            (ana, protocol.Change, Setup("numbers", rounds=3)),
            (ana, protocol.AddBot, "halver"),
            (ana, protocol.Kick, "Bob"),
            (bob, protocol.Stand),
            (bob, protocol.Ready, False),
            (cem, protocol.Sit),
        ):
            assert code(await player.ask(command, *given)) == "already_started", command
        await done(bob, protocol.Part)
        await done(bob, protocol.Join, table)
        view = await bob.seen(lambda view: view.seat == 1)
        assert view.public["phase"] == "gathering"
        if not is_sealed_already:
            await commit(bob)
        openings = [await open_it(ana), await open_it(bob)]
        await cem.seen(is_in(Phase.PLAYING))
        assert of(cem, "started") == [{"type": "started", "openings": openings}]


@pytest.mark.usefixtures("patient")
async def test_who_resigns_while_the_next_round_is_dealt_is_not_waited_for(
    app: App, ana: Player, bob: Player
) -> None:
    table = await ana.make(Setup("numbers", rounds=2))
    await bob.join(table)
    await done(ana, protocol.Start)
    await ana.seen(is_in(Phase.PLAYING))
    await bob.seen(is_in(Phase.PLAYING))
    await guess_right(await mover((ana, bob)), app)
    await commit(ana)
    await commit(bob)
    await asked_to_start(ana)
    opening = await open_it(ana)
    await done(bob, protocol.Resign)
    await ana.seen(is_in(Phase.PLAYING))
    assert of(ana, "started")[-1] == {"type": "started", "openings": [opening, None]}


@pytest.mark.usefixtures("patient")
async def test_who_has_asked_for_a_round_is_told_when_the_server_closes(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        ana, bob = Player(app.port), Player(app.port, "Bob", wants=("shuffle",))
        await ana.connect()
        await bob.connect()
        await seated(ana, bob)
        await asked_to_start(ana)
        await done(bob, protocol.Say, "I am slow")
    refused = [each for each in ana.messages if isinstance(each, Refused)]
    assert [(each.id, each.why.code) for each in refused] == [(100, "server_closing")]
    await ana.disconnect()
    await bob.disconnect()


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("starts", [False, True])
async def test_who_does_not_open_is_left_out_and_all_are_told(
    ana: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, *, starts: bool
) -> None:
    time = Time(asyncio.get_running_loop(), monkeypatch)
    await seated(ana, bob)
    await commit(ana)
    await commit(bob)
    if starts:
        await asked_to_start(ana)
    else:
        await ready((ana, bob))
    opening = await open_it(ana)
    time.goes_on(1001.0)
    for player in (ana, bob):
        await player.seen(is_in(Phase.PLAYING))
        assert of(player, "started") == [{"type": "started", "openings": [opening, None]}]
    assert code(await bob.ask(protocol.Open, added_by(bob).hex())) == "bad_shuffle"


@pytest.mark.usefixtures("patient")
async def test_nobody_waits_for_who_is_away_and_what_they_committed_to_is_not_sealed(
    ana: Player, bob: Player
) -> None:
    await seated(ana, bob)
    committed = await commit(ana)
    await commit(bob)
    await bob.disconnect()
    await ana.seen(lambda view: not view.public["players"][1]["present"])
    start = asyncio.create_task(done(ana, protocol.Start))
    await open_it(ana)
    await start
    assert of(ana, "sealed") == [{"type": "sealed", "commitments": [committed, ""]}]


@pytest.mark.usefixtures("patient")
async def test_a_client_that_has_added_before_is_waited_for_at_its_next_table(
    ana: Player, bob: Player
) -> None:
    table = await seated(ana, bob)
    await commit(ana)
    await ready((ana, bob))
    await open_it(ana)
    await ana.seen(is_in(Phase.PLAYING))
    await play_to_the_end(ana, bob)
    await done(ana, protocol.Part)
    await done(bob, protocol.Part)
    again = await seated(ana, bob)
    assert again != table
    await ready((ana, bob))
    committed = await commit(ana)
    await open_it(ana)
    await bob.seen(is_in(Phase.PLAYING))
    assert of(bob, "sealed")[-1] == {"type": "sealed", "commitments": [committed, ""]}


@pytest.mark.usefixtures("impatient")
async def test_who_was_waited_for_in_vain_is_not_waited_for_again(
    app: App, ana: Player, bob: Player
) -> None:
    await seated(ana, bob)
    session = next(each for each in app.lobby.sessions if each.name == "Ana")
    session.adds_chance = True
    await ready((ana, bob))
    await ana.seen(is_in(Phase.PLAYING))
    assert not session.adds_chance


@pytest.mark.usefixtures("patient")
async def test_what_is_not_as_it_was_committed_to_is_refused(
    ana: Player, bob: Player, cem: Player
) -> None:
    table = await seated(ana, bob)
    await cem.join(table, sit=False)
    assert code(await cem.ask(protocol.Commit, "0" * 64)) == "no_seat"
    assert code(await ana.ask(protocol.Open, "0" * 64)) == "bad_shuffle"
    assert code(await ana.ask(protocol.Commit, "0" * 63)) == "bad_value"
    assert code(await ana.ask(protocol.Commit, "F" * 64)) == "bad_value"
    await commit(ana)
    await ready((ana, bob))
    await ana.seen(is_sealed)
    for player, opening, why in (
        (ana, "0" * 64, "bad_shuffle"),
        (bob, added_by(ana).hex(), "bad_shuffle"),
        (cem, added_by(ana).hex(), "no_seat"),
    ):
        assert code(await player.ask(protocol.Open, opening)) == why
    assert code(await bob.ask(protocol.Commit, "0" * 64)) == "already_started"
    await open_it(ana)
    await ana.seen(is_in(Phase.PLAYING))
    assert code(await ana.ask(protocol.Commit, "0" * 64)) == "already_started"


@pytest.mark.usefixtures("patient")
async def test_another_persons_commitment_is_of_no_use(ana: Player, bob: Player) -> None:
    """Who repeats what somebody else has said cannot open it, even once that one has."""
    await seated(ana, bob)
    copied = await commit(ana)
    await done(bob, protocol.Commit, copied)
    await ready((ana, bob))
    await open_it(ana)
    assert code(await bob.ask(protocol.Open, added_by(ana).hex())) == "bad_shuffle"


@pytest.mark.usefixtures("patient")
async def test_each_round_has_commitments_of_its_own(app: App, ana: Player, bob: Player) -> None:
    table = await ana.make(Setup("numbers", rounds=2))
    await bob.join(table)
    commitments = []
    for _ in range(2):
        commitments += [await commit(ana), await commit(bob)]
        await ready((ana, bob))
        await open_it(ana)
        await open_it(bob)
        await ana.seen(is_in(Phase.PLAYING))
        await guess_right(await mover((ana, bob)), app)
        await ana.seen(lambda view: view.public["phase"] != "playing")
    assert len(set(commitments)) == 4
    assert [each["commitments"] for each in of(ana, "sealed")] == [commitments[:2], commitments[2:]]
