"""Pictures of text that the tests compare with; `make snapshots` takes all of them anew."""

import os
from pathlib import Path

RETAKE = "RETAKE_SNAPSHOTS"


def matches(folder: Path, name: str, text: str) -> None:
    path = folder / f"{name}.txt"
    retakes = RETAKE in os.environ
    if retakes or not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        assert retakes, f"{path} was missing and is written now: look at it"
    assert text == path.read_text(encoding="utf-8"), "if this is meant: make snapshots"
