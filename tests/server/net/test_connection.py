"""One client's connection: what is no message, what comes too fast, and who reads nothing."""

import math
from contextlib import suppress
from functools import partial
from pathlib import Path
from socket import SO_RCVBUF, SO_SNDBUF, SOL_SOCKET
from typing import Any

import msgpack
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Subprotocol

from diadem_server.app import App
from diadem_server.limits import rate_limits
from diadem_server.limits.rate_limits import Bucket, Buckets, too_fast
from diadem_server.net import connection, outbox
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.lexicon import from_text, shelf
from diadem_shared.lexicon.shelf import WordListLine
from diadem_shared.protocol import MAX_FRAME, SUBPROTOCOL, Bye, Hello, Refused, Welcome
from diadem_shared.refusals import Code, Refusal
from tests.rig.wire import Player, server
from tests.server import NUMBERS, Time, code, done, fill, seat_is, started, transport_of


async def dial(app: App) -> ClientConnection:
    url = f"ws://127.0.0.1:{app.port}"
    return await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], compression=None)


async def farewell(socket: ClientConnection) -> Bye:
    """The last word of the server, and its name for it in the close frame."""
    last: protocol.FromServer | None = None
    with suppress(ConnectionClosed):
        async for frame in socket:
            assert isinstance(frame, bytes)
            last = protocol.read_message(frame)
    assert isinstance(last, Bye)
    assert socket.close_reason == last.why.code
    return last


NO_HELLOS: tuple[tuple[bytes | str, str], ...] = (
    (b"", "bad_frame"),
    (b"\xc1", "bad_frame"),
    ("hello", "bad_frame"),
    (msgpack.packb({"type": "hello", "name": 5}), "bad_frame"),
    (msgpack.packb({"type": "hello", "name": "Ana", "wants": "moves"}), "bad_frame"),
    (protocol.pack(protocol.Ping(1)), "no_hello"),
)


async def test_who_does_not_say_hello_is_sent_away(app: App) -> None:
    answers = []
    for first, _ in NO_HELLOS:
        socket = await dial(app)
        await socket.send(first)
        answers.append((first, code(await farewell(socket))))
    assert answers == list(NO_HELLOS)


async def test_who_says_nothing_is_sent_away(app: App, time: Time) -> None:
    socket = await dial(app)
    while not app.lobby.metrics.connections:
        await (await socket.ping())
    time.goes_on(connection.HELLO_SECONDS)
    assert code(await farewell(socket)) == "no_hello"


GARBAGE: tuple[bytes | str, ...] = (
    b"\xc1",
    "text",
    b"",
    msgpack.packb([1]),
    msgpack.packb({"type": "ping"}),
    msgpack.packb({"type": "ping", "id": 0}),
    msgpack.packb({"type": "dance", "id": 5}),
    msgpack.packb({"id": 6}),
)


async def test_what_is_no_message_is_answered_and_in_the_end_enough(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        assert ana.socket is not None
        for number in range(connection.BAD_FRAMES + 1):
            await ana.socket.send(GARBAGE[number % len(GARBAGE)])
        bye = await ana.until(lambda: next((m for m in ana.messages if isinstance(m, Bye)), None))
        assert code(bye) == "too_many_bad_frames"
        answers = list(_refusals(ana))
        assert len(answers) == connection.BAD_FRAMES + 1, "the last one, too"
        assert {code(each) for each in answers} == {"bad_frame"}
        assert [each.id for each in answers[:8]] == [0, 0, 0, 0, 0, 0, 5, 6]
    assert app.lobby.metrics.bad_frames == connection.BAD_FRAMES + 1


def _has_refusals(player: Player, count: int) -> bool:
    return len(list(_refusals(player))) >= count


async def test_garbage_is_forgiven_with_time(app: App, time: Time) -> None:
    async with Player(app.port, "Ana") as ana:
        assert ana.socket is not None
        for number in range(3 * connection.BAD_FRAMES):
            await ana.socket.send(b"\xc1")
            await ana.until(partial(_has_refusals, ana, number + 1))
            time.goes_on(1 / connection.BAD_FRAMES_A_SECOND)
        assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)


SETUP = msgspec.to_builtins(NUMBERS)
BAD_VALUES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"type": "say", "text": "a" * 501}, "text"),
    ({"type": "say", "text": ""}, "text"),
    ({"type": "say"}, "text"),
    ({"type": "say", "text": "hello", "loud": True}, "loud"),
    ({"type": "play", "move": 5}, "move"),
    ({"type": "join", "table": "A" * 13}, "table"),
    ({"type": "make", "setup": SETUP | {"rounds": 0}}, "setup.rounds"),
    ({"type": "make", "setup": SETUP | {"colour": "red"}}, "setup.colour"),
    ({"type": "make", "setup": {}}, "setup.game"),
    ({"type": "check", "draft": {"H8": "AB"}}, "draft[...]"),
    ({"type": "watch_lobby", "on": 1}, "on"),
)


async def test_a_bad_value_is_answered_with_its_field_and_nobody_is_sent_away_for_it(
    app: App,
) -> None:
    async with Player(app.port, "Ana") as ana:
        assert ana.socket is not None
        for number, (bad, field) in enumerate(BAD_VALUES * 5, start=1):
            await ana.socket.send(msgpack.packb({**bad, "id": number}))
            await ana.until(partial(_has_refusals, ana, number))
            *_, answer = _refusals(ana)
            assert answer.id == number
            assert (code(answer), answer.why.about["field"]) == ("bad_value", field)
        assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
    assert app.lobby.metrics.bad_frames == 0


@pytest.mark.usefixtures("numbers")
@pytest.mark.parametrize("frame", [{"type": "say", "id": 7}, {"type": "hello", "name": "Bob"}])
async def test_bad_values_are_no_way_round_the_rate_limit(
    tmp_path: Path, frame: dict[str, Any]
) -> None:
    async with server(tmp_path, commands_a_second=0.0, burst=3) as app, Player(app.port) as ana:
        assert ana.socket is not None
        for _ in range(3 + connection.MOST_TOO_FAST + 1):
            await ana.socket.send(msgpack.packb(frame))
        bye = await ana.until(lambda: next((m for m in ana.messages if isinstance(m, Bye)), None))
        assert code(bye) == "too_fast"


@pytest.mark.slow
@pytest.mark.parametrize("size", [MAX_FRAME + 1, 10 * MAX_FRAME])
@pytest.mark.parametrize("greeted", [True, False])
async def test_too_long_a_frame_is_told_before_the_line_is_closed(
    app: App,
    size: int,
    greeted: bool,  # noqa: FBT001
) -> None:
    socket = await dial(app)
    if greeted:
        await socket.send(protocol.pack(Hello("Ana")))
        await socket.recv()
    with suppress(ConnectionClosed):
        await socket.send(bytes(size))
    last: protocol.FromServer | None = None
    with suppress(ConnectionClosed):
        async for frame in socket:
            last = protocol.read_message(frame)
    assert last == Bye(Refusal(Code.FRAME_TOO_LONG, {"most": MAX_FRAME}))
    assert socket.close_code == 1009


async def test_the_longest_frame_is_read(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        assert ana.socket is not None
        await ana.socket.send(bytes(MAX_FRAME))
        assert code(await ana.until(lambda: next(_refusals(ana), None))) == "bad_frame"


def _refusals(player: Player) -> "filter[Refused]":
    return filter(lambda message: isinstance(message, Refused), player.messages)  # type: ignore[arg-type]


async def test_a_hello_may_hold_what_only_a_newer_server_knows(app: App) -> None:
    """It is sent before a client can know what there is."""
    socket = await dial(app)
    await socket.send(msgpack.packb({"type": "hello", "name": "Ana", "admin": True}))
    assert isinstance(protocol.read_message(await socket.recv()), Welcome)
    await socket.close()


async def test_hello_is_said_once(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        assert ana.socket is not None
        await ana.socket.send(protocol.pack(Hello("Bob")))
        assert code(await ana.until(lambda: next(_refusals(ana), None))) == "hello_again"


@pytest.mark.usefixtures("numbers")
async def test_haste_is_refused_and_then_sent_away(tmp_path: Path) -> None:
    async with server(tmp_path, commands_a_second=0.0, burst=3) as app, Player(app.port) as ana:
        for _ in range(3):
            assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
        assert code(await ana.ask(protocol.Ping)) == "too_fast"
        assert ana.socket is not None
        ping = protocol.pack(protocol.Ping(999))
        for _ in range(connection.MOST_TOO_FAST):
            await ana.socket.send(ping)
        bye = await ana.until(lambda: next((m for m in ana.messages if isinstance(m, Bye)), None))
        assert code(bye) == "too_fast"


@pytest.mark.usefixtures("numbers")
async def test_haste_is_told_when_to_try_again(tmp_path: Path) -> None:
    async with server(tmp_path, commands_a_second=0.1, burst=1) as app, Player(app.port) as ana:
        await ana.ask(protocol.Ping)
        refused = await ana.ask(protocol.Ping)
        assert refused.why.code == "too_fast"
        assert refused.why.about["seconds"] in {9, 10}


WAITS = (
    (0.0, 1),
    (0.2, 1),
    (1.0, 1),
    (1.01, 2),
    (59.5, 60),
    (math.inf, 3600),
)


def test_seconds_to_wait_are_whole_and_at_least_one_and_never_for_ever() -> None:
    assert [too_fast(seconds) for seconds, _ in WAITS] == [
        Refusal(Code.TOO_FAST, {"seconds": told}) for _, told in WAITS
    ]


def test_a_bucket_says_how_long_to_wait() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3, lambda: now[0])
    assert bucket.wait() == 0.0
    assert bucket.take(3)
    assert (bucket.wait(), bucket.wait(2), bucket.wait(3)) == (0.5, 1.0, 1.5)
    now[0] = bucket.wait(2)
    assert not bucket.take(2.1)
    assert bucket.take(2)


def test_what_never_fits_into_a_bucket_waits_until_it_is_full() -> None:
    assert Bucket(2.0, 3, lambda: 0.0).wait(100) == 0.0


async def test_buckets_of_many_are_forgotten_in_the_order_they_were_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "REMEMBERED", 2)
    buckets = Buckets(0.0, 1)
    assert [buckets.take(key) for key in "aba"] == [True, True, False]
    assert buckets.take("c")
    assert [buckets.take(key) for key in "ab"] == [False, True]


def test_a_bucket_is_filled_again() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] = 1_000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


@pytest.mark.parametrize(
    "settings", [{"max_connections": 2}, {"max_per_address": 2}, {"connections_a_second": 0.0}]
)
async def test_limits_of_connections(tmp_path: Path, settings: dict[str, float]) -> None:
    given = {"max_per_address": 1} if "connections_a_second" in settings else {}
    async with server(tmp_path, **given, **settings) as app:
        if given:
            for name in ("Ana", "Bob"):
                async with Player(app.port, name):
                    pass
            await _turned_away(app)
            return
        async with Player(app.port, "Ana"), Player(app.port, "Bob"):
            await _turned_away(app)
        async with Player(app.port, "Cem") as cem:
            assert cem.token


async def _turned_away(app: App) -> None:
    with pytest.raises(InvalidStatus) as turned:
        await dial(app)
    assert turned.value.response.status_code == 503
    assert int(turned.value.response.headers["Retry-After"]) >= 1
    assert app.lobby.metrics.turned_away == 1


# Slow readers


@pytest.mark.usefixtures("chatter")
async def test_a_slow_reader_gets_the_latest_view_and_holds_up_nobody(app: App) -> None:
    async with Player(app.port, "Ana") as ana, Player(app.port, "Bob") as bob:
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await ana.seen(seat_is(1, present=True))
        await _stops_reading(app, ana, bob)
        before = len(ana.messages)
        for _ in range(20):
            await done(bob, protocol.Ready, ready=True)
            await done(bob, protocol.Ready, ready=False)
        await done(bob, protocol.Ready, ready=True)
        assert ana.socket is not None
        ana.socket.transport.resume_reading()
        await ana.seen(seat_is(1, ready=True))
        views = [each for each in ana.messages[before:] if isinstance(each, protocol.TableView)]
        assert len(views) == 1, "one view waits, and never two"


@pytest.mark.usefixtures("chatter")
async def test_who_reads_nothing_is_cut_off_and_keeps_the_seat(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits for such a reader is bounded, whatever is said."""
    monkeypatch.setattr(outbox, "MOST_WAITING", 64 * 1024)
    async with Player(app.port, "Ana") as ana:
        bob = Player(app.port, "Bob")
        await bob.connect()
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await _stops_reading(app, bob, ana)
        session = app.lobby.sessions.known(bob.token)
        assert session is not None
        lines = 0
        while session.outbox is not None:
            await done(ana, protocol.Say, "a" * 500)
            lines += 1
        assert lines <= 2 * outbox.MOST_WAITING / 500
        view = await ana.seen(lambda view: not view.public["players"][1]["present"])
        assert [line["name"] for line in view.public["players"]] == ["Ana", "Bob"]
        bob.cut()
        await bob.disconnect()


async def _stops_reading(app: App, player: Player, other: Player) -> None:
    """With little room in the system on both sides, which is filled. Whatever the system does not take at once waits,
    and is replaced where it may be."""
    server_side = transport_of(app, player)
    server_side.set_write_buffer_limits(0)
    assert player.socket is not None
    for transport, option in ((player.socket.transport, SO_RCVBUF), (server_side, SO_SNDBUF)):
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, option, 4096)
    player.socket.transport.pause_reading()
    await fill(server_side, other)


@pytest.mark.usefixtures("chatter")
async def test_a_stuck_reader_is_cut_off_in_time(app: App, time: Time) -> None:
    async with Player(app.port, "Ana") as ana:
        bob = Player(app.port, "Bob")
        await bob.connect()
        table = await ana.make(NUMBERS)
        await bob.join(table)
        await _stops_reading(app, bob, ana)
        time.goes_on(outbox.STALLED_SECONDS)
        await ana.seen(lambda view: not view.public["players"][1]["present"])
        bob.cut()
        await bob.disconnect()


async def test_a_line_that_breaks_as_it_is_written_to_breaks_no_other(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Player(app.port, "Ana") as ana:
        bob = Player(app.port, "Bob")
        await bob.connect()
        await started(bob, ana)  # so that Bob is told first

        def break_down(_: object) -> None:
            raise OSError

        monkeypatch.setattr(transport_of(app, bob), "writelines", break_down)
        await done(ana, protocol.Say, "hello")
        await ana.seen(seat_is(0, present=False))
        bob.cut()
        await bob.disconnect()


async def test_a_welcome_names_the_word_lists_there_are(tmp_path: Path) -> None:
    shelf.put("of the club", from_text("ei\nes\n", "de"))
    async with server(tmp_path) as app:
        ana = Player(app.port, "Ana")
        welcome = await ana.connect()
        assert isinstance(welcome, Welcome)
        assert welcome.word_lists == shelf.lines()
        assert WordListLine("of the club", "de", 2) in welcome.word_lists
        for line in welcome.word_lists:
            setup = Setup("diamino-rummy", options={"word_list": line.name})
            assert await ana.make(setup)
            await ana.ask(protocol.Part)
        await ana.disconnect()
