"""The fork server of hosted clients: `python -m diadem_client.hosted.forkserver` loads a client and forks it.

It forks for each player, so that all clients share the memory of what is loaded. It has one thread only
and opens nothing: that is what makes forking safe. It reaps its clients, and ends them when the gate
at the other end of its standard input is gone.
"""

import fcntl
import gc
import importlib
import logging
import os
import resource
import select
import signal
import socket
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from textual import widgets

from diadem_client.games import GAMES
from diadem_client.hosted import command, sandbox
from diadem_client.hosted.gate_line import GateLine
from diadem_client.hosted.kernel import NotOffered, set_dumpable
from diadem_client.net.address import Address
from diadem_shared import games
from diadem_shared.forkserver_protocol import ASKED, CONFINED, TOLD, Layer, Request

log = logging.getLogger(__name__)

PRELOADED = (
    "diadem_client.hosted.app",
    "diadem_client.terminal.driver",
    "diadem_client.ui.screens.lobby",
    "textual.drivers.linux_driver",
    "textual.command",
)
PRELOADED_WIDGETS = (widgets.Input, widgets.Label, widgets.OptionList)
"""Each is loaded when it is first named."""
MOST_MEMORY = 256 << 20
"""The limit of one client's address space in bytes; the sandbox sets those of files."""
NICENESS = 5
"""Lower priority than the gate, which serves all players."""
TRIES, BETWEEN_TRIES = 5, 0.11
GRACE_SECONDS = 2.0
BROKEN = 1


def main() -> None:
    with suppress(OSError):  # the host may have taken away the right to
        os.nice(NICENESS)
    gc.disable()
    for module in PRELOADED:
        importlib.import_module(module)
    for registry in (games.GAMES, GAMES):
        registry.load()
    gc.collect()
    gc.freeze()
    with suppress(
        NotOffered, OSError
    ):  # no client is to look into it, should one get as far as that
        set_dumpable(dumpable=False)
    Forkserver(socket.socket(fileno=os.dup(0)), what_confines()).run()


def what_confines() -> Layer:
    """What clients will be confined by on this machine, as a process finds out that tries."""
    answer, told = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            os.write(told, bytes([sandbox.enter(Address("", opened_by=_nowhere), None)]))
        except BaseException:
            log.critical("the sandbox of hosted clients broke down", exc_info=True)
        os._exit(0)
    os.close(told)
    with os.fdopen(answer, "rb") as pipe:
        said = pipe.read()
    os.waitpid(process, 0)
    return Layer(said[0] if said else 0)


async def _nowhere() -> socket.socket:
    raise ConnectionRefusedError


class Forkserver:
    def __init__(self, gate: socket.socket, confined_by: Layer) -> None:
        self._gate = gate
        self._confined_by = confined_by
        """What every client has to be confined by."""
        self._clients: dict[int, int] = {}
        """The numbers of clients by process id."""
        self._wake, told = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _ignore_signal)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # they are for the server, whose end is ours too
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)  # clients inherit it until they can repaint

    def run(self) -> None:
        """Serve until the gate closes its end."""
        with suppress(OSError):
            self._gate.sendall(TOLD.pack(CONFINED, self._confined_by))
            while self._serve():
                pass
        self._end_all()

    def _serve(self) -> bool:
        ready, _, _ = select.select([self._gate.fileno(), self._wake], [], [])
        if self._wake in ready:
            with suppress(BlockingIOError):
                os.read(self._wake, 4096)
            self._reap()
        return self._gate.fileno() not in ready or self._handle_request()

    def _handle_request(self) -> bool:
        frame, files = _receive(self._gate)
        if len(frame) < ASKED.size:
            return False
        kind, number, signal_number = ASKED.unpack(frame)
        if kind == Request.SPAWN:
            self._spawn(number, *files)
        else:
            for process, client in self._clients.items():
                if client == number:
                    os.kill(process, signal_number)
        return True

    def _spawn(self, number: int, terminal: int, line: int) -> None:
        try:
            process = os.fork()
        except OSError as error:
            log.error("no room for another session: %s", error)
            self._gate.sendall(TOLD.pack(number, BROKEN))
        else:
            if process == 0:
                self._gate.close()
                _run_client(terminal, line, self._confined_by)
            self._clients[process] = number
        finally:
            os.close(terminal)
            os.close(line)

    def _reap(self) -> None:
        while self._clients:
            process, status = os.waitpid(-1, os.WNOHANG)
            if not process:
                return
            code = os.waitstatus_to_exitcode(status)
            self._gate.sendall(TOLD.pack(self._clients.pop(process), code))

    def _end_all(self) -> None:
        """End all clients: first by SIGTERM, then by SIGKILL."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in self._clients:
                os.kill(process, number)
            deadline = time.monotonic() + GRACE_SECONDS
            while self._clients and time.monotonic() < deadline:
                select.select([self._wake], [], [], deadline - time.monotonic())
                with suppress(BlockingIOError):
                    os.read(self._wake, 4096)
                while self._clients and (ended := os.waitpid(-1, os.WNOHANG)[0]):
                    del self._clients[ended]


def _ignore_signal(*_: Any) -> None:
    """Do nothing: the signal's byte in the wake-up pipe is what is waited for."""


def _receive(gate: socket.socket) -> tuple[bytes, list[int]]:
    frame, files = b"", list[int]()
    while len(frame) < ASKED.size:
        some, came, _flags, _from = socket.recv_fds(gate, ASKED.size - len(frame), 2)
        files += came
        if not some:
            break
        frame += some
    return frame, files


def _run_client(terminal: int, line: int, confined_by: Layer) -> None:
    """Run one client in this forked process; does not return."""
    status = BROKEN
    try:
        gate = GateLine(_set_up(terminal, line))
        orders = gate.orders()
        os.environ.clear()
        os.environ.update(orders.environment)
        status = command.play(command.from_gate(gate, orders, confined_by))
    except BaseException:
        log.critical("a hosted client broke down", exc_info=True)
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)


def _lower_priority() -> None:
    """Where Linux schedules by session (autogroup), a new session starts without the nice value of its
    processes; its own counts. Without privileges it is set at most ten times a second on the whole machine."""
    for _ in range(TRIES):
        try:
            Path("/proc/self/autogroup").write_text(str(os.nice(0)))
        except BlockingIOError:
            time.sleep(BETWEEN_TRIES)
        except OSError:
            return  # this system has none
        else:
            return


def _set_up(terminal: int, line: int) -> socket.socket:
    """Give this process its terminal, and nothing else that is open but the host's log and its line, which is returned."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    with suppress(
        NotOffered, OSError
    ):  # or its files in /proc would be root's alone, until it is confined
        set_dumpable(dumpable=True)
    _lower_priority()
    try:
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
    except OSError:
        os._exit(0)  # the player is gone already
    to_host, line = os.dup(sys.stderr.fileno()), os.dup(line)
    for standard in range(3):
        os.dup2(terminal, standard)
    _close_all_but(to_host, line)
    handler = logging.StreamHandler(os.fdopen(to_host, "w", buffering=1))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    with suppress(OSError, ValueError):  # the host may have taken away the right to
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with suppress(OSError):
        Path("/proc/self/comm").write_text("game-client")
    gc.enable()
    return socket.socket(fileno=line)


def _close_all_but(*kept: int) -> None:
    """Beyond standard input, output and error."""
    first = 3
    for each in (*sorted(kept), sandbox.MOST_FILES):
        os.closerange(first, each)
        first = each + 1


if __name__ == "__main__":
    main()
