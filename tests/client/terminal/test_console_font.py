"""The console of Linux: text stays as wide, and is made of signs that its fonts have."""

from pathlib import Path

from diadem_client.terminal.console_font import SHOWN, STAYS, for_console
from tests.cases import cases

SCENES = Path(__file__).parents[1] / "scenes" / "snapshots"
LATIN_1 = frozenset(map(chr, range(0xA0, 0x100)))


@cases(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("► You  ◆ 3  ✦ 1", "> You  * 3  + 1"),
        ("▏E₁▏R₉(ψ)<Ψ> · ███", "│E1│R9(o)<x> · ███"),
        ("╭──╮", "┌──┐"),
        ("Schlösser", "Schlösser"),
        ("Ана, 日本", "Ана, 日本"),
    ],
)
def test_what_the_font_lacks_is_drawn_with_what_it_has(text: str, shown: str) -> None:
    assert for_console(text) == shown
    assert len(text) == len(shown)


def test_what_stays_is_not_replaced() -> None:
    assert not SHOWN.keys() & set(STAYS)
    assert set(SHOWN.values()) <= set(STAYS) | set(map(chr, range(0x20, 0x7F)))


def test_screens_are_made_of_signs_that_the_font_has() -> None:
    """Of all scenes, in English, with players whose names have letters of Latin-1 at most."""
    texts = [path.read_text(encoding="utf-8") for path in SCENES.glob("*-[sl][ma]*.txt")]
    assert len(texts) > 60
    shown = set(for_console("".join(texts)))
    assert {each for each in shown if not each.isascii()} <= LATIN_1 | set(STAYS)
