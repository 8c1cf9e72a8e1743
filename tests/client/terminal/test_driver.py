"""Text in ASCII stays as wide as it was."""

from rich.cells import cell_len

from diadem_client.terminal.driver import to_ascii
from tests.cases import cases


@cases(
    ("text", "plain"),
    [
        ("plain", "plain"),
        ("Schlösser, Größe", "Schlosser, Grose"),
        ("à l'œuvre", "a l'?uvre"),
        ("┌──┐│█", "+--+|#"),
        ("╍╬▞", "-+#"),
        ("● ○ ✓ × •", "* o v x !"),  # noqa: RUF001, signs of their own
        ("▁▅▇", "   "),
        ("\x1b[1mé\x1b[0m", "\x1b[1me\x1b[0m"),
        ("日本", "????"),
        ("Ана", "???"),
    ],
)
def test_it_stays_as_wide(text: str, plain: str) -> None:
    assert to_ascii(text) == plain
    if "\x1b" not in text:
        assert len(plain) == cell_len(text)
