"""The least that a server of such tables has to do, in a process of its own.

    python -m tools.bench._yardsticks sans_io|websockets

Every command is read and answered, and all who are at the table are sent the next view of a match that
was recorded: what is public is packed once a move, what is private for each. There are no rules, no journal,
no sessions and no limits. `sans_io` carries websockets' documented protocol object on a protocol of
asyncio, `websockets` is that library's own server. The port is printed; it ends when its input does.
"""

import asyncio
import logging
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar, cast

import msgspec
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from diadem_server.gc_tuning import collect_seldom
from diadem_shared.protocol import SUBPROTOCOL as SPOKEN
from diadem_shared.protocol import Accepted, AnyCommand, TableView, pack
from tools.bench._recorded import Shown, shown

SUBPROTOCOL = Subprotocol(SPOKEN)
BACKLOG = 1_024
ENTRIES = 2_000
"""After which a table begins anew."""

C = TypeVar("C")
_commands = msgspec.msgpack.Decoder(AnyCommand)


class Table(Generic[C]):
    """Connections by seat, and the views of one table."""

    def __init__(self, code: str, recorded: Sequence[Shown]) -> None:
        self.seats: dict[int, C] = {}
        self._code = code
        self._recorded = recorded
        self._count = 0

    def play(self, frame: bytes) -> tuple[bytes, list[tuple[C, bytes]]]:
        """The answer to a command, and to whom which view is sent."""
        command = _commands.decode(frame)
        number, public, private, happened = self._recorded[self._count % len(self._recorded)]
        self._count += 1
        packed = msgspec.Raw(pack(public))
        views = [
            (
                connection,
                pack(
                    TableView(
                        self._code,
                        *(self._count, number, seat),
                        *(packed, private[seat], happened[seat]),
                    )
                ),
            )
            for seat, connection in self.seats.items()
        ]
        return pack(Accepted(command.id, number)), views


class Tables(defaultdict[str, Table[C]]):
    def __init__(self) -> None:
        self._recorded = shown(ENTRIES)
        collect_seldom()

    def __missing__(self, code: str) -> Table[C]:
        self[code] = Table(code, self._recorded)
        return self[code]


def _place(request: Request) -> tuple[str, int]:
    """Where somebody sits down: "/TABLE/SEAT"."""
    _, code, seat = request.path.split("/")
    return code, int(seat)


class SansIo(asyncio.Protocol):
    def __init__(self, tables: "Tables[SansIo]") -> None:
        self._tables = tables
        self._table: Table[SansIo] | None = None
        self._protocol = ServerProtocol(subprotocols=[SUBPROTOCOL])
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is of no such class

    def data_received(self, data: bytes) -> None:
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._let_in(event)
            elif isinstance(event, Frame) and event.opcode is Opcode.BINARY:
                self._hear(bytes(event.data))
        self.flush()

    def eof_received(self) -> None:
        self._protocol.receive_eof()

    def send(self, frame: bytes) -> None:
        self._protocol.send_binary(frame)

    def flush(self) -> None:
        if parts := self._protocol.data_to_send():
            self._transport.writelines(parts)

    def _let_in(self, request: Request) -> None:
        self._protocol.send_response(self._protocol.accept(request))
        code, seat = _place(request)
        self._table = self._tables[code]
        self._table.seats[seat] = self

    def _hear(self, frame: bytes) -> None:
        assert self._table is not None
        answer, views = self._table.play(frame)
        self.send(answer)
        for connection, view in views:
            connection.send(view)
            connection.flush()


async def sans_io() -> None:
    tables: Tables[SansIo] = Tables()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SansIo(tables), "127.0.0.1", 0, backlog=BACKLOG)
    await _until_told(server.sockets[0].getsockname()[1])


async def websockets() -> None:
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # players hang up without a word
    tables: Tables[ServerConnection] = Tables()

    async def handle(websocket: ServerConnection) -> None:
        assert websocket.request is not None
        code, seat = _place(websocket.request)
        table = tables[code]
        table.seats[seat] = websocket
        async for frame in websocket:
            assert isinstance(frame, bytes)
            answer, views = table.play(frame)
            broadcast([websocket], answer)
            for connection, view in views:
                broadcast([connection], view)

    async with serve(
        *(handle, "127.0.0.1", 0),
        subprotocols=[SUBPROTOCOL],
        compression=None,
        ping_interval=None,
        backlog=BACKLOG,
    ) as server:
        await _until_told(server.sockets[0].getsockname()[1])


async def _until_told(port: int) -> None:
    print(f"open, port {port}", flush=True)
    await asyncio.to_thread(sys.stdin.read)


KINDS: dict[str, Callable[[], Awaitable[None]]] = {"sans_io": sans_io, "websockets": websockets}
