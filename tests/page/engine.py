"""The page's modules in a JavaScript engine, without a browser."""

import json
from collections.abc import Iterable
from typing import Any

import quickjs

from diadem_server.gates.web import minify
from diadem_server.gates.web.page_files import FOLDER

MODULES = {each.name: each.read_text() for each in FOLDER.glob("*.mjs")}


class Engine:
    def __init__(self, name: str) -> None:
        """Of one module and all that it imports, as it is served."""
        self._context = quickjs.Context()
        self._context.set_memory_limit(64 << 20)
        self._context.eval(minify.script(minify.bundled(MODULES, name)))

    def run(self, code: str) -> None:
        self._context.eval(f"{code}; 0")

    def ask(self, expression: str) -> Any:
        """What it comes to, as JSON has it."""
        return json.loads(self._context.eval(f"JSON.stringify({expression})"))

    def give(self, name: str, text: str) -> None:
        self._context.set(name, text)


class Page:
    """A screen of the page, fed with bytes."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.engine = Engine("cells.mjs")
        self.engine.run(
            f"var titles = [], bells = 0, strange = [], answers = [], screen = new Screen({size[0]}, {size[1]},"
            "{ title: each => titles.push(each), bell: () => bells++,"
            " answer: each => answers.push(each), unknown: each => strange.push(each) })"
        )

    def feed(self, data: bytes, ends: Iterable[int] = ()) -> None:
        """In pieces that end there."""
        start = 0
        for end in (*sorted(ends), len(data)):
            self.engine.give("given", data[start:end].decode("latin-1"))
            self.engine.run("screen.feed(Uint8Array.from(given, each => each.charCodeAt(0)))")
            start = max(start, end)

    def resize(self, size: tuple[int, int]) -> None:
        self.engine.run(f"screen.resize({size[0]}, {size[1]})")

    @property
    def cells(self) -> list[tuple[str, int, int, int]]:
        """Row by row: a letter, the colours of its ink and its ground, its marks."""
        asked = "screen.letters.map((each, at) => [each, screen.inks[at], screen.grounds[at], screen.marks[at]])"
        return [
            (letter, ink, ground, marks) for letter, ink, ground, marks in self.engine.ask(asked)
        ]

    @property
    def lines(self) -> list[str]:
        lines: list[str] = self.engine.ask("screen.lines()")
        return lines

    @property
    def at(self) -> tuple[int, int]:
        row, column = self.engine.ask("[screen.y, screen.x]")
        return row, column

    @property
    def titles(self) -> list[str]:
        titles: list[str] = self.engine.ask("titles")
        return titles

    @property
    def answers(self) -> list[str]:
        answers: list[str] = self.engine.ask("answers")
        return answers

    @property
    def strange(self) -> list[str]:
        """Sequences that it does not know."""
        strange: list[str] = self.engine.ask("strange")
        return strange
