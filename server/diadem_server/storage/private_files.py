"""Files and folders that only the server's own user can read."""

import logging
import os
import stat
from pathlib import Path

log = logging.getLogger(__name__)

FILE, FOLDER = 0o600, 0o700
OTHERS = stat.S_IRWXG | stat.S_IRWXO
WRITTEN_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class NotPrivate(Exception):
    """A file or folder cannot be made private, told in a line."""


def private_folder(path: Path) -> None:
    """Make a folder with mode 0700, or give an existing one of ours that mode."""
    try:
        path.mkdir(FOLDER, parents=True)
    except FileExistsError:
        if not path.is_dir():
            raise NotPrivate(f"{path} is a file; a folder is needed") from None
    status = path.stat()
    is_shared = status.st_uid != os.geteuid() or status.st_mode & stat.S_ISVTX
    if is_shared and status.st_mode & WRITTEN_BY_OTHERS:
        raise NotPrivate(f"others may write in {path}; choose a folder of the server's own")
    if not is_shared and status.st_mode & OTHERS:
        path.chmod(FOLDER)
        log.info("%s was open to others on this machine; it is no longer", path)


def private_file(path: Path) -> None:
    """Make an empty file with mode 0600, or give an existing regular file that mode.

    It is not opened: closing it again would release the locks that this process holds on it.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE))
    except FileExistsError:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode):
            raise NotPrivate(f"{path} is no ordinary file") from None
        if status.st_mode & OTHERS:
            path.chmod(FILE)


def replace_private(path: Path, content: bytes, *, synced: bool = False) -> None:
    """Replace a private file as a whole, in a folder that is there; raises OSError."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE), "wb") as file:
        file.write(content)
        if synced:
            file.flush()
            os.fsync(file.fileno())
    draft.replace(path)


def others_may_read(status: os.stat_result, path: Path) -> bool:
    """Whether it is more than this user's secret. What systemd hands over is guarded by its folder:
    the bits of the group say there what an access list allows this user."""
    handed_over = os.environ.get("CREDENTIALS_DIRECTORY")
    if handed_over and path.resolve().is_relative_to(Path(handed_over).resolve()):
        return False
    return bool(status.st_mode & OTHERS)
