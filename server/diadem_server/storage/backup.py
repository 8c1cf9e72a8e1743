"""A copy of all that is kept, taken while the server plays on."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.private_files import private_file
from diadem_server.storage.schema import FILE, SCHEMA_VERSION, OtherVersion


class NothingKept(Exception):
    """No server has ever kept anything there."""


def back_up(folder: Path, target: Path) -> None:
    """Whatever was acknowledged before this began is in the copy, and no move by half.

    The copy is made beside the target and takes its place when it is whole and on disk.
    """
    if not (folder / FILE).is_file():
        raise NothingKept
    try:
        # A folder that nobody else can enter, under a name that nobody can know before.
        with TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as private:
            draft = Path(private) / target.name
            private_file(draft)  # the seeds in it would tell what lies face down
            _copy(folder / FILE, draft)
            draft.replace(target)
    except (OSError, sqlite3.OperationalError) as error:
        raise JournalUnavailable(str(error)) from None
    except sqlite3.DatabaseError as error:
        raise OtherVersion(str(error)) from None


def _copy(source: Path, draft: Path) -> None:
    with closing(sqlite3.connect(source)) as kept, closing(sqlite3.connect(draft)) as copy:
        version = kept.execute("PRAGMA user_version").fetchone()[0]
        if version not in range(1, SCHEMA_VERSION + 1):
            raise OtherVersion(version)
        # All pages in one go are one look at the journal; in pieces it would begin anew at each move.
        kept.backup(copy, pages=-1)
    with draft.open("rb+") as written:
        os.fsync(written.fileno())
