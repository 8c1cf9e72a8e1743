"""Who is who: names, tokens, passwords, and the newest connection."""

from pathlib import Path

import pytest

from diadem_server.app import App
from diadem_shared import protocol
from diadem_shared.protocol import Bye, Welcome
from tests.rig.wire import Player, server
from tests.server import NUMBERS, code, done, seat_is, started


async def test_the_newest_connection_with_a_token_wins(app: App, ana: Player, bob: Player) -> None:
    table = await started(ana, bob)
    again = Player(app.port, "Ana")
    # One identity: the numbers of its commands go on too.
    again.token, again.ids = ana.token, ana.ids
    async with again:
        bye = await ana.until(lambda: next(_byes(ana), None))
        assert code(bye) == "replaced"
        await done(again, protocol.Join, table)
        assert (await again.seen(lambda view: view.seat is not None)).seat == 0
        assert ana.socket is not None
        await ana.socket.wait_closed()
        assert ana.socket.close_reason == "replaced"
        await bob.seen(seat_is(0, present=True))


def _byes(player: Player) -> "filter[object]":
    return filter(lambda message: isinstance(message, Bye), player.messages)


async def test_a_seat_is_bound_to_its_token(app: App, bob: Player) -> None:
    """Neither the name nor a made-up token leads to somebody's seat."""
    async with Player(app.port, "Ana") as ana:
        table = await started(ana, bob)
    stranger = Player(app.port, "Cem")
    stranger.token = ana.token[:-1] + "?"
    welcome = await stranger.connect()
    assert isinstance(welcome, Welcome)
    assert welcome.table is None
    assert welcome.token not in {ana.token, stranger.token[:-1] + "?"}
    await done(stranger, protocol.Join, table)
    assert (await stranger.seen(lambda view: view.table == table)).seat is None
    assert code(await stranger.play("guess 5")) == "no_seat"
    await stranger.disconnect()


async def test_nobody_takes_the_name_of_who_is_awaited_at_a_table(app: App, bob: Player) -> None:
    async with Player(app.port, "Ana") as ana:
        table = await started(ana, bob)
    await bob.seen(seat_is(0, present=False))
    for name in ("Ana", "ANA", "\u0251n\u0251"):  # the last with letters alpha of Latin
        assert code(await Player(app.port, name).connect()) == "name_in_use"
    welcome = await ana.connect()
    assert isinstance(welcome, Welcome)
    assert welcome.table == table
    await ana.disconnect()


async def test_a_name_that_is_given_up_is_free_for_others(app: App) -> None:
    async with Player(app.port, "Marnie") as marnie:
        assert code(await Player(app.port, "Mamie").connect()) == "name_in_use"
        await marnie.disconnect()
        marnie.name = "Dee"
        await marnie.connect()
        async with Player(app.port, "Mamie"):
            assert code(await Player(app.port, "Marnie").connect()) == "name_in_use"


async def test_at_a_table_a_player_keeps_her_name(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        await started(ana)
    ana.name = "Dee"
    welcome = await ana.connect()
    assert isinstance(welcome, Welcome)
    assert welcome.name == "Ana"
    await done(ana, protocol.Join, welcome.table)
    await done(ana, protocol.Resign)
    await ana.disconnect()
    again = await ana.connect()
    assert isinstance(again, Welcome)
    assert again.name == "Dee"
    await ana.disconnect()


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[bold]Ana[/]", "[bold]Ana[/]"),
        ("Ana\u202eboB", "AnaboB"),
        (" Ana \x1b[31m\t Lee\n", "Ana [31m Lee"),
        ("\uff21\uff4e\uff41", "Ana"),
    ],
)
async def test_a_name_is_text_and_nothing_else(app: App, name: str, shown: str) -> None:
    async with Player(app.port, name) as ana, Player(app.port, "Bob") as bob:
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await bob.seen(seat_is(0, name=shown))
        await done(ana, protocol.Say, "a [b]word\x07 \u2066or\u2069 two\x1b]0;")
        said = await bob.until(lambda: bob.chat[0] if bob.chat else None)
        assert (said.name, said.text) == (shown, "a [b]word or two ]0;")


async def test_a_password_lets_in(tmp_path: Path) -> None:
    right, wrong = "open sesame", "sesame"
    async with server(tmp_path, password=right) as app:
        assert code(await Player(app.port).connect()) == "password_needed"
        assert code(await Player(app.port, password=wrong).connect()) == "password_wrong"
        async with Player(app.port, password=right) as ana:
            assert ana.token


async def test_a_session_outlives_the_server(tmp_path: Path) -> None:
    async with server(tmp_path) as app:
        ana = Player(app.port, "Ana")
        await ana.connect()
        await ana.disconnect()
        token = ana.token
    async with server(tmp_path) as app:
        ana.url = f"ws://127.0.0.1:{app.port}"
        await ana.connect()
        assert ana.token == token
        await ana.disconnect()


async def test_what_only_asks_is_not_remembered(ana: Player) -> None:
    assert isinstance(await ana.ask_again(protocol.Ping(7)), protocol.Pong)
    assert isinstance(await ana.ask_again(protocol.ListReplays(7)), protocol.Replays)
