"""The sixteen colours as some terminals have them: no two agree, and what is drawn has to be seen on all."""

from math import dist

from diadem_client.look.palette import Look, contrast, palette

Rgb = tuple[int, int, int]
BRIGHTER, FAR = 1.2, 80
"""Contrast by which a painted area is told from the one beside it, and how far its colour may be away instead."""


def _rgb(hexadecimal: str) -> tuple[Rgb, ...]:
    numbers = (int(each, 16) for each in hexadecimal.split())
    return tuple((number >> 16, number >> 8 & 255, number & 255) for number in numbers)


SIXTEEN: dict[str, tuple[Rgb, ...]] = {
    "console": _rgb(
        "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa"
        " 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff"
    ),
    "xterm": _rgb(
        "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5"
        " 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff"
    ),
    "tango": _rgb(
        "2e3436 cc0000 4e9a06 c4a000 3465a4 75507b 06989a d3d7cf"
        " 555753 ef2929 8ae234 fce94f 729fcf ad7fa8 34e2e2 eeeeec"
    ),
    "campbell": _rgb(
        "0c0c0c c50f1f 13a10e c19c00 0037da 881798 3a96dd cccccc"
        " 767676 e74856 16c60c f9f1a5 3b78ff b4009e 61d6d6 f2f2f2"
    ),
}
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def low_of(role: str, look: Look, sixteen: tuple[Rgb, ...], *, ink: bool = False) -> Rgb:
    """As it is seen where the terminal's own ground is black, or white for a light theme."""
    number = palette(look.theme)[role].low
    if number is not None:
        return sixteen[number]
    return WHITE if look.dark is ink else BLACK


def is_told_apart(one: Rgb, other: Rgb) -> bool:
    return contrast(one, other) >= BRIGHTER or dist(one, other) >= FAR
