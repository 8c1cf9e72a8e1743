"""Run the tests that concern a file whenever you save it: `make watch`. Ctrl+C ends it.

A file stays on the list until its tests pass, so that saving another one does not make a failure disappear.
"""

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from tests.mirror import ROOT

FOLDERS = ("shared", "server", "client", "tests", "tools", "docs")
SUFFIXES = {".css", ".html", ".json", ".jsonl", ".md", ".mjs", ".po", ".py", ".svg", ".txt"}
"""Of the files that somebody writes; editors and compilers leave others behind."""
POLL_SECONDS = 1.0


def stamps(root: Path) -> dict[str, int]:
    """When each file was changed, by its path."""
    found = {}
    for path in (path for folder in FOLDERS for path in (root / folder).rglob("*")):
        if path.suffix in SUFFIXES:
            try:
                found[str(path)] = path.stat().st_mtime_ns
            except OSError:
                continue  # gone since it was listed
    return found


def saved(before: Mapping[str, int], now: Mapping[str, int]) -> set[str]:
    """The files that were written or made in between."""
    return {path for path, stamp in now.items() if before.get(path) != stamp}


def watch() -> None:
    before, waiting = stamps(ROOT), set[str]()
    while True:
        time.sleep(POLL_SECONDS)
        now = stamps(ROOT)
        if new := saved(before, now):
            waiting |= new
            if subprocess.call([ROOT / "tests/for", *sorted(waiting)]) == 0:
                waiting.clear()
        before = now


def main() -> None:
    print("Save a file, and the tests that concern it run. Ctrl+C ends this.", flush=True)
    try:
        watch()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
