"""The process that makes clients for players over ssh, as seen from the server.

It is started when it is needed, and again should it die. Its clients die with it: their terminals
are hung up as soon as that is noticed.
"""

import asyncio
import itertools
import logging
import os
import signal
import socket
import sys
from contextlib import suppress

import msgspec

from diadem.hosting import ASKED, TOLD, Ask, Orders

log = logging.getLogger(__name__)

KEPT = ("PATH", "HOME", "TMPDIR", "TZ", "PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH")
"""What of the server's environment a client needs to run at all."""
FIXED = {"LANG": "C.UTF-8", "PYTHONUTF8": "1", "MALLOC_ARENA_MAX": "1"}
LOST = -1
"""The exit status of a session whose nursery died."""
ENDING = ((signal.SIGHUP, 2.0), (signal.SIGTERM, 2.0), (signal.SIGKILL, 10.0))
"""Blow by blow, and how long each is waited for."""
CLOSING_SECONDS = 10.0


class Session:
    """One client process."""

    def __init__(self, nursery: "Nursery", number: int) -> None:
        self._nursery = nursery
        self.number = number
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Its exit status, negative where a signal ended it."""

    def send(self, number: signal.Signals) -> None:
        self._nursery.signal(self, number)

    async def gone_within(self, seconds: float) -> bool:
        done, _ = await asyncio.wait([self.ended], timeout=seconds)
        return bool(done)

    async def end(self) -> None:
        """Its terminal is hung up; so it is told, then pushed, and then it is killed."""
        for blow, patience in ENDING:
            if self.ended.done():
                return
            self.send(blow)
            await self.gone_within(patience)
        if not self.ended.done():
            log.error("the client of session %d cannot be killed", self.number)


class Nursery:
    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._process: asyncio.subprocess.Process | None = None
        self._line: socket.socket | None = None
        self._sessions: dict[int, Session] = {}
        self._listening: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def start(self) -> None:
        async with self._starting:
            if self._line is not None:
                return
            if self._listening is not None:
                await self._listening
            ours, theirs = socket.socketpair()
            environment = {name: os.environ[name] for name in KEPT if name in os.environ}
            with theirs:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "diadem_client.forkserver"),
                    stdin=theirs.fileno(),
                    stdout=asyncio.subprocess.DEVNULL,
                    env=environment | FIXED,
                )
            ours.setblocking(False)  # noqa: FBT003
            self._line = ours
            self._listening = asyncio.create_task(self._listen(ours, self._process))

    async def bear(self, terminal: int, orders: Orders) -> Session:
        """A client on this terminal; it has its own copy of the open file."""
        await self.start()
        session = Session(self, next(self._numbers))
        reading, writing = os.pipe()
        try:
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(msgspec.msgpack.encode(orders))
            self._sessions[session.number] = session
            self._ask(ASKED.pack(Ask.BEAR, session.number, 0), terminal, reading)
        except OSError as error:
            log.error("no client can be made: %s", error)
            self._ended(session.number, LOST)
        finally:
            os.close(reading)
        return session

    def signal(self, session: Session, number: signal.Signals) -> None:
        with suppress(OSError):  # then it is gone, or about to be
            self._ask(ASKED.pack(Ask.SIGNAL, session.number, number))

    def _ask(self, frame: bytes, *files: int) -> None:
        """A frame is small enough to go out whole, or not at all."""
        if self._line is None:
            raise BrokenPipeError
        socket.send_fds(self._line, [frame], files)

    async def _listen(self, line: socket.socket, process: asyncio.subprocess.Process) -> None:
        loop = asyncio.get_running_loop()
        heard = b""
        with suppress(OSError):
            while some := await loop.sock_recv(line, 4096):
                heard += some
                while len(heard) >= TOLD.size:
                    self._ended(*TOLD.unpack(heard[: TOLD.size]))
                    heard = heard[TOLD.size :]
        self._line = None
        line.close()
        if self._sessions:
            log.error("the process that makes clients has died, %d with it", len(self._sessions))
        for number in list(self._sessions):
            self._ended(number, LOST)
        await process.wait()

    def _ended(self, number: int, status: int) -> None:
        session = self._sessions.pop(number, None)
        if session is not None and not session.ended.done():
            session.ended.set_result(status)

    async def close(self) -> None:
        """It ends its clients, if there are any left, and itself."""
        if self._line is None or self._process is None or self._listening is None:
            return
        with suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)
        try:
            await asyncio.wait_for(asyncio.shield(self._listening), CLOSING_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._listening
