"""What stands on a terminal after all that was sent to it, whichever pieces it came in."""

import codecs
import re
from collections import defaultdict

from rich.cells import get_character_cell_size

TOKEN = re.compile(
    r"\x1b\[(?P<given>[0-?]*)[ -/]*(?P<kind>[@-~])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[PX^_][^\x1b]*\x1b\\|\x1b[@-OQ-WYZ\\=>78]"
    r"|(?P<line>[\r\n])|(?P<back>\x08)|(?P<text>[^\x1b\r\n])"
)


class Screen:
    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._rows: defaultdict[int, dict[int, str]] = defaultdict(dict)
        self._row = self._column = 0

    @property
    def text(self) -> str:
        return "\n".join(
            "".join(cells.get(column, " ") for column in range(max(cells, default=-1) + 1))
            for _, cells in sorted(self._rows.items())
        )

    def feed(self, data: bytes) -> None:
        said = self._rest + self._decoder.decode(data)
        at = 0
        while found := TOKEN.match(said, at):
            at = found.end()
            if found["kind"]:
                self._steer(found["kind"], found["given"])
            elif found["line"]:
                self._column = 0
                self._row += found["line"] == "\n"
            elif found["back"]:
                self._column -= 1
            elif found["text"]:
                self._write(found["text"])
        self._rest = said[at:]

    def _write(self, character: str) -> None:
        width = get_character_cell_size(character)
        for column in range(self._column, self._column + width):
            self._rows[self._row][column] = ""
        if width:
            self._rows[self._row][self._column] = character
        self._column += width

    def _steer(self, kind: str, given: str) -> None:
        if kind == "H":
            row, _, column = given.partition(";")
            self._row, self._column = int(row or 1) - 1, int(column or 1) - 1
        elif kind in "CD":
            self._column += int(given or 1) * (1 if kind == "C" else -1)
        elif kind in "AB":
            self._row += int(given or 1) * (1 if kind == "B" else -1)
        elif kind == "J":
            self._rows.clear()
