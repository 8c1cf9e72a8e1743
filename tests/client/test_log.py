"""Lines that are broken where the terminal ends."""

import pytest
from rich.cells import cell_len

from diadem_client.widgets.log import wrapped


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [""]),
        ("short", ["short"]),
        ("one two three four", ["one two", "  three four"]),
        ("a verylongwordindeed", ["a", "  verylongwo", "  rdindeed"]),
        ("日本日本日本日本", ["  日本日本日", "  本日本"]),
    ],
)
def test_lines_are_broken_between_words(text: str, rows: list[str]) -> None:
    assert wrapped(text, 12) == rows
    assert all(cell_len(row) <= 12 for row in wrapped(text, 12))
