"""Players of a recorded match over bare sockets, at many tables at once: some 25 microseconds a move, so
that the server is what is measured."""

import gc
import select
import socket
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from os import urandom
from time import perf_counter
from typing import Any, Protocol

import msgpack

from diadem_shared import protocol
from diadem_shared.protocol import SUBPROTOCOL, Command, Hello
from tools.bench._figures import Slice
from tools.bench._recorded import PLAYERS, SETUP, Made, made

FIN_BINARY = 0x82
PING, PONG = 0x89, 0x8A
MASKED = 0x80
NO_MASK = bytes(4)
"""A mask of zeros leaves the payload as it is."""
END_OF_HEAD = b"\r\n\r\n"
VIEW, ACCEPTED = b"\xa4type\xa4view", b"\xa4type\xa8accepted"
TIMEOUT = 60.0
FIRST_PLAY = 1 << 16
"""An id, from which on all take four bytes."""
MOST_READ = 1 << 18
QUIET_SECONDS = 0.3

Wanted = Callable[[dict[str, Any]], Any]


class Connection:
    def __init__(self, port: int, path: str, address: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.table: Table | None = None
        self.unread = b""
        self.token = ""
        self.views = self.view_bytes = 0
        self.commands = 0
        key = b64encode(urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"X-Forwarded-For: {address}\r\n"
            f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode()
        )

    def shake_hands(self) -> None:
        while END_OF_HEAD not in self.unread:
            self._read()
        head, _, self.unread = self.unread.partition(END_OF_HEAD)
        assert b" 101 " in head.partition(b"\r\n")[0], head

    def send(self, payload: bytes, opcode: int = FIN_BINARY) -> None:
        self.socket.sendall(_masked(payload, opcode))

    def command(self, kind: Callable[..., Command], *given: object) -> None:
        self.commands += 1
        self.send(protocol.pack(kind(self.commands, *given)))

    def wait(self, wanted: Wanted) -> dict[str, Any]:
        """The next message that is wanted."""
        while True:
            for frame in self._frames():
                message: dict[str, Any] = msgpack.unpackb(frame)
                assert message["type"] != "refused", message
                if wanted(message):
                    return message
            self._read()

    def count_views(self) -> int:
        """How many have come; that nothing was refused is looked at, and no more."""
        data = self.socket.recv(MOST_READ)
        assert data, "the server hung up"
        if self.unread:
            data = self.unread + data
        at, size, views = 0, len(data), 0
        while size - at >= 2:
            start, length = at + 2, data[at + 1]
            if length == 126:
                start, length = at + 4, int.from_bytes(data[at + 2 : at + 4], "big")
            end = start + length
            if end > size:
                break
            if data.startswith(VIEW, start + 1):
                views += 1
                self.view_bytes += length
            elif data[at] == PING:
                self.send(data[start:end], PONG)
            else:
                assert data.startswith(ACCEPTED, start + 1), data[start:end]
            at = end
        self.unread = data[at:] if at < size else b""
        self.views += views
        return views

    def _frames(self) -> Iterable[bytes]:
        """Those that are here already, one at a time: what comes after one is looked at later."""
        while len(self.unread) >= 2:
            start, length = 2, self.unread[1]
            if length == 126:
                start, length = 4, int.from_bytes(self.unread[2:4], "big")
            if len(self.unread) < start + length:
                return
            opcode, frame = self.unread[0], self.unread[start : start + length]
            self.unread = self.unread[start + length :]
            if opcode == PING:
                self.send(frame, PONG)
            else:
                yield frame

    def _read(self) -> None:
        data = self.socket.recv(MOST_READ)
        assert data, "the server hung up"
        self.unread += data


class Measured(Protocol):
    """A server, or several that are one."""

    @property
    def port(self) -> int: ...

    @property
    def processor(self) -> float: ...


class Table:
    """Each move is made when everybody has seen the one before."""

    def __init__(self, connections: Sequence[Connection]) -> None:
        self.connections = connections
        self.missing = 0
        """Views of the last move that somebody has not seen yet."""
        self.sent = 0.0
        self._next = 0
        for connection in connections:
            connection.table = self

    @property
    def is_over(self) -> bool:
        return self._next == len(made())

    def move(self) -> None:
        seat, frame = self._frame()
        self.missing = PLAYERS
        self.sent = perf_counter()
        self.connections[seat].socket.send(frame)

    def _frame(self) -> tuple[int, bytes]:
        entry = made()[self._next]
        self._next += 1
        head, tail = _parts(entry)
        return entry.seat, head + (FIRST_PLAY + self._next).to_bytes(4, "big") + tail


class Load:
    """The players at one server. A yardstick has no sessions and no seats: there they sit at once."""

    def __init__(
        self,
        server: Measured,
        *,
        is_yardstick: bool = False,
        port_of: Callable[[int, int], int] | None = None,
    ) -> None:
        """`port_of` says where a seat of a table comes in, where that is not the same for all."""
        self.server = server
        self._port_of = port_of or (lambda _table, _seat: server.port)
        self.tables: list[Table] = []
        self.guests: list[Connection] = []
        self._is_yardstick = is_yardstick
        self._by_descriptor: dict[int, Connection] = {}
        self._poll = select.epoll()

    def come(self, tables: int) -> float:
        """Players for so many tables, all at once. Seconds until all are welcome."""
        started = perf_counter()
        places = [(table, seat) for table in range(tables) for seat in range(PLAYERS)]
        self.guests = [
            self._connection(self._port_of(table, seat), table, seat) for table, seat in places
        ]
        for guest, (table, seat) in zip(self.guests, places, strict=True):
            guest.shake_hands()
            if not self._is_yardstick:
                guest.send(protocol.pack(Hello(f"player {table} {seat}")))
        if not self._is_yardstick:
            for guest in self.guests:
                guest.token = guest.wait(_welcomed)["token"]
        for guest in self.guests:
            self._listen_to(guest)
        return perf_counter() - started

    def _listen_to(self, guest: Connection) -> None:
        self._by_descriptor[guest.socket.fileno()] = guest
        self._poll.register(guest.socket, select.EPOLLIN)

    def bring_makers(self, port: int) -> None:
        """Whoever made a table comes back to it by another server."""
        for number, table in enumerate(self.tables):
            older = table.connections[0]
            self._poll.unregister(older.socket)
            del self._by_descriptor[older.socket.fileno()]
            older.socket.close()
            maker = self._connection(port, number, 0)
            maker.commands = older.commands
            maker.shake_hands()
            maker.send(protocol.pack(Hello(f"player {number} 0", token=older.token)))
            code = maker.wait(_welcomed)["table"]
            maker.command(protocol.Join, code)
            maker.wait(_has_seat)
            maker.table = table
            table.connections = (maker, *table.connections[1:])
            self.guests[self.guests.index(older)] = maker
            self._listen_to(maker)
        self._settle()

    def _settle(self) -> None:
        """Hear what others are told of those who went and came, until nothing more comes."""
        while found := self._poll.poll(QUIET_SECONDS):
            for descriptor, _ in found:
                self._by_descriptor[descriptor].count_views()

    def _connection(self, port: int, table: int, seat: int) -> Connection:
        return Connection(port, f"/{table}/{seat}", f"10.{table >> 8}.{table & 255}.1")

    def sit_down(self, tables: int) -> None:
        """Those who came first. What is done at one table is done at all before anybody waits."""
        fours = [self.guests[at : at + PLAYERS] for at in range(0, tables * PLAYERS, PLAYERS)]
        if not self._is_yardstick:
            for four in fours:
                four[0].command(protocol.Make, SETUP)
            codes = [four[0].wait(_is_view)["table"] for four in fours]
            for seat in range(1, PLAYERS):
                for four, code in zip(fours, codes, strict=True):
                    four[seat].command(protocol.Join, code)
                for four in fours:
                    four[seat].wait(_is_view)
                    four[seat].command(protocol.Sit)
                for four in fours:
                    four[seat].wait(_has_seat)
            for four in fours:
                for connection in four[:-1]:
                    connection.wait(_is_full)
        self.tables = [Table(four) for four in fours]

    def hear(self) -> None:
        """Whatever was sent between two slices: servers ask whether somebody is there."""
        for descriptor, _ in self._poll.poll(0):
            assert self._by_descriptor[descriptor].count_views() == 0

    def play(self, seconds: float = 0.0, most: int = 1 << 30) -> Slice:
        """For so long, or so many moves a table, or until a match is over."""
        poll, by_descriptor, clock = self._poll, self._by_descriptor, perf_counter
        latencies: list[float] = []
        gc.collect()
        processor, started = self.server.processor, clock()
        until = started + (seconds or TIMEOUT)
        running, most = len(self.tables), most * len(self.tables)
        for each in self.tables:
            each.move()
        while running:
            for descriptor, _ in poll.poll():
                connection = by_descriptor[descriptor]
                views = connection.count_views()
                if (table := connection.table) is None:
                    continue
                table.missing -= views
                if table.missing == 0:
                    now = clock()
                    latencies.append(now - table.sent)
                    if now >= until or table.is_over or len(latencies) + running > most:
                        running, until = running - 1, now
                        table.missing = -1
                    else:
                        table.move()
        return Slice(
            len(latencies), clock() - started, self.server.processor - processor, latencies
        )

    @property
    def bytes_a_view(self) -> float:
        views = sum(guest.views for guest in self.guests)
        return sum(guest.view_bytes for guest in self.guests) / max(1, views)

    def close(self) -> None:
        self._poll.close()
        for guest in self.guests:
            guest.socket.close()


def _masked(payload: bytes, opcode: int = FIN_BINARY) -> bytes:
    size = len(payload)
    length = bytes([MASKED | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([opcode]) + length + NO_MASK + payload


_known: dict[Made, tuple[bytes, bytes]] = {}


def _parts(entry: Made) -> tuple[bytes, bytes]:
    """Of the frame, what comes before the id and after it."""
    if entry not in _known:
        head, _, tail = _masked(protocol.pack(entry.command(FIRST_PLAY))).partition(
            FIRST_PLAY.to_bytes(4, "big")
        )
        _known[entry] = head, tail
    return _known[entry]


def _welcomed(message: dict[str, Any]) -> bool:
    return bool(message["type"] == "welcome")


def _is_view(message: dict[str, Any]) -> bool:
    return bool(message["type"] == "view")


def _has_seat(message: dict[str, Any]) -> bool:
    return _is_view(message) and message["seat"] is not None


def _is_full(message: dict[str, Any]) -> bool:
    return _is_view(message) and message["entry"] == PLAYERS
