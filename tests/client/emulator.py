"""A terminal emulator: what stands on the screen, and in which style."""

import re

READ = re.compile(r"\x1b\[([\d;]*)([A-Za-z])|(\r?\n)|([^\x1b\r\n])")
BLANK = (" ", "[]")


class Terminal:
    """Sequences that it does not know are a fault."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.cells = {(row, column): BLANK for row in range(size[1]) for column in range(size[0])}
        self.at = (0, 0)
        self.how: dict[str, str] = {}

    def feed(self, data: str) -> None:
        at = 0
        while at < len(data):
            found = READ.match(data, at)
            assert found, repr(data[at : at + 20])
            at = found.end()
            given, kind, line, letter = found.groups()
            row, column = self.at
            if line:
                self.at = row + 1, 0
            elif letter:
                assert self.at in self.cells
                self.cells[self.at] = letter, self._look(letter)
                self.at = row, column + 1
            elif kind == "C":
                self.at = row, column + int(given)
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

    def _look(self, letter: str) -> str:
        seen = self.how
        if letter == " " and not {"4", "7", "9"} & seen.keys():
            seen = {key: on for key, on in seen.items() if key == "48"}
        return str(sorted(seen.items()))
