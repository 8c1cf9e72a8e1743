"""A terminal emulator: what stands on the screen, and in which style."""

import re

from rich.cells import get_character_cell_size

READ = re.compile(r"\x1b\[([\d;]*)([A-Za-z])|(\r?\n)|(\r|\x08)|([^\x1b\r\n\x08])")
BLANK = (" ", "[]")
STEPS = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}


class Terminal:
    """Sequences that it does not know are a fault."""

    def __init__(self, size: tuple[int, int], *, wide: int = 2) -> None:
        """`wide`: how many columns it takes for wide characters; terminals disagree."""
        self._wide = wide
        self.cells = {(row, column): BLANK for row in range(size[1]) for column in range(size[0])}
        self.width = size[0]
        self.at = (0, 0)
        self.how: dict[str, str] = {}

    def feed(self, data: str) -> None:
        at = 0
        while at < len(data):
            found = READ.match(data, at)
            assert found, repr(data[at : at + 20])
            at = found.end()
            given, kind, line, back, letter = found.groups()
            row, column = self.at
            if line:
                self.at = row + 1, 0
            elif back:
                assert column < self.width, "where this goes from the right edge, terminals differ"
                self.at = row, column - 1 if back == "\b" else 0
                assert self.at in self.cells
            elif letter:
                assert self.at in self.cells
                self.cells[self.at] = self._seen(letter)
                step = self._wide if get_character_cell_size(letter) == 2 else 1
                for beside in range(column + 1, min(column + step, self.width)):
                    self.cells[row, beside] = "", self.cells[self.at][1]
                self.at = row, column + step
            elif kind in STEPS:
                assert column < self.width, "where this goes from the right edge, terminals differ"
                down, across = STEPS[kind]
                self.at = row + down * int(given or 1), column + across * int(given or 1)
                assert self.at in self.cells
            elif kind == "H":
                to = [int(each or 1) - 1 for each in f"{given};".split(";")]
                self.at = to[0], to[1]
            else:
                assert kind == "m"
                self._dress([each or "0" for each in given.split(";")])

    def _dress(self, codes: list[str]) -> None:
        while codes:
            code = codes.pop(0)
            if code == "0":
                self.how = {}
            elif code in {"38", "48"}:
                kind = codes.pop(0)
                more = [codes.pop(0) for _ in range(1 if kind == "5" else 3)]
                self.how[code] = ";".join([kind, *more])
            elif code in {"39", "49", "23", "24", "27", "29"}:
                self.how.pop({"39": "38", "49": "48"}.get(code, code[1]), None)
            elif code == "22":
                self.how = {key: on for key, on in self.how.items() if key not in "12"}
            elif len(code) > 1:
                self.how["38" if code[0] in "39" else "48"] = code
            else:
                self.how[code] = "on"

    def _seen(self, letter: str) -> tuple[str, str]:
        """What an eye tells apart: a blank has no ink, and a full block hides its ground."""
        seen = self.how
        hidden = {" ": "38", "\u2588": "48"}.get(letter)
        if hidden and not {"4", "7", "9"} & seen.keys():
            seen = {key: on for key, on in seen.items() if key != hidden}
            if letter == " ":
                seen = {key: on for key, on in seen.items() if key == "48"}
        return letter, str(sorted(seen.items()))
