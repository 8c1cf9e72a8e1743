"""An audit hook that refuses nearly everything, as the innermost layer of the sandbox of hosted clients.

No screen of a hosted client leads to a file, a program or another server. Should one do so by mistake, Python calls this hook
first, and the hook refuses. It stops no code that runs in this process: what the hook goes by can be changed from there.
"""

import os
import socket
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from errno import EPERM
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

from msgspec import Struct

from diadem_client.net.address import Address

DEVICES = frozenset({os.devnull, "/dev/urandom"})
REACHING_OUT = frozenset(
    {
        *("ctypes", "ftplib", "glob", "http", "imaplib", "mmap", "os"),
        *("poplib", "pty", "resource", "shutil", "smtplib", "socket", "sqlite3", "subprocess"),
        *("syslog", "tempfile", "urllib", "webbrowser"),
    }
)
"""Families of audit events that are refused unless they are named below."""
RUNNING_OTHER_CODE = frozenset(
    {
        "cpython.PyInterpreterState_New",
        "cpython.remote_debugger_script",
        "cpython.run_command",
        "cpython.run_file",
        "cpython.run_interactivehook",
        "cpython.run_module",
        "cpython.run_stdin",
        "sys.remote_exec",
    }
)
"""Events that are refused although their families are not."""
HARMLESS = frozenset({"socket.__new__"})

Check: TypeAlias = Callable[..., bool]


class Peers(Struct, frozen=True):
    """The one server that the client may connect to."""

    host: str = ""
    """"" where a gate hands over its connections, and none may be opened."""
    port: int = 0
    addresses: frozenset[str] = frozenset()

    def may_connect(self, _socket: object, address: object) -> bool:
        match address:
            case (str(host), int(port), *_):
                return port == self.port and _normal(host) in self.addresses
            case _:
                return False

    def may_look_up(self, host: object, port: object, *_: object) -> bool:
        return bool(self.host) and (host, port) == (self.host, self.port)


def peers(server: Address) -> Peers:
    """Resolve the server's addresses once, before the sandbox is entered."""
    if server.opened_by is not None:
        return Peers()
    found: set[str] = set()
    with suppress(OSError):
        results = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)
        found = {_normal(str(address[0])) for *_, address in results}
    return Peers(host=server.host, port=server.port, addresses=frozenset(found))


def _normal(host: str) -> str:
    try:
        return str(ip_address(host))
    except ValueError:
        return host


class Files:
    """Files that may be opened: those of one folder, and for reading those of the program itself."""

    def __init__(self, kept: Path | None, program: Iterable[Path]) -> None:
        self._kept = None if kept is None else os.path.realpath(kept)
        self._program = tuple(os.path.realpath(each) for each in program)

    def may_open(self, path: object, mode: object, flags: object) -> bool:
        if isinstance(path, int):
            return True  # it is open already
        real = _real(path)
        if real is None:
            return False
        if self._keeps(real):
            return True
        reads = isinstance(flags, int) and flags & (os.O_ACCMODE | os.O_CREAT | os.O_TRUNC) == 0
        return (reads and self._is_program(real)) or real in DEVICES

    def may_list(self, path: object) -> bool:
        real = _real(path)
        return real is not None and (self._keeps(real) or self._is_program(real))

    def may_load(self, _module: object, file: object, *_: object) -> bool:
        """Whether an extension module may be loaded; of Python modules the file is opened first."""
        real = None if file is None else _real(file)
        return file is None or (real is not None and self._is_program(real))

    def may_make(self, path: object, *_: object) -> bool:
        """Whether a directory may be made: in the kept folder, or on the way to it."""
        real = _real(path)
        if real is None or self._kept is None:
            return False
        return self._keeps(real) or Path(real) in Path(self._kept).parents

    def may_rename(self, source: object, target: object, *_: object) -> bool:
        paths = (_real(source), _real(target))
        return all(path is not None and self._keeps(path) for path in paths)

    def _keeps(self, real: str) -> bool:
        return self._kept is not None and _lies_in(real, self._kept)

    def _is_program(self, real: str) -> bool:
        return any(_lies_in(real, root) for root in self._program)


def _real(path: object) -> str | None:
    """The real path; None for a relative one, whose base is unknown here."""
    if not isinstance(path, str | bytes | os.PathLike):
        return None
    try:
        name = os.fsdecode(path)
        return os.path.realpath(name) if os.path.isabs(name) else None  # noqa: PTH117
    except (OSError, ValueError):
        return None


def _lies_in(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def program_folders() -> list[Path]:
    """The folders of Python's library and of loaded packages; not all of `sys.path`, which may name the
    directory that the server was started in."""
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    library = [Path(path) for path in map(sysconfig.get_paths().get, names) if path]
    packages = [
        Path(folder)
        for name, module in list(sys.modules.items())
        if "." not in name and name != "__main__"
        for folder in getattr(module, "__path__", ())
    ]
    return [*library, *packages]


def library_folders() -> list[Path]:
    """The folders of the C libraries that are loaded: those of modules that are loaded later are beside them."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return []
    paths = {line.split(maxsplit=5)[5] for line in maps.splitlines() if ".so" in line}
    return sorted({Path(path).parent for path in paths if path.startswith("/")})


def enter(server: Address, kept: Path | None) -> None:
    """Refuse, from now on, all but what playing on that server needs."""
    files, peers_ = Files(kept, program_folders()), peers(server)
    own = os.getpid()
    checks: Mapping[str, Check] = {
        "open": files.may_open,
        "import": files.may_load,
        "os.listdir": files.may_list,
        "os.scandir": files.may_list,
        "os.mkdir": files.may_make,
        "os.rename": files.may_rename,
        "os.kill": lambda process, _signal: process == own,
        "socket.connect": peers_.may_connect,
        "socket.getaddrinfo": peers_.may_look_up,
    }
    sys.dont_write_bytecode = True

    def hook(event: str, given: tuple[Any, ...]) -> None:
        check = checks.get(event)
        if check is not None:
            if not check(*given):
                _refuse()
        elif event in RUNNING_OTHER_CODE or (
            event.partition(".")[0] in REACHING_OUT and event not in HARMLESS
        ):
            _refuse()

    sys.addaudithook(hook)


def _refuse() -> NoReturn:
    """Refuse without saying what was asked for: a player may have typed it, and this may be logged."""
    raise PermissionError(EPERM, os.strerror(EPERM))
