"""A word list of the player's own, for the servers that their client starts."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from diadem.games import GAMES
from diadem.lexicon import LeftOut, Unusable, has_words, left_out
from diadem.refusals import Refusal
from diadem_client.refusals import ClientCode
from diadem_client.state.forms import WORD_LIST, FileReader, UnusableFile

LONGEST_FILE = 16 << 20
"""Characters of a file."""
LONGEST_NAME = 30
AT_WORST = "own"
"""The name of a list whose file has a name that cannot be shown."""


class OwnWords(Struct, frozen=True):
    path: str
    """As the player typed it, or ""."""

    @property
    def name(self) -> str:
        """What it is called at a table: the file's name without what follows its last dot. It is the same at
        every start, so that a match that was left finds its list again."""
        stem = Path(self.path).stem.replace(":", " ").replace("=", " ").strip()[:LONGEST_NAME]
        return stem if stem and stem.isprintable() else AT_WORST

    @property
    def options(self) -> tuple[str, ...]:
        """For a server that shall know it."""
        if not self.path:
            return ()
        return ("--word-list", f"{self.name}={Path(self.path).expanduser().absolute()}")

    def for_game(self, game: str) -> dict[str, str]:
        """The option of a table that names it, in games that have words."""
        has_list = WORD_LIST in GAMES[game].options_type.__struct_fields__
        return {WORD_LIST: self.name} if self.path and has_list else {}


def unusable_lines(path: str, reader: FileReader) -> Mapping[Unusable, LeftOut]:
    """Of a file that can be read, which lines no server takes for words."""
    return left_out(reader(path, LONGEST_FILE))


def check(path: str, reader: FileReader) -> None:
    """Raises UnusableFile if no words can be read there."""
    if not has_words(reader(path, LONGEST_FILE)):
        raise UnusableFile(Refusal(ClientCode.BAD_FILE, {"why": "no_words"}))
