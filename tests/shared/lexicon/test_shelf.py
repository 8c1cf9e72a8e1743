"""Word lists by name, and what is told of them."""

import subprocess
import sys

from diadem_shared.lexicon import from_text, shelf, shipped
from diadem_shared.lexicon.shelf import WordListLine


def test_a_list_is_told_with_its_language_and_size() -> None:
    shelf.put("brought", from_text("ei\nes\n", ""))
    lines = {line.name: line for line in shelf.lines()}
    assert lines["brought"] == WordListLine("brought", "", 2)
    assert lines["fr"] == WordListLine("fr", "fr", len(shipped.load("fr")))
    assert tuple(lines) == shelf.names()


def test_nothing_is_loaded_to_tell_what_there_is() -> None:
    """A server that nobody plays Diamino on does without the memory."""
    program = (
        "from diadem_shared.lexicon import shelf, shipped; shelf.lines();"
        "print(shipped.load.cache_info().currsize)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)  # noqa: S603
    assert ended.stdout.strip() == b"0"
