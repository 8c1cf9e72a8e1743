"""Backups of the journal, taken while the server runs."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from diadem_server.storage.journal import JournalUnavailable
from diadem_server.storage.private_files import private_file
from diadem_server.storage.schema import FILE, SCHEMA_VERSION, OtherVersion


class NothingKept(Exception):
    """There is no journal in that folder."""


def back_up(folder: Path, target: Path) -> None:
    """Copy the journal to `target`. All that was acknowledged before is in the copy, whole.

    The copy is made beside the target and takes its place when it is whole and on disk.
    """
    if not (folder / FILE).is_file():
        raise NothingKept
    try:
        # A private folder with an unpredictable name, so that nobody can plant the draft.
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
        # All pages in one step are one snapshot; in several steps SQLite would restart at each write.
        kept.backup(copy, pages=-1)
    with draft.open("rb+") as written:
        os.fsync(written.fileno())
