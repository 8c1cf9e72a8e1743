"""A message that comes by itself goes a short way; nothing may come out otherwise for that."""

import asyncio
from collections.abc import Callable

import pytest
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol

from diadem import protocol
from diadem.protocol import Refused, Said
from diadem_server.app import App
from tests.rig.wire import PATIENCE, Player
from tests.server import NUMBERS, code

LONG = "long " * 50
"""More than a frame says whose head is short."""
Pieces = Callable[[list[bytes]], list[bytes]]


def _say(id_: int, text: str) -> bytes:
    return protocol.pack(protocol.Say(id_, text))


def _frame(message: bytes, *, opcode: Opcode = Opcode.BINARY, fin: bool = True) -> bytes:
    return Frame(opcode, message, fin).serialize(mask=True)


def _unmasked(message: bytes) -> bytes:
    """Such that the message can be seen on the line: its mask is of zeros."""
    return bytes([0x82, 0x80 | len(message)]) + bytes(4) + message


async def _heard(
    player: Player, app: App, piece: bytes, so: Callable[[ServerProtocol], bool]
) -> None:
    """Send a piece, and see to it that the server has it before another comes."""
    assert player.socket is not None
    session = app.lobby.sessions.known(player.token)
    assert session is not None
    assert session.outbox is not None
    server_side = session.outbox._websocket.protocol
    player.socket.transport.write(piece)
    while not so(server_side):  # noqa: ASYNC110, nothing tells of it
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    "cut",
    [
        lambda frames: frames,
        lambda frames: [b"".join(frames)],
        lambda frames: [frame[at : at + 1] for frame in frames for at in range(len(frame))],
        lambda frames: [frames[0] + frames[1][:9], frames[1][9:], b"".join(frames[2:])],
    ],
    ids=["by themselves", "in one", "by bytes", "across"],
)
async def test_however_frames_come_they_are_heard_in_order(app: App, cut: Pieces) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(NUMBERS)
        texts = ["one", LONG, "two", "three", LONG + "four", "five"]
        frames = [_frame(_say(1000 + at, text)) for at, text in enumerate(texts)]
        assert ana.socket is not None
        for piece in cut(frames):
            ana.socket.transport.write(piece)
        await ana.until(lambda: len(_said(ana)) == len(texts))
        assert _said(ana) == [text.strip() for text in texts]


def _said(player: Player) -> list[str]:
    return [each.text for each in player.messages if isinstance(each, Said)]


async def test_what_looks_like_a_message_in_the_middle_of_another_is_none(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(NUMBERS)
        inner = _unmasked(_say(2000, "smuggled in"))
        head = bytes([0x82, 0x80 | (len(inner) + 4)]) + bytes(4) + b"1234"
        await _heard(ana, app, head, lambda protocol: bool(protocol.reader.buffer))
        assert ana.socket is not None
        ana.socket.transport.write(inner)
        refused = await ana.until(
            lambda: next((each for each in ana.messages if isinstance(each, Refused)), None)
        )
        assert code(refused) == "bad_frame"
        assert not _said(ana)


async def test_a_message_within_the_fragments_of_another_is_against_the_rules(app: App) -> None:
    async with Player(app.port, "Ana") as ana:
        await ana.make(NUMBERS)
        fragment = _frame(b"1234", fin=False)
        await _heard(ana, app, fragment, lambda protocol: protocol.current_size is not None)
        assert ana.socket is not None
        ana.socket.transport.write(_frame(_say(2000, "between")))
        async with asyncio.timeout(PATIENCE):
            await ana.socket.wait_closed()
        assert ana.socket.close_code == 1002
        assert not _said(ana)
