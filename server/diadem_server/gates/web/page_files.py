"""The files of the page, which are served from memory."""

import gzip
from pathlib import Path

from msgspec import Struct

from diadem_server.gates.messages import CannotListen

FOLDER = Path(__file__).parent / "page"
INDEX = "index.html"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
"""What is served, by suffix; nothing else in the folder is."""


class PageFile(Struct, frozen=True):
    kind: str
    content: bytes
    gzipped: bytes


def load(folder: Path = FOLDER) -> dict[str, PageFile]:
    """The files by their names; `INDEX` is among them."""
    try:
        contents = {
            each.name: each.read_bytes()
            for each in sorted(folder.iterdir())
            if each.suffix in KINDS and each.is_file()
        }
    except OSError as error:
        raise CannotListen(f"{folder} cannot be read: {error.strerror}") from None
    if INDEX not in contents:
        raise CannotListen(f"there is no {INDEX} in {folder}")
    return {
        name: PageFile(KINDS[Path(name).suffix], content, gzip.compress(content, mtime=0))
        for name, content in contents.items()
    }
