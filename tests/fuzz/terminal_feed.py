"""Whatever a player over ssh types, resizes and says of the terminal: nothing piles up, nothing is made up."""

import asyncio
import os
from contextlib import suppress

from diadem_server.gates.terminal import CHUNK, Terminal, environment

INSTRUMENTED = ("diadem_server.gates",)
SEEDS = [
    b"\x00hello\xff\x01\x50\x18\x02\x03",
    b"\x00" + b"\x1b]0;" + b"x" * 200 + b"\xff\x01\x00\x00\x00" + b"\x1b[" + b"1;" * 100 + b"\xff",
    b"\x04xterm-256color\xff\x04LANG=de_DE.UTF-8\xff\x02\x00abc\xff\x03",
]
END = b"\xff"
FEED, RESIZE, PAUSE, RESUME, SAY = range(5)


class Channel:
    def __init__(self) -> None:
        self.is_held_back = False

    def write(self, data: bytes) -> None:
        """To nobody."""

    def pause_reading(self) -> None:
        self.is_held_back = True

    def resume_reading(self) -> None:
        self.is_held_back = False


def one_input(data: bytes) -> None:
    asyncio.run(_follow(data))


async def _follow(data: bytes) -> None:
    channel = Channel()
    terminal = Terminal(channel, (80, 24))
    os.set_blocking(terminal.theirs, False)
    typed, came = b"", b""
    try:
        for step in data.split(END):
            kind, rest = step[:1] or b"\0", step[1:]
            match kind[0] % 5:
                case 0 if not channel.is_held_back:
                    terminal.feed(rest)
                    typed += rest
                case 1:
                    terminal.resize(*(rest.ljust(2, b"\0")[:2]))
                case 2:
                    terminal.pause()
                case 3:
                    terminal.resume()
                case 4:
                    name, _, value = rest.decode(errors="replace").partition("=")
                    told = environment(name, {name: value})
                    assert all(each.isprintable() for each in told.values())
                case _:
                    pass
            await asyncio.sleep(0)
            with suppress(BlockingIOError):
                came += os.read(terminal.theirs, CHUNK)
        assert len(came) <= len(typed)
    finally:
        terminal.hand_over()
        terminal.hang_up()
