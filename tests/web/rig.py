"""A server in this process, its web gate in another, and players who come as the page lets them."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from diadem_server.config import WebConfig
from diadem_server.gates import kinds
from diadem_server.gates.supervisor import Supervisor
from tests.patience import PATIENCE
from tests.rig.gates import GateHost, Shown
from tests.rig.wire import server

PLENTY: dict[str, Any] = {
    "connections_a_second": 1e6,
    "sessions_a_second": 1e6,
    "most": 100,
    "most_per_address": 100,
}


@asynccontextmanager
async def host(
    data: Path, app: dict[str, Any] | None = None, **web: Any
) -> AsyncIterator[GateHost]:
    """The gate has as much of the processor as the test: beside many others it would starve."""
    async with (
        server(data, **(app or {})) as running,
        Supervisor(kinds.web(WebConfig(0, **(PLENTY | web)), running), running) as gate,
    ):
        made = GateHost(running, gate)
        made.keep_up()
        yield made


class Got(NamedTuple):
    """An answer over HTTP."""

    status: int
    headers: dict[str, str]
    """By names in lower case."""
    body: bytes

    @property
    def cookie(self) -> str:
        """As the browser sends it back."""
        return self.headers["set-cookie"].partition(";")[0]


async def get(
    port: int,
    path: str = "/",
    headers: dict[str, str] | None = None,
    *,
    method: str = "GET",
    tls: ssl.SSLContext | None = None,
    source: str = "127.0.0.1",
) -> Got:
    lines = {"Host": f"127.0.0.1:{port}", "Connection": "close"} | (headers or {})
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    said = f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode()
    return await said_to(port, said, tls=tls, source=source)


async def said_to(
    port: int,
    said: bytes,
    *,
    tls: ssl.SSLContext | None = None,
    name: str | None = None,
    source: str = "127.0.0.1",
) -> Got:
    """What is answered to these bytes, by whoever has a certificate for that name."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=tls, server_hostname=name, local_addr=(source, 0)
        )
        try:
            writer.write(said)
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.transport.abort()
    status, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (each.partition(": ") for each in lines)}
    return Got(int(status.split()[1]), headers, body)


class Window(Shown):
    """A window of a browser that shows the page."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__()
        self.socket = socket
        self.welcome: dict[str, Any] = {}
        self.messages = 0
        """Of the terminal's bytes."""
        self.heard_at = 0.0
        """When the last of them came."""
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for message in self.socket:
                if isinstance(message, bytes):
                    self.messages += 1
                    self.heard_at = perf_counter()
                    self.take(message)
                else:
                    self.welcome = json.loads(message)
        except ConnectionClosed:
            pass

    async def press(self, keys: str) -> None:
        await self.socket.send(keys.encode())

    async def resize(self, columns: int, rows: int) -> None:
        await self.socket.send(json.dumps({"size": [columns, rows]}))

    async def cut(self) -> None:
        """Lose the line without a word."""
        self.socket.transport.abort()
        await self._reading

    async def closed(self) -> int | None:
        """Why the gate closed, once it has."""
        async with asyncio.timeout(PATIENCE):
            await self._reading
        return self.socket.close_code

    async def quit(self) -> int | None:
        await self.press("\x11")
        return await self.closed()


async def new_cookie(port: int) -> str:
    return (await get(port)).cookie


async def socket(port: int, cookie: str, **given: Any) -> ClientConnection:
    """As the page opens it, but for what is given."""
    headers = {"Cookie": cookie} if cookie else {}
    headers |= given.pop("headers", {})
    scheme = "wss" if "ssl" in given else "ws"
    origin = f"http{scheme[2:]}://127.0.0.1:{port}"
    return await connect(
        f"{scheme}://127.0.0.1:{port}/ws",
        additional_headers=headers,
        **({"origin": Origin(origin), "compression": None, "max_size": None} | given),
    )


def hello(name: str = "ana", **given: Any) -> str:
    return json.dumps({"v": 1, "name": name, "lang": "en", "size": [80, 24]} | given)


@asynccontextmanager
async def window(
    port: int,
    name: str = "ana",
    cookie: str | None = None,
    tls: ssl.SSLContext | None = None,
    **said: Any,
) -> AsyncIterator[Window]:
    """A window of a browser; of a new one, if it brings no cookie."""
    given = {} if tls is None else {"ssl": tls}
    async with await socket(port, cookie or await new_cookie(port), **given) as line:
        await line.send(hello(name, **said))
        shown = Window(line)
        yield shown
    await shown.closed()
