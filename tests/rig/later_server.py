"""A later server: one of today behind a proxy, which adds to all it says what docs/protocol.md allows to be added (section 9)."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from diadem_shared.protocol import SUBPROTOCOL

FEATURE, GAME, LEVEL, OPTION, EVENT = "telepathy", "ludo", "dreamer", "wind", "sneezed"
"""The names of what is added."""
CLOSE_CODE = 4321
SPOKEN = [Subprotocol(SUBPROTOCOL)]
PLAIN_MAPS = {"laid"}
"""Fields that hold a map from one thing to another, in which a further key would be no further field."""
MAP: dict[str, Any] = {"deep": [1, None, {"deeper": [2.5, "x", b"y"]}]}
OPTION_LINE = {"name": OPTION, "kind": "boolean", "help": "weather.wind", "default": False}
REASON = {"code": "intuition", "about": {"later": "so it felt"}}
TABLE = {
    "table": "LUDO",
    "game": GAME,
    "names": ["Eva"],
    "seats": 6,
    "phase": "gathering",
    "rounds": 1,
    "spectators": True,
    "clock": {"type": "none"},
}
GAME_LINE: dict[str, Any] = {
    "game": GAME,
    "rules": 9,
    "least_seats": 2,
    "most_seats": 6,
    "options": [OPTION_LINE],
    "bots": ["zombie", LEVEL],
    "moves": ["roll"],
    "refusals": ["no_six"],
}


class LaterServer:
    """Passes on what clients say as it is."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self.connections = 0
        self._behind = port
        self._lines: set[ServerConnection] = set()

    async def hang_up(self) -> None:
        """Close all connections with a code that is not known yet."""
        for line in list(self._lines):
            await line.close(CLOSE_CODE, "for a reason that is not known yet")

    async def __call__(self, line: ServerConnection) -> None:
        self.connections += 1
        self._lines.add(line)
        url = f"ws://127.0.0.1:{self._behind}"
        async with connect(url, subprotocols=SPOKEN, compression=None, max_size=None) as behind:
            passing = asyncio.create_task(_pass_on(line, behind))
            with suppress(ConnectionClosed):
                async for frame in behind:
                    for each in later(msgpack.unpackb(frame)):
                        await line.send(msgpack.packb(each))
            self._lines.discard(line)
            await passing


async def _pass_on(line: ServerConnection, behind: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for frame in line:
            await behind.send(frame)
    await behind.close()


@asynccontextmanager
async def later_server(port: int) -> AsyncIterator[LaterServer]:
    """Before a server that listens at this port."""
    proxy = LaterServer(port)
    async with serve(proxy, "127.0.0.1", 0, subprotocols=SPOKEN, compression=None) as listening:
        proxy.port = next(iter(listening.sockets)).getsockname()[1]
        yield proxy


def later(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What a later server sends where today's sends this message."""
    yield {"type": "weather", "id": 1, **MAP}
    yield _with_fields(_with_more(message))
    yield {"type": "tide"}


def _with_more(message: dict[str, Any]) -> dict[str, Any]:
    """The message with more in its lists, by what it is."""
    match message:
        case {"type": "welcome"}:
            door = {"kind": "pigeon", "port": 1}
            doors = [*message["doors"], door]
            return message | {"features": [*message["features"], FEATURE], "doors": doors}
        case {"type": "view"}:
            for player in message["public"]["players"]:
                player["bot"] = player["bot"] and LEVEL
            return message | {"happened": list(_with_events(message["happened"]))}
        case {"type": "history"}:
            return message | {"happened": list(_with_events(message["happened"]))}
        case {"type": "lobby"}:
            return message | {"tables": [TABLE, *message["tables"]]}
        case {"type": "described", "description": dict(told)}:
            games = [_later_game(line) for line in told["games"]]
            return message | {"description": told | {"games": [*games, GAME_LINE]}}
        case {"type": "refused", "why": why}:
            also = [*why.get("also", ()), {"code": "bad_weather", "about": {}}]
            return message | {"why": why | {"also": also}}
        case {"type": "advised" | "explained", "moves": moves}:
            reasons = "reasons" if message["type"] == "advised" else "why"
            return message | {"moves": [m | {reasons: [REASON, *m[reasons]]} for m in moves]}
        case _:
            return message


def _with_events(happened: list[Any]) -> Iterator[dict[str, Any]]:
    """Something that nobody knows before and after each event; bots are of a level that nobody knows."""
    for each in happened:
        entry, event = each["entry"], each["event"]
        yield {"entry": entry, "event": {"type": EVENT, "seat": 0, "force": 3}}
        yield {"entry": entry, "event": event | ({"bot": LEVEL} if event.get("bot") else {})}
        yield {"entry": entry, "event": {"type": EVENT, "seat": "all", **MAP}}


def _later_game(line: dict[str, Any]) -> dict[str, Any]:
    return line | {
        "options": [*line["options"], OPTION_LINE],
        "bots": [*line["bots"], LEVEL],
        "moves": [*line["moves"], "teleport"],
        "refusals": [*line["refusals"], "bad_weather"],
        "reasons": [*line["reasons"], REASON["code"]],
    }


def _with_fields(value: Any, name: str = "") -> Any:
    """Each map within has a field more: `options` an option, and `about` a key of what it tells."""
    match value:
        case dict() if name not in PLAIN_MAPS:
            whole = {key: _with_fields(each, key) for key, each in value.items()}
            return whole | ({OPTION: True} if name == "options" else {"later": _field_of(name)})
        case list():
            return [_with_fields(each) for each in value]
        case _:
            return value


def _field_of(name: str) -> Any:
    return "so it was" if name == "about" else MAP
