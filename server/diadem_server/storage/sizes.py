"""How many bytes a change adds to the journal, about: what is variable, and a fixed part for keys, indexes and the page."""

import msgspec

from diadem_server.storage.changes import (
    Change,
    FinishTable,
    NewAnswer,
    NewEntry,
    NewLine,
    NewResults,
    NewSession,
    NewTable,
)

ROW = 80
"""Of a row of a small table, with its keys."""
ENTRY = 220
"""Of an entry besides what it says: digest and link are 81 bytes of it, the index of commands and the appended copy some 90."""
RESULT = 300
"""Of the result of one player, with its indexes."""


def size_of(change: Change) -> int:
    """Of what is dropped or overwritten as well, which costs a write."""
    match change:
        case NewEntry(_, row):
            return ENTRY + len(row.written)
        case NewAnswer(_, row):
            return ROW + len(row.answer)
        case NewLine(_, line):
            return ROW + len(msgspec.json.encode(line.said))
        case NewTable():
            return 2 * ROW + len(msgspec.json.encode(change.setup))
        case NewSession():
            return 2 * ROW
        case FinishTable():
            return ROW * (2 + len(change.played))
        case NewResults():
            return RESULT * len(change.lines)
        case _:
            return ROW
