"""The files of the page, made small and served from memory."""

import gzip
from pathlib import Path

from msgspec import Struct

from diadem_server.gates.messages import CannotListen
from diadem_server.gates.web import minify

FOLDER = Path(__file__).parent / "page"
INDEX, SCRIPT = "index.html", "page.mjs"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""What is served, by suffix; nothing else in the folder is."""
MINIFIED = {".css": minify.style, ".html": minify.markup}


class PageFile(Struct, frozen=True):
    kind: str
    content: bytes
    gzipped: bytes


def load(folder: Path = FOLDER) -> dict[str, PageFile]:
    """The files by their names; `INDEX` is among them. All modules are in one, `SCRIPT`."""
    try:
        contents = {
            each.name: each.read_text("utf-8")
            for each in sorted(folder.iterdir())
            if each.suffix in KINDS and each.is_file()
        }
    except OSError as error:
        raise CannotListen(f"{folder} cannot be read: {error.strerror}") from None
    for name in (INDEX, SCRIPT):
        if name not in contents:
            raise CannotListen(f"there is no {name} in {folder}")
    modules = {name: text for name, text in contents.items() if name.endswith(".mjs")}
    small = {
        name: MINIFIED.get(Path(name).suffix, str)(text)
        for name, text in contents.items()
        if name not in modules
    }
    small[SCRIPT] = minify.script(minify.bundled(modules, SCRIPT))
    return {name: _file(name, text.encode()) for name, text in small.items()}


def linked(page: PageFile) -> PageFile:
    """The page as it is served where another site may have opened it: its script then waits for a click."""
    return _file(INDEX, page.content.replace(b"<html ", b"<html data-linked ", 1))


def _file(name: str, content: bytes) -> PageFile:
    return PageFile(KINDS[Path(name).suffix], content, gzip.compress(content, mtime=0))
