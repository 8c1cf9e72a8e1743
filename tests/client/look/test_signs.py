"""All signs that screens are made of take one cell in every common terminal, and none is an emoji."""

from collections.abc import Iterator
from pathlib import Path
from unicodedata import east_asian_width

from rich.cells import get_character_cell_size

from diadem_client.look import art, signs
from diadem_client.look.signs import Sign

SCENES = Path(__file__).parents[1] / "scenes" / "snapshots"
EMOJI = frozenset(
    chr(point)
    for first, last in (
        (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
        (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B), (0x2328, 0x2328),
        (0x23CF, 0x23CF), (0x23E9, 0x23F3), (0x23F8, 0x23FA), (0x24C2, 0x24C2),
        (0x25AA, 0x25AB), (0x25B6, 0x25B6), (0x25C0, 0x25C0), (0x25FB, 0x25FE),
        (0x2600, 0x2604), (0x260E, 0x260E), (0x2611, 0x2611), (0x2614, 0x2615),
        (0x2618, 0x2618), (0x261D, 0x261D), (0x2620, 0x2620), (0x2622, 0x2623),
        (0x2626, 0x2626), (0x262A, 0x262A), (0x262E, 0x262F), (0x2638, 0x263A),
        (0x2640, 0x2640), (0x2642, 0x2642), (0x2648, 0x2653), (0x265F, 0x2660),
        (0x2663, 0x2663), (0x2665, 0x2666), (0x2668, 0x2668), (0x267B, 0x267B),
        (0x267E, 0x267F), (0x2692, 0x2697), (0x2699, 0x2699), (0x269B, 0x269C),
        (0x26A0, 0x26A1), (0x26A7, 0x26A7), (0x26AA, 0x26AB), (0x26B0, 0x26B1),
        (0x26BD, 0x26BE), (0x26C4, 0x26C5), (0x26C8, 0x26C8), (0x26CE, 0x26CF),
        (0x26D1, 0x26D1), (0x26D3, 0x26D4), (0x26E9, 0x26EA), (0x26F0, 0x26F5),
        (0x26F7, 0x26FA), (0x26FD, 0x26FD), (0x2702, 0x2702), (0x2705, 0x2705),
        (0x2708, 0x270D), (0x270F, 0x270F), (0x2712, 0x2712), (0x2714, 0x2714),
        (0x2716, 0x2716), (0x271D, 0x271D), (0x2721, 0x2721), (0x2728, 0x2728),
        (0x2733, 0x2734), (0x2744, 0x2744), (0x2747, 0x2747), (0x274C, 0x274C),
        (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757), (0x2763, 0x2764),
        (0x2795, 0x2797), (0x27A1, 0x27A1), (0x27B0, 0x27B0), (0x27BF, 0x27BF),
        (0x2934, 0x2935), (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50),
        (0x2B55, 0x2B55), (0x3030, 0x3030), (0x303D, 0x303D), (0x3297, 0x3297),
        (0x3299, 0x3299), (0x1F000, 0x1FAFF),
    )
    for point in range(first, last + 1)
)  # fmt: skip
"""What Unicode says can be shown as an emoji, beyond ASCII and Latin-1."""


def ours() -> Iterator[tuple[str, str]]:
    """Every sign beyond ASCII, and where it comes from."""
    for name, sign in vars(signs).items():
        if isinstance(sign, Sign):
            yield from ((each, name) for each in "".join(sign))
    for each in (*map(chr, signs.SUBSCRIPTS.values()), art.FULL, art.UPPER, art.LOWER):
        yield each, "art"
    for path in SCENES.glob("*-small.txt"):
        for each in set(path.read_text(encoding="utf-8")):
            yield each, path.stem


def ours_beyond_ascii() -> dict[str, str]:
    return {sign: where for sign, where in ours() if not sign.isascii()}


def test_each_takes_one_cell() -> None:
    found = ours_beyond_ascii()
    assert len(found) > 40
    assert {sign: where for sign, where in found.items() if not is_narrow(sign)} == {}


def is_narrow(sign: str) -> bool:
    """Ambiguous ones are narrow but where a terminal is set up for an East Asian language."""
    return east_asian_width(sign) not in {"W", "F"} and get_character_cell_size(sign) == 1


def test_none_is_an_emoji() -> None:
    assert {sign: where for sign, where in ours_beyond_ascii().items() if sign in EMOJI} == {}


def test_in_ascii_they_are_as_wide() -> None:
    named = [sign for sign in vars(signs).values() if isinstance(sign, Sign)]
    assert [
        sign for sign in named if not (sign.ascii.isascii() and len(sign.ascii) == len(sign.own))
    ] == []
