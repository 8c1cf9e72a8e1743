"""A word list of the player's own: for the servers that their client starts, and for matches that were played by it."""

from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

import diadem_shared.lexicon.shelf as word_lists
from diadem_client.refusals import ClientCode
from diadem_client.state.forms import WORD_LIST, FileReader, UnusableFile
from diadem_shared.entries import Changed, Entry, Setup
from diadem_shared.games import GAMES
from diadem_shared.lexicon import (
    LeftOut,
    Lexicon,
    Unusable,
    WordListRefused,
    from_text,
    has_words,
    left_out,
)
from diadem_shared.match_file import MatchFile
from diadem_shared.refusals import Refusal

InOwnWords: TypeAlias = Callable[[MatchFile], MatchFile]
"""Gives a match by the player's own word list, if it was played by one that is called so; else as it is."""

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

    def has_judged(self, file: MatchFile) -> bool:
        """Whether a match was played by a list of this name."""
        setups = (
            file.header.setup,
            *(each.setup for each in file.entries if isinstance(each, Changed)),
        )
        return bool(self.path) and any(map(self._is_named, setups))

    def in_place(self, file: MatchFile, reader: FileReader) -> MatchFile:
        """A match that was played by a list of this name, by this list; else as it is. The list gets a name of its own: a
        table that one plays at may have another that is called the same. Raises UnusableFile."""
        if not self.has_judged(file):
            return file
        lexicon = self._lexicon(reader)
        name = f"{self.name} ({fingerprint(lexicon)})"
        if name not in word_lists.names():
            word_lists.put(name, lexicon)

        def renamed(setup: Setup) -> Setup:
            return (
                replace(setup, options={**setup.options, WORD_LIST: name})
                if self._is_named(setup)
                else setup
            )

        entries: list[Entry] = [
            Changed(renamed(each.setup)) if isinstance(each, Changed) else each
            for each in file.entries
        ]
        header = replace(file.header, setup=renamed(file.header.setup))
        return replace(file, header=header, entries=entries)

    def bring(self, file: MatchFile, reader: FileReader) -> None:
        """Make the list known to this process, which looks at nothing but this match. Raises UnusableFile."""
        if self.has_judged(file):
            word_lists.put(self.name, self._lexicon(reader))

    def _is_named(self, setup: Setup) -> bool:
        return setup.options.get(WORD_LIST) == self.name

    def _lexicon(self, reader: FileReader) -> Lexicon:
        try:
            return from_text(reader(self.path, LONGEST_FILE), "")
        except WordListRefused:
            raise UnusableFile(Refusal(ClientCode.BAD_FILE, {"why": "no_words"})) from None


def fingerprint(lexicon: Lexicon) -> str:
    """Of the words, however their file is written."""
    digest = blake2b(lexicon.packed_spellings, digest_size=8)
    for length in lexicon.lengths:
        digest.update(lexicon.packed(length))
    return digest.hexdigest()


def unusable_lines(path: str, reader: FileReader) -> Mapping[Unusable, LeftOut]:
    """Of a file that can be read, which lines no server takes for words."""
    return left_out(reader(path, LONGEST_FILE))


def check(path: str, reader: FileReader) -> None:
    """Raises UnusableFile if no words can be read there."""
    if not has_words(reader(path, LONGEST_FILE)):
        raise UnusableFile(Refusal(ClientCode.BAD_FILE, {"why": "no_words"}))
