"""Finished matches of other servers, which the host has brought along as files.

They are in a folder of the data directory, as they came and after they were verified, each under a code that follows from
what is in it. Nobody is told of them but by the host: who knows the code has it. It may be written while the server runs.
"""

from base64 import b32encode
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from diadem_server.storage.private_files import NotPrivate, private_file, private_folder
from diadem_shared.match_file import MOST_BYTES, Fault, Untrue, read
from diadem_shared.verification import verify_whole

FOLDER = "imported"
MOST = 1_000
CODE_BYTES = 8
CODE_LENGTH = 12
"""Longer than any code of a table here, and too long to be guessed."""
SAID = {
    Fault.TOO_LONG: "it is longer than the file of a match can be",
    Fault.NO_MATCH: "it does not begin as the file of a match does",
    Fault.NOT_WHOLE: "its end is missing, or says something else than there is",
    Fault.BAD_LINE: "there is no entry that can be read",
    Fault.OTHER_RULES: "the game, or this version of its rules, is not known here",
    Fault.NO_WORD_LIST: "its word list is not known here; give --word-list too",
    Fault.COMMITMENT: "its secret is not the one that its server had committed to",
    Fault.CHAIN: "its entries do not lead to the last link of the hash chain",
    Fault.ILLEGAL: "the rules do not allow what is told there",
    Fault.RESULT: "its entries lead to another result than it tells",
}


class NotImported(Exception):
    """A file is left alone, told in a line."""


def bring(data: Path, file: Path) -> str:
    """Verify the match in a file and keep it in this data directory; the code by which it is found. Raises NotImported."""
    try:
        with file.open("rb") as opened:
            written = opened.read(MOST_BYTES + 1)
        verify_whole(read(written))
    except OSError as error:
        raise NotImported(f"{file} cannot be read: {error.strerror}") from None
    except Untrue as untrue:
        where = f", entry {untrue.entry}" if untrue.entry else ""
        raise NotImported(f"{file} is not imported{where}: {SAID[untrue.fault]}") from None
    folder, code = data / FOLDER, _code_of(written)
    try:
        _keep(folder, code, written)
    except (OSError, NotPrivate) as error:
        raise NotImported(f"{folder} cannot be written: {error}") from None
    return code


def _code_of(written: bytes) -> str:
    return b32encode(blake2b(written, digest_size=CODE_BYTES).digest()).decode()[:CODE_LENGTH]


def _keep(folder: Path, code: str, written: bytes) -> None:
    private_folder(folder)
    kept = folder / code
    if not kept.exists() and sum(1 for _ in folder.iterdir()) >= MOST:
        raise NotImported(f"{MOST} matches are in {folder} already")
    draft = folder / f"{code}.new"
    private_file(draft)
    draft.write_bytes(written)
    draft.replace(kept)


class ImportedMatches:
    def __init__(self, data: Path) -> None:
        self._folder = data / FOLDER

    def has(self, code: str) -> bool:
        is_code = len(code) == CODE_LENGTH and code.isascii() and code.isalnum()
        return is_code and (self._folder / code).is_file()

    def piece(self, code: str, after: int | None, most: int) -> tuple[bytes, int | None]:
        """So many lines behind entry number `after`, and what to go on with."""
        first = 0 if after is None else after + 1
        last = (after or 0) + most
        with (self._folder / code).open("rb") as file:
            lines = list(islice(file, first, last + 2))
        goes_on = first + len(lines) == last + 2
        return b"".join(lines[:-1] if goes_on else lines), last if goes_on else None
