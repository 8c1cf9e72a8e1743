"""Which entry of each table is the newest, so that none is written twice."""

from collections.abc import Callable, Iterable

from diadem_server.storage.changes import Change, DropTable, FinishTable, NewEntry, NewTable


class WrittenTwice(Exception):
    """A table has an entry of that number already."""


class EntryNumbers:
    """Keeps entries unique in a journal that appends them without an index. Tables are forgotten when they
    are over or dropped."""

    def __init__(self, newest: Callable[[str], int]) -> None:
        self._look_up = newest
        """Looks up the newest entry of a table that is not known here."""
        self._newest: dict[str, int] = {}

    def after(self, changes: Iterable[Change]) -> dict[str, int | None]:
        """The newest entries after these changes, by table; None for tables that are to be forgotten."""
        newest: dict[str, int | None] = {}
        for change in changes:
            match change:
                case NewEntry(code, row):
                    before = newest.get(code)
                    if row.number <= (self._before(code) if before is None else before):
                        raise WrittenTwice(f"entry {row.number} of table {code} is there already")
                    newest[code] = row.number
                case NewTable(code):
                    newest[code] = 0
                case FinishTable(code) | DropTable(code):
                    newest[code] = None
                case _:
                    pass
        return newest

    def keep(self, newest: dict[str, int | None]) -> None:
        """Take over what `after` returned, once it is written."""
        for code, number in newest.items():
            if number is None:
                self._newest.pop(code, None)
            else:
                self._newest[code] = number

    def _before(self, code: str) -> int:
        known = self._newest.get(code)
        return self._look_up(code) if known is None else known
