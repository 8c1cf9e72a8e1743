"""Whatever is sent, the server stays up and the others play on: loopback only, every loop bounded."""

import asyncio
import gc
import random
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import ReferenceType, ref

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from diadem_server.app import App
from diadem_server.net.admission import Admission
from diadem_server.net.websocket import MESSAGE_READ, WebSocket
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.protocol import MAX_FRAME, SUBPROTOCOL, BadFrame, Bye, Hello, Refused, Welcome
from tests.patience import PATIENCE
from tests.rig.wire import UPGRADE, Player, play_to_the_end, server

DIAMONIAK = Setup("diamoniak", options={"youngest": 0})
HALF_OPEN = 1_000
ELSEWHERE = "127.0.0.2"
"""An address of this machine too, but not the one that players have."""
MANY = 20_000
"""Frames written at once."""

EVERY_COMMAND: tuple[protocol.Command, ...] = (
    protocol.WatchLobby(1, on=True),
    protocol.Make(2, DIAMONIAK),
    protocol.Join(3, "ABCD"),
    protocol.Change(4, DIAMONIAK),
    protocol.Ready(5, ready=True),
    protocol.Play(6, "draw"),
    protocol.Check(7, {"H8": "A"}),
    protocol.Say(8, "hello"),
    protocol.GetHistory(9, before=5),
    protocol.Remove(10, 1),
    protocol.AddBot(11, "zombie"),
    protocol.Kick(12, "Bob"),
    protocol.Ban(13, "Bob", on=True),
    protocol.Mute(14, "Bob", on=False),
    protocol.SetPause(15, 0),
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text()
    | st.binary()
)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(frame: bytes) -> None:
    _read_or_refused(frame)


@given(ANYTHING)
def test_any_message_is_read_or_refused(message: Any) -> None:
    _read_or_refused(msgpack.packb(message))


@given(st.sampled_from(EVERY_COMMAND), st.data())
def test_any_command_with_a_field_that_is_wrong_is_read_or_refused(
    command: protocol.Command, data: st.DataObject
) -> None:
    plain = msgpack.unpackb(protocol.pack(command))
    field = data.draw(st.sampled_from(sorted(plain)) | st.text(max_size=5))
    _read_or_refused(msgpack.packb(plain | {field: data.draw(ANYTHING)}))


def test_what_is_deep_large_or_odd_is_refused() -> None:
    deep = b"\x91" * 5_000 + b"\xc0"
    nested = b"\x82\xa4type\xa5check\xa5draft" + b"\x81\xa1a" * 2_000 + b"\xc0"
    bomb = b"\xdd\xff\xff\xff\xff"
    odd = msgpack.packb({"type": "play", "id": 1, "move": msgpack.ExtType(5, b"x")})
    ancient = msgpack.packb({"type": "ping", "id": msgpack.Timestamp(0, 0)})
    for frame in (deep, nested, bomb, odd, ancient, b"\xc0" * (MAX_FRAME + 1)):
        assert not _read_or_refused(frame)


def _read_or_refused(frame: bytes) -> bool:
    with suppress(BadFrame):
        protocol.read_command(frame)
        return True
    with pytest.raises(BadFrame) as bad:
        protocol.read_command(frame)
    answer = Refused(bad.value.id, bad.value.refusal)
    assert protocol.read_message(protocol.pack(answer)) == answer
    return False


# Against a server where others play


@asynccontextmanager
async def honest(folder: Path, **given: Any) -> AsyncIterator[tuple[App, Player, Player]]:
    """Ana and Bob at a table; whatever happens in between, they play to the end."""
    async with (
        server(folder, **given) as app,
        Player(app.port, "Ana") as ana,
        Player(app.port, "Bob") as bob,
    ):
        table = await ana.make(DIAMONIAK)
        await bob.join(table)
        await ana.ask(protocol.Start)
        yield app, ana, bob
        await play_to_the_end(ana, bob)
        assert ana.view is not None
        assert ana.view.number > 1


async def _line(app: App) -> ClientConnection:
    url = f"ws://127.0.0.1:{app.port}"
    return await connect(url, subprotocols=[Subprotocol(SUBPROTOCOL)], max_queue=None)


def _mutated(chance: random.Random) -> Iterator[bytes]:
    """Real frames with a byte changed, cut, doubled, or in another's stead."""
    for command in EVERY_COMMAND:
        frame = bytearray(protocol.pack(command))
        place = chance.randrange(len(frame))
        match chance.randrange(4):
            case 0:
                frame[place] = chance.randrange(256)
            case 1:
                del frame[place:]
            case 2:
                frame[place:place] = frame[:place]
            case _:
                frame[place] ^= 1 << chance.randrange(8)
        yield bytes(frame)


@pytest.mark.slow
async def test_mutated_frames(tmp_path: Path) -> None:
    async with honest(tmp_path, max_per_address=500) as (app, *_):
        for seed in range(60):
            line = await _line(app)
            with suppress(ConnectionClosed):
                if seed % 2:
                    await line.send(protocol.pack(Hello(f"Cem {seed}")))
                for frame in _mutated(random.Random(seed)):
                    await line.send(frame)
                await line.send(protocol.pack(protocol.Ping(10**6)))
            await line.close()


async def test_text_frames_and_frames_too_large(tmp_path: Path) -> None:
    async with honest(tmp_path) as (app, *_), Player(app.port, "Cem") as cem:
        assert cem.socket is not None
        await cem.socket.send("hello?")
        refused = await cem.until(
            lambda: next((m for m in cem.messages if isinstance(m, Refused)), None)
        )
        assert refused.why.code == "bad_frame"
        with suppress(ConnectionClosed):
            await cem.socket.send(b"\x00" * (MAX_FRAME + 1))
        bye = await cem.until(lambda: next((m for m in cem.messages if isinstance(m, Bye)), None))
        assert bye.why.code == "frame_too_long"
        await cem.socket.wait_closed()
        assert cem.socket.close_code == 1009


@pytest.mark.slow
async def test_a_flood_is_turned_off_and_nobody_else_is(tmp_path: Path) -> None:
    async with (
        honest(tmp_path, commands_a_second=20.0, burst=500) as (app, *_),
        Player(app.port, "Cem") as cem,
    ):
        assert cem.socket is not None
        with suppress(ConnectionClosed):
            for number in range(1, 5_000):
                await cem.socket.send(protocol.pack(protocol.Ping(number)))
        bye = await cem.until(lambda: next((m for m in cem.messages if isinstance(m, Bye)), None))
        assert bye.why.code == "too_fast"
        cem.cut()


@pytest.mark.slow
@pytest.mark.parametrize(
    "frame",
    [Frame(Opcode.PING, b""), Frame(Opcode.PONG, b""), Frame(Opcode.BINARY, b"")],
    ids=["pings", "pongs", "messages"],
)
async def test_a_flood_of_small_frames_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, frame: Frame
) -> None:
    """All of it would take a third of a second, and control frames meet no other limit."""
    async with honest(tmp_path, commands_a_second=20.0, burst=500) as (app, ana, _):
        line = await _line(app)
        await line.send(protocol.pack(Hello("Cem")))
        with reads(monkeypatch) as read:
            line.transport.write(frame.serialize(mask=True) * MANY)
            assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
            assert isinstance(protocol.read_message(await line.recv()), Welcome)
            last: object = None
            with suppress(ConnectionClosed):
                async for message in line:
                    last = protocol.read_message(message)
            assert isinstance(last, Bye)
            assert sum(read) < len(frame.serialize(mask=True)) * MANY / 10


@contextmanager
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The size of each read, of all connections."""
    read: list[int] = []
    update = WebSocket.buffer_updated

    def counted(websocket: WebSocket, nbytes: int) -> None:
        read.append(nbytes)
        update(websocket, nbytes)

    with monkeypatch.context() as patch:
        patch.setattr(WebSocket, "buffer_updated", counted)
        yield read


@pytest.mark.slow
async def test_haste_is_told_of_however_much_comes_at_once(tmp_path: Path) -> None:
    async with (
        honest(tmp_path, commands_a_second=20.0, burst=500) as (app, *_),
        Player(app.port, "Cem") as cem,
    ):
        assert cem.socket is not None
        ping = Frame(Opcode.BINARY, protocol.pack(protocol.Ping(1))).serialize(mask=True)
        cem.socket.transport.write(ping * MANY)
        bye = await cem.until(lambda: next((m for m in cem.messages if isinstance(m, Bye)), None))
        assert bye.why.code == "too_fast"
        await cem.socket.wait_closed()


@pytest.mark.slow
async def test_what_is_received_does_not_pile_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood stays with the system, and so with whoever sends it."""
    rubbish = Frame(Opcode.BINARY, b"\xc1").serialize(mask=True)
    async with honest(tmp_path) as (app, *_), Player(app.port, "Cem") as cem:
        assert cem.socket is not None
        with reads(monkeypatch) as read:
            cem.socket.transport.write(rubbish * MANY * 10)
            await cem.until(lambda: any(isinstance(each, Bye) for each in cem.messages))
            assert sum(read) < 8 * MESSAGE_READ
            await cem.socket.wait_closed()
            assert sum(read) < len(rubbish) * MANY, "nor is it all thrown away by the server"


@pytest.mark.parametrize("said", [b"", UPGRADE[:20], UPGRADE, b"GET /healthz HTTP/1.1\r\n\r\n"])
async def test_of_a_line_that_is_lost_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    """Not even until garbage is collected: in a flood that would be a lot at once, and take long."""
    lines: list[ReferenceType[WebSocket]] = []
    lose = WebSocket.connection_lost

    def noted(line: WebSocket, error: Exception | None) -> None:
        lines.append(ref(line))
        lose(line, error)

    async with honest(tmp_path) as (app, ana, _):
        monkeypatch.setattr(WebSocket, "connection_lost", noted)
        gc.disable()
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", app.port)
            writer.write(said)
            assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
            writer.transport.abort()
            async with asyncio.timeout(PATIENCE):
                while not lines or lines[0]() is not None:
                    assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
        finally:
            gc.enable()


@pytest.mark.slow
async def test_who_hangs_up_in_the_midst_of_a_flood_is_heard_no_further(tmp_path: Path) -> None:
    troubles: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, trouble: troubles.append(trouble))
    ping = Frame(Opcode.BINARY, protocol.pack(protocol.Ping(1))).serialize(mask=True)
    async with honest(tmp_path) as (app, *_):
        for turns in range(10):
            async with Player(app.port, f"Cem {turns}") as cem:
                assert cem.socket is not None
                cem.socket.transport.write(ping * MANY)
                for _ in range(turns):
                    await asyncio.sleep(0)
                cem.cut()
    assert not troubles


@pytest.mark.slow
async def test_who_sends_on_after_a_frame_too_large_is_cut(tmp_path: Path) -> None:
    """A library would hang up by itself, so this one is written by hand."""
    async with (
        honest(tmp_path, commands_a_second=20.0, burst=500) as (app, *_),
        asyncio.timeout(PATIENCE),
    ):
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(UPGRADE)
        assert b" 101 " in await reader.readline()
        writer.write(Frame(Opcode.BINARY, protocol.pack(Hello("Cem"))).serialize(mask=True))
        too_large = Frame(Opcode.BINARY, bytes(MAX_FRAME + 1)).serialize(mask=True)
        with pytest.raises(ConnectionError):
            await _send_for_ever(writer, too_large)
        writer.close()


async def _send_for_ever(writer: asyncio.StreamWriter, frame: bytes) -> None:
    while True:
        writer.write(frame)
        await writer.drain()


@pytest.mark.slow
async def test_half_open_handshakes(tmp_path: Path) -> None:
    """A crowd from elsewhere keeps nobody out, and is forgotten when it is gone."""
    async with honest(tmp_path) as (app, ana, _):
        await _a_crowd_comes_and_goes(app)
        await _until_nobody_waits(app, ana)


@pytest.mark.slow
async def test_an_admission_that_forgets_nobody_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Admission, "end", lambda *_: None)
    async with honest(tmp_path) as (app, ana, _):
        await _a_crowd_comes_and_goes(app)
        with pytest.raises(AssertionError):
            await _until_nobody_waits(app, ana)


async def _a_crowd_comes_and_goes(app: App) -> None:
    with ExitStack() as stack:
        for number in range(HALF_OPEN):
            one = stack.enter_context(socket.socket())
            one.bind((ELSEWHERE, 0))
            one.setblocking(False)  # noqa: FBT003, a flag of its own
            one.connect_ex(("127.0.0.1", app.port))
            with suppress(OSError):
                one.send(b"GET / HTTP/1.1\r\nHost: diadem\r\n"[: number % 30])
        async with Player(app.port, "Cem") as cem:
            assert cem.token


async def _until_nobody_waits(app: App, ana: Player) -> None:
    for _ in range(HALF_OPEN):
        # Meanwhile the server's loop goes round.
        assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
        if _as_many_as_may_come_again(app):
            return
    raise AssertionError("who is gone still counts as pending")


def _as_many_as_may_come_again(app: App) -> bool:
    who = [(ELSEWHERE, port) for port in range(app.config.max_per_address)]
    begun = [app.admission.begin(each) for each in who]
    for each in who:
        app.admission.end(each)
    return all(begun)


async def test_what_is_not_http_at_all(tmp_path: Path) -> None:
    async with honest(tmp_path) as (app, *_):
        for said in (b"\x16\x03\x01" * 50, b"\r\n" * 500, b"GET " + b"/" * 20_000, b"\xff" * 3_000):
            reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
            writer.write(said)
            with suppress(ConnectionError):
                writer.write_eof()
                await reader.read()
            writer.close()


async def test_other_peoples_seats_and_ids(tmp_path: Path) -> None:
    """Out of turn, from no seat, with ids seen before, and with every token but the right one."""
    async with honest(tmp_path) as (app, ana, bob):
        assert ana.view is not None
        table, before = ana.view.table, app.lobby.tables[ana.view.table].match
        async with Player(app.port, "Cem") as cem:
            await cem.join(table)
            for number in range(1, 40):
                play = protocol.Play(1_000 + number, "draw")
                answer = await cem.ask_again(play)
                assert answer.why.code == "no_seat"
                slip = await cem.ask_again(protocol.Play(play.id, "stop"))
                assert slip.why.code == "id_reused"
                assert await cem.ask_again(play) == answer
        waiting = bob if before.actors == (0,) else ana
        assert (await waiting.play("draw")).why.code == "not_your_turn"
        for token in ("", "x", ana.token[:-1], ana.token + "x", ana.token.swapcase(), "é" * 90):
            thief = Player(app.port, "Dee")
            thief.token = token
            welcome = await thief.connect()
            assert getattr(welcome, "table", None) is None
            await thief.disconnect()
        assert app.lobby.tables[table].match is before
