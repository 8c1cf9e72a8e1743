"""A server that is started again goes on where it was."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from diadem_server.app import App
from diadem_server.lobby import prune, table_commands
from diadem_server.storage.sqlite import SqliteJournal
from diadem_server.table.chat import KEPT_MESSAGES
from diadem_server.table.grace_periods import AFTER_THE_END
from diadem_shared import match, match_file, protocol
from diadem_shared.entries import Setup
from diadem_shared.games.diamino.game import Diamino
from diadem_shared.match import Phase
from diadem_shared.protocol import Accepted, Welcome
from diadem_shared.verification import verify_whole
from tests.rig.journals import change, select
from tests.rig.wire import Player, play_to_the_end, server
from tests.sample_game import Numbers
from tests.server import NUMBERS, Calendar, Time, code, done, guess_wrong, is_in, mover, started

pytestmark = pytest.mark.usefixtures("numbers")


@asynccontextmanager
async def before(
    folder: Path, *names: str, **settings: Any
) -> AsyncIterator[tuple[App, list[Player]]]:
    """A server and its players; both are gone afterwards."""
    async with server(folder, **settings) as app:
        players = [Player(app.port, name) for name in names]
        for player in players:
            await player.connect()
        yield app, players
    for player in players:
        await player.disconnect()


@asynccontextmanager
async def after(folder: Path, players: Sequence[Player], **settings: Any) -> AsyncIterator[App]:
    """The server, started again, and everybody back with what they know."""
    async with server(folder, **settings) as app:
        for player in players:
            player.url = f"ws://127.0.0.1:{app.port}"
            await player.connect()
        yield app
        for player in players:
            await player.disconnect()


async def test_who_was_here_for_long_before_she_sat_down_has_her_seat(
    tmp_path: Path, calendar: Calendar
) -> None:
    async with before(tmp_path, "Ana", "Bob", now=calendar) as (app, players):
        calendar.ahead = prune.DAY
        await prune.tidy(app.lobby)
        table = await started(*players)
    async with after(tmp_path, players):
        for player in players:
            *_, welcome = (each for each in player.messages if isinstance(each, Welcome))
            assert welcome.table == table


async def test_who_was_here_for_long_with_nothing_is_known_after_a_restart(
    tmp_path: Path, calendar: Calendar
) -> None:
    async with before(tmp_path, "Ana", now=calendar) as (app, (ana,)):
        calendar.ahead = prune.DAY
        await prune.tidy(app.lobby)
        token = ana.token
    calendar.ahead += 5 * 60.0
    async with after(tmp_path, [ana], now=calendar) as app:
        assert ana.token == token
        await prune.tidy(app.lobby)
        assert app.lobby.sessions.known(token)


async def test_a_start_forgets_nobody_before_they_could_come_back(
    tmp_path: Path, calendar: Calendar, time: Time
) -> None:
    async with before(tmp_path, "Ana", now=calendar) as (_, (ana,)):
        token = ana.token
    calendar.ahead = prune.DAY
    async with server(tmp_path, now=calendar) as app, Player(app.port, "Bob") as bob:
        for _ in range(2):  # what the start has to do by itself is done by then
            await prune.prune(app.lobby)
        assert app.lobby.sessions.known(token)
        time.goes_on(prune.PAUSE)
        while app.lobby.sessions.known(token):
            await bob.ask(protocol.Ping)


async def test_a_match_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with before(tmp_path, "Ana", "Bob") as (app, players):
        table = await started(*players)
        await guess_wrong(await mover(players), app)
        await mover(players)
        old = [player.view for player in players]
    async with after(tmp_path, players):
        for player, view in zip(players, old, strict=True):
            await done(player, protocol.Join, table)
            assert view is not None
            again = await player.seen(lambda view: view.number == 1 or view.number > 1)
            assert (again.entry, again.seat, again.private) == (view.entry, view.seat, view.private)
            assert again.public["game"] == view.public["game"]
        page = await players[0].ask(protocol.GetHistory)
        assert [each.entry for each in page.happened][-1] == old[0].entry if old[0] else False
        await play_to_the_end(*players)


async def test_a_command_is_not_done_twice_even_after_a_restart(tmp_path: Path) -> None:
    async with before(tmp_path, "Ana", "Bob") as (app, players):
        table = await started(*players)
        who = await mover(players)
        secret = app.lobby.tables[table].match.state.secret
        guess = protocol.Play(500, f"guess {5 if secret != 5 else 6}")
        answer = await who.ask_again(guess)
        assert isinstance(answer, Accepted)
        assert await who.ask_again(guess) == answer
        entries = app.lobby.tables[table].match.entries
    async with after(tmp_path, players) as app:
        assert await who.ask_again(guess) == answer, "before the table is joined"
        await done(who, protocol.Join, table)
        assert await who.ask_again(guess) == answer
        assert app.lobby.tables[table].match.entries == entries


async def test_a_match_that_is_over_can_still_be_seen_after_a_restart(
    tmp_path: Path, time: Time
) -> None:
    """The last move may be the one that nobody was told of."""
    async with before(tmp_path, "Ana", "Bob") as (app, players):
        table = await started(*players)
        who = await mover(players)
        move = protocol.Play(500, f"guess {app.lobby.tables[table].match.state.secret}")
        last = await who.ask_again(move)
        assert isinstance(last, Accepted)
    async with after(tmp_path, players) as app:
        assert await who.ask_again(move) == last
        for player in players:
            await done(player, protocol.Join, table)
            view = await player.seen(is_in(Phase.OVER))
            assert (view.table, view.entry) == (table, last.entry)
        task = app.lobby.tables[table].task
        for player in players:
            await done(player, protocol.Part)
        assert task is not None
        await task
    async with after(tmp_path, players) as app:
        held = app.lobby.tables[table]
        time.goes_on(AFTER_THE_END)
        assert held.task is not None
        await held.task
        assert table not in app.lobby.tables


@pytest.mark.usefixtures("chatter")
async def test_what_was_said_is_told_again_after_a_restart(tmp_path: Path) -> None:
    async with before(tmp_path, "Ana", "Bob") as (_, players):
        table = await started(*players)
        for number in range(KEPT_MESSAGES + 5):
            await done(players[number % 2], protocol.Say, f"line {number}")
        told = players[0].chat[-KEPT_MESSAGES:]
    for _ in range(2):
        async with after(tmp_path, players):
            for player in players:
                player.messages.clear()
                await done(player, protocol.Join, table)
                await player.seen(is_in(Phase.PLAYING))
                assert player.chat == told
            await done(players[0], protocol.Say, "once more")
            told = [*told, players[0].chat[-1]][-KEPT_MESSAGES:]


async def test_what_was_said_goes_with_the_table(tmp_path: Path) -> None:
    async with before(tmp_path, "Ana", "Bob") as (app, players):
        ana, bob = players
        await ana.make(NUMBERS)
        await done(ana, protocol.Say, "anybody there?")
        await done(ana, protocol.Part)
        table = await started(ana, bob)
        await done(ana, protocol.Say, "good luck")
        await play_to_the_end(ana, bob)
        await done(bob, protocol.Say, "well played")
        task = app.lobby.tables[table].task
        for player in players:
            await done(player, protocol.Part)
        assert task is not None
        await task
    assert select(tmp_path, "SELECT * FROM chat") == []


async def test_a_table_is_not_made_twice_even_after_a_restart(tmp_path: Path) -> None:
    async with before(tmp_path, "Ana") as (_, players):
        (ana,) = players
        answer = await ana.ask(protocol.Make, NUMBERS)
    async with after(tmp_path, players) as app:
        assert await ana.ask_again(protocol.Make(answer.id, NUMBERS)) == answer
        assert len(app.lobby.tables) == 1


async def test_a_command_still_being_done_is_answered_on_the_newer_line(tmp_path: Path) -> None:
    async with before(tmp_path, "Ana") as (app, players):
        (ana,) = players
        await ana.make(NUMBERS)
        command = protocol.Ready(500, ready=True)
        session = app.lobby.sessions.known(ana.token)
        assert session is not None
        assert session.begin(command), "begun on a line that broke down"
        await ana.disconnect()
        await ana.connect()
        assert ana.socket is not None
        await ana.socket.send(protocol.pack(command))
        await ana.ask(protocol.Ping)
        app.lobby.answer(session, Accepted(command.id))
        await ana.until(
            lambda: [m for m in ana.messages if isinstance(m, Accepted) and m.id == command.id]
        )


async def test_an_id_belongs_to_its_session(app: App) -> None:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        table = await ana.make(NUMBERS)
        await bob.join(table)
        command = protocol.AddBot(900, "halver")
        assert isinstance(await ana.ask_again(command), Accepted)
        assert code(await bob.ask_again(command)) == "only_the_maker"


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        ("UPDATE tables SET version = 7", "rules version 7"),
        ("UPDATE entries SET digest = 'another'", "leads to another state"),
        ("DELETE FROM entries WHERE number = 2", "entry 2 is missing"),
        (
            "UPDATE entries SET entry = replace(entry, 'Bob', 'Eva') WHERE number = 2",
            "entry 2 or one before it was changed",
        ),
        (
            "UPDATE entries SET digest = replace(digest, ':', ':00') WHERE number = 2",
            "entry 2 or one before it was changed",
        ),
        (
            "UPDATE tables SET setup = replace(setup, '120', '121')",
            "entry 1 or one before it was changed",
        ),
        ('UPDATE entries SET entry = \'{"type": "danced"}\'', "cannot be read"),
        ("UPDATE tables SET setup = 'what?'", "cannot be read"),
        ('UPDATE tables SET setup = \'{"game": "chess"}\'', "no_such_game"),
    ],
)
async def test_a_journal_that_does_not_replay_is_refused_by_name_and_kept(
    tmp_path: Path, spoilt: str, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with before(tmp_path, "Ana", "Bob", "Cem") as (_, players):
        ana, bob, cem = players
        table = await started(ana, bob)
        sound = await started(cem)
    await SqliteJournal(tmp_path).close()  # all entries lie in one place now
    change(tmp_path, f"{spoilt} {_and(spoilt)} code = ?", table)
    kept = _everything(tmp_path)
    async with after(tmp_path, players) as app:
        assert list(app.lobby.tables) == [sound]
        assert f"table {table} is kept but not opened" in caplog.text
        assert said in caplog.text
        assert code(await ana.ask(protocol.Join, table)) == "table_kept"
        await ana.make(NUMBERS)
        await done(ana, protocol.Part)
    assert _everything(tmp_path) == kept


def _and(sql: str) -> str:
    return "AND" if "WHERE" in sql else "WHERE"


def _everything(folder: Path) -> object:
    return [
        select(folder, "SELECT * FROM tables ORDER BY code"),
        select(folder, "SELECT * FROM entries ORDER BY code, number"),
    ]


async def test_a_table_of_newer_rules_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as newer:
        newer.setattr(Numbers, "version", 2)
        async with before(tmp_path, "Ana") as (_, players):
            table = await started(*players)
    async with after(tmp_path, players) as app:
        assert app.lobby.tables == {}
    monkeypatch.setattr(Numbers, "version", 2)
    async with after(tmp_path, players) as app:
        assert list(app.lobby.tables) == [table]


async def test_m17_a_match_goes_on_under_the_rules_it_was_begun_under(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One round of passes ended it then, two do now; its file says so, and holds."""
    with monkeypatch.context() as older:
        older.setattr(Diamino, "version", 1)
        async with before(tmp_path, "Ana", "Bob") as (_, players):
            table = await started(*players, setup=Setup("diamino-rummy"))
            await (await mover(players)).play("pass")
    async with after(tmp_path, players) as app:
        for player in players:
            await done(player, protocol.Join, table)
        assert app.lobby.tables[table].match.game.version == 1
        await (await mover(players)).play("pass")
        await players[0].seen(is_in(Phase.OVER))
        file = match_file.read((await players[0].ask(protocol.Export, table)).piece)
        assert file.header.version == 1
        assert verify_whole(file).match.totals.scores == (0, 0)


async def test_tables_made_under_laxer_rules_are_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Ana", "Bob", "Cem", "Dee")
    lax = Setup("diamino-rummy", options={"open_hands": 1, "board": "S..\n"})
    hopeless = Setup("diamino-rummy", options={"board": "hello"})
    with monkeypatch.context() as older:
        for module in (match, table_commands):
            older.setattr(module, "explain_setup", lambda _: None)
        async with before(tmp_path, *names) as (_, players):
            ana, bob, cem, dee = players
            begun = await started(ana, bob, setup=lax)
            waiting = await cem.make(Setup("diamino-rummy"))
            await dee.join(waiting)
            await done(cem, protocol.Change, hopeless)
    async with after(tmp_path, players) as app:
        assert {*app.lobby.tables} == {begun, waiting}
        for player, table in zip(players, (begun, begun, waiting, waiting), strict=True):
            await done(player, protocol.Join, table)
        await (await mover((ana, bob))).play("pass")
        assert code(await cem.ask(protocol.Change, lax)) == "bad_option"
        await done(dee, protocol.Ready, ready=True)
        assert code(await cem.ask(protocol.Start)) == "bad_board"
        await done(cem, protocol.Change, Setup("diamino-rummy"))
        await done(dee, protocol.Ready, ready=True)
        await done(cem, protocol.Start)
        await cem.seen(is_in(Phase.PLAYING))


async def test_bots_play_on_after_a_restart(tmp_path: Path) -> None:
    setup = Setup("diamoniak", options={"youngest": 0})
    async with before(tmp_path, "Ana") as (_, players):
        (ana,) = players
        table = await ana.make(setup)
        await done(ana, protocol.AddBot, "strong")
        await done(ana, protocol.Start)
    async with after(tmp_path, players):
        await done(ana, protocol.Join, table)
        await play_to_the_end(ana)
