"""One client's line: what is no message, what comes too fast, and who reads nothing."""

import asyncio
import math
import os
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

from diadem import protocol
from diadem.protocol import MAX_FRAME, SUBPROTOCOL, Bye, Hello, Refused
from diadem.refusals import Code, Refusal
from diadem_server.app import App
from diadem_server.net import connection, outbox, rate_limits
from diadem_server.net.outbox import Outbox
from diadem_server.net.rate_limits import Bucket, Buckets, too_fast
from diadem_server.sessions.sessions import Session
from tests.rig.wire import Player, server
from tests.server import NUMBERS, Time, code, done, guess_wrong, seat_is, started


async def line(app: App) -> ClientConnection:
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


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (b"", "bad_frame"),
        (b"\xc1", "bad_frame"),
        ("hello", "bad_frame"),
        (msgpack.packb({"type": "hello", "name": 5}), "bad_frame"),
        (msgpack.packb({"type": "hello", "name": "Ana", "admin": True}), "bad_frame"),
        (protocol.pack(protocol.Ping(1)), "no_hello"),
    ],
)
async def test_who_does_not_say_hello_is_sent_away(app: App, first: bytes, said: str) -> None:
    socket = await line(app)
    await socket.send(first)
    assert code(await farewell(socket)) == said


async def test_who_says_nothing_is_sent_away(app: App, time: Time) -> None:
    socket = await line(app)
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
        for _ in range(3 + connection.WEARY + 1):
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
    socket = await line(app)
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
        for _ in range(connection.WEARY):
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


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.0, 1), (0.2, 1), (1.0, 1), (1.01, 2), (59.5, 60), (math.inf, 3600)]
)
def test_seconds_to_wait_are_whole_and_at_least_one_and_never_for_ever(
    seconds: float, told: int
) -> None:
    assert too_fast(seconds) == Refusal(Code.TOO_FAST, {"seconds": told})


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
        await line(app)
    assert turned.value.response.status_code == 503
    assert int(turned.value.response.headers["Retry-After"]) >= 1
    assert app.lobby.metrics.turned_away == 1


# Slow readers


async def test_a_slow_reader_gets_the_latest_view_and_holds_up_nobody(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW", -1)
    seen: list[int] = []
    waits = Outbox._send_late
    held = asyncio.Event()

    async def held_up(self: Outbox) -> None:
        await held.wait()
        seen.append(len(self._late))
        await waits(self)

    async with Player(app.port, "Ana") as ana:
        await started(ana)
        monkeypatch.setattr(Outbox, "_send_late", held_up)
        before = ana.view
        assert before is not None
        await guess_wrong(ana, app)
        for _ in range(50):
            await ana.ask(protocol.Ping)
        for _ in range(20):
            await done(ana, protocol.Join, before.table)
        held.set()
        view = await ana.seen(lambda view: view.number > before.number + 1)
        assert view.entry == before.entry + 1
        assert max(seen) == 1, "one view waits, and never two"


@pytest.mark.usefixtures("chatter")
async def test_who_reads_nothing_is_cut_off_and_keeps_the_seat(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader whose window is shut: what waits for it is bounded, whatever is said to it."""
    monkeypatch.setattr(outbox, "STUCK", 64 * 1024)
    async with Player(app.port, "Ana") as ana:
        bob = Player(app.port, "Bob")
        await bob.connect()
        table = await ana.make(NUMBERS)
        await bob.join(table)
        assert bob.socket is not None
        session = app.lobby.sessions.known(bob.token)
        assert session is not None
        _stop_reading(bob.socket, session)
        text = "a" * 500
        while session.outbox is not None:
            await done(ana, protocol.Say, text)
            if session.outbox is not None:
                assert session.outbox._waiting() <= outbox.STUCK + 2_000
        view = await ana.seen(lambda view: not view.public["players"][1]["present"])
        assert [line["name"] for line in view.public["players"]] == ["Ana", "Bob"]
        bob.cut()
        await bob.disconnect()


def _stop_reading(socket: ClientConnection, session: Session) -> None:
    """With little room in the kernel on both sides, so that it is soon full."""
    assert session.outbox is not None
    server_side = session.outbox._websocket
    for transport, option in (
        (socket.transport, SO_RCVBUF),
        (server_side.transport, SO_SNDBUF),
    ):
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, option, 4096)
    socket.transport.pause_reading()


@pytest.mark.usefixtures("chatter")
async def test_a_stuck_reader_of_views_is_cut_off_in_time(
    app: App, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "SLOW", 0)
    async with Player(app.port, "Ana") as ana:
        bob = Player(app.port, "Bob")
        await bob.connect()
        table = await ana.make(NUMBERS)
        await bob.join(table)
        assert bob.socket is not None
        session = app.lobby.sessions.known(bob.token)
        assert session is not None
        _stop_reading(bob.socket, session)
        box = session.outbox
        assert box is not None
        while box._pump is None:
            await done(ana, protocol.Say, os.urandom(240).hex())
            await done(ana, protocol.Join, table)
        await ana.ask(protocol.Ping)  # by then it waits
        time.goes_on(outbox.PATIENCE)
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
        session = app.lobby.sessions.known(bob.token)
        assert session is not None
        assert session.outbox is not None
        broken = session.outbox._websocket.transport

        def break_down(_: object) -> None:
            raise OSError

        monkeypatch.setattr(broken, "writelines", break_down)
        await done(ana, protocol.Say, "hello")
        await ana.seen(seat_is(0, present=False))
        bob.cut()
        await bob.disconnect()
