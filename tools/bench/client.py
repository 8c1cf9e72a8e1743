"""The client on a terminal: its start, what a key costs, its memory.

The yardstick of the start is Python with Textual imported and nothing more. `--against FOLDER` measures
another checkout (with a `.venv` that is ready, both compiled) in turn with this one, which tells whether a change made
the client slower even where the machine itself is not steady.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from tools.bench._screen import on_a_terminal

ROUNDS = 5
KEYS = 100
MOVES = (b"\x1b[C", b"\x1b[D")
HERE = Path(sys.executable).parent
TICKS = os.sysconf("SC_CLK_TCK")


class Figures(NamedTuple):
    start: float
    """Seconds from the command to the board."""
    processor: float
    """Seconds of processor time of the client until then."""
    key: float
    """Seconds of processor time a key."""
    sent: float
    """Bytes to the terminal a key."""
    memory: float
    """Megabytes, what is shared divided among those who share it."""


def run(against: Path | None = None) -> Iterator[str]:
    folders = {"here": HERE} | ({"against": against / ".venv/bin"} if against else {})
    taken: dict[str, list[Figures]] = {name: [] for name in folders}
    textual = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        subprocess.run([HERE / "python", "-c", "import textual.app"], check=True)
        textual.append(perf_counter() - begun)
        for name, folder in folders.items():
            taken[name].append(_measure(folder / "game-client"))
    middle = {
        name: Figures(*(median(each) for each in zip(*figures, strict=True)))
        for name, figures in taken.items()
    }
    for name, figures in middle.items():
        yield (
            f"{name}: board after {figures.start:.2f} s ({figures.start / median(textual):.1f} times"
            f" `import textual.app`), {figures.processor:.2f} s of processor; a key"
            f" {figures.key * 1000:.1f} ms of processor and {figures.sent:.0f} bytes;"
            f" {figures.memory:.1f} MB"
        )
    if against:
        ratios = zip(Figures._fields, middle["here"], middle["against"], strict=True)
        yield "here / against: " + ", ".join(f"{name} {a / b:.2f}" for name, a, b in ratios)


BEFORE = b"to begin"
"""Read before the first round by a client that lets the player begin."""


def _measure(client: Path) -> Figures:
    with TemporaryDirectory() as home:
        kept = {f"XDG_{each}_HOME": home for each in ("CONFIG", "STATE", "DATA", "CACHE")}
        options = ("--solo", "diamino-bonus", "--name", "Ana", "--lang", "en")
        begun = perf_counter()
        with on_a_terminal(str(client), *options, **kept) as screen:
            if screen.reads(b"Reserve", BEFORE) == BEFORE:
                screen.press(b"\r")
                screen.reads(b"Reserve")
            start = perf_counter() - begun
            screen.settle()
            processor, sent = _processor(screen.process), 0
            for number in range(KEYS):
                screen.press(MOVES[number % 2])
                sent += screen.settle()
            key = (_processor(screen.process) - processor) / KEYS
            memory = _memory(screen.process)
    return Figures(start, processor, key, sent / KEYS, memory)


def _processor(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _memory(process: int) -> float:
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    return int(rollup.partition("Pss:")[2].split()[0]) / 1024
