"""A table for one who learns a game: always dealt alike, and its bot begins with moves that are given."""

from msgspec import Struct

from diadem.shuffle import hashed


class LessonTable(Struct, frozen=True, omit_defaults=True):
    """No message and no option of a server holds one: only a client that starts a server of its own can pass it on."""

    deal: str
    """Any text; the same is dealt alike."""
    moves: tuple[str, ...] = ()
    """Of the bot, in notation, for as long as they are allowed."""

    @property
    def secret(self) -> bytes:
        """In place of a table's secret seed."""
        return hashed("diadem lesson", self.deal.encode())
