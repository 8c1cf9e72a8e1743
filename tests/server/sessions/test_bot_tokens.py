"""Bots of others: seen as what they are, and let in by tokens that the host has made."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diadem_server import cli
from diadem_server.app import App
from diadem_server.sessions import bot_tokens
from diadem_server.sessions.bot_tokens import FILE, BotTokens, NotMade, make
from diadem_shared import protocol
from diadem_shared.protocol import Accepted, Bye, Welcome
from tests.rig.wire import Player, server
from tests.server import NUMBERS, code, done, looks_on, seat_is, started

GIVEN = "open sesame"


@pytest.fixture
async def guarded(tmp_path: Path) -> AsyncIterator[App]:
    """A server with a password, and little patience."""
    async with server(tmp_path, password=GIVEN, commands_a_second=0.001, burst=30) as app:
        yield app


# The flag


async def test_a_bot_is_seen_at_the_table_and_in_the_lobby(ana: Player, app: App) -> None:
    async with Player(app.port, "Rob", bot=True) as rob:
        await done(ana, protocol.WatchLobby, on=True)
        table = await rob.make(NUMBERS)
        await looks_on(ana, table)
        view = await ana.seen(seat_is(0, name="Rob", program=True))
        assert view.public["players"][0]["bot"] is None
        await ana.until(
            lambda: ana.lobby and [line.programs for line in ana.lobby.tables] == [(0,)]
        )
        await done(ana, protocol.Sit)
        view = await ana.seen(seat_is(1, name="Ana"))
        assert "program" not in view.public["players"][1]


async def test_a_bot_that_is_gone_is_still_one(ana: Player, app: App) -> None:
    async with Player(app.port, "Rob", bot=True) as rob:
        await started(ana, rob)
    await ana.seen(seat_is(1, name="Rob", program=True, present=False))


async def test_who_comes_back_as_a_person_is_one(ana: Player, app: App) -> None:
    async with Player(app.port, "Rob", bot=True) as rob:
        table = await started(ana, rob)
        await rob.disconnect()
        rob.hello = {}
        await rob.connect()
        await done(rob, protocol.Join, table)
        view = await ana.seen(seat_is(1, present=True))
        assert "program" not in view.public["players"][1]


# Tokens


async def test_a_token_of_the_host_is_a_name_and_lets_in_without_the_password(
    guarded: App, tmp_path: Path
) -> None:
    token = make(tmp_path, "Rob")
    async with Player(guarded.port, "Somebody", password=GIVEN) as somebody:
        assert somebody.token
    rob = Player(guarded.port, "whatever")
    rob.token = token
    welcome = await rob.connect()
    assert isinstance(welcome, Welcome)
    assert (welcome.name, welcome.token) == ("Rob", token)
    assert welcome.limits is not None
    assert welcome.limits.commands_at_once == 60
    await rob.disconnect()
    assert isinstance(await rob.connect(), Welcome)
    await rob.disconnect()


async def test_a_bot_with_a_token_may_ask_for_twice_as_much(guarded: App, tmp_path: Path) -> None:
    rob = Player(guarded.port, "Rob")
    rob.token = make(tmp_path, "Rob")
    await rob.connect()
    async with Player(guarded.port, "Ana", password=GIVEN) as ana:
        for player, most in ((ana, 30), (rob, 60)):
            answers = [await player.ask(protocol.Ping) for _ in range(most)]
            assert all(isinstance(each, protocol.Pong) for each in answers)
            assert code(await player.ask(protocol.Ping)) == "too_fast"
    await rob.disconnect()


async def test_nobody_else_has_the_name_of_a_bot(app: App, tmp_path: Path) -> None:
    make(tmp_path, "Rob")
    for name in ("Rob", "rob", "R\u00f8b"):
        answer = await Player(app.port, name).connect()
        assert isinstance(answer, Bye), name
        assert code(answer) == "name_in_use"


async def test_a_token_that_was_replaced_is_worth_nothing(guarded: App, tmp_path: Path) -> None:
    rob = Player(guarded.port, "Rob")
    rob.token = make(tmp_path, "Rob")
    make(tmp_path, "Rob")
    answer = await rob.connect()
    assert code(answer) == "password_needed"


async def test_the_token_is_not_in_the_file_and_the_file_is_private(tmp_path: Path) -> None:
    token = make(tmp_path, "Rob")
    file = tmp_path / FILE
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    assert BotTokens(tmp_path).name_for(token) == "Rob"
    assert BotTokens(tmp_path).name_for("x" + token) is None
    assert BotTokens(tmp_path).name_for(None) is None


def test_a_bot_has_a_name_that_a_player_could_have(tmp_path: Path) -> None:
    for name in ("", " Rob", "x" * 21, "Diadem", "a: b", "\x1b[2J"):
        with pytest.raises(NotMade):
            make(tmp_path, name)


def test_bots_are_told_apart_and_are_not_without_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, "Rob")
    with pytest.raises(NotMade, match="like"):
        make(tmp_path, "ROB")
    monkeypatch.setattr(bot_tokens, "MOST", 1)
    with pytest.raises(NotMade, match="already"):
        make(tmp_path, "Eve")
    make(tmp_path, "Rob")


def test_a_file_that_makes_no_sense_counts_as_none(tmp_path: Path) -> None:
    for broken in (b"", b"{", b"[]", b'{"Rob": 5}', b"\xff"):
        tokens = BotTokens(tmp_path)
        token = make(tmp_path, "Rob")
        assert tokens.name_for(token) == "Rob"
        (tmp_path / FILE).write_bytes(broken)
        assert tokens.name_for(token) is None, broken
        assert not tokens.reserves("Rob"), broken
        (tmp_path / FILE).unlink()


def test_the_command_prints_the_token_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["--data", str(tmp_path), "--bot-token", "Rob"])
    assert BotTokens(tmp_path).name_for(capsys.readouterr().out.strip()) == "Rob"


def test_the_command_says_in_a_line_why_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--data", str(tmp_path), "--bot-token", "Diadem"])
    assert capsys.readouterr().err == (
        "game-server: 'Diadem' is no name that a player could have\n"
    )


async def test_a_token_that_is_made_while_the_server_runs_is_good(app: App, tmp_path: Path) -> None:
    rob = Player(app.port, "Rob")
    rob.token = make(tmp_path, "Rob")
    assert isinstance(await rob.connect(), Welcome)
    assert isinstance(await rob.ask(protocol.WatchLobby, on=True), Accepted)
    await rob.disconnect()
