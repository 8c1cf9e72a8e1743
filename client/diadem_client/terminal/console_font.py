"""Text for the console of Linux, whose font has 256 or 512 signs."""

import re

STAYS = "─│┌┐└┘├┤┬┴┼█▀▄▌▐░▒▓"
"""Of the signs beyond Latin-1 that screens are made of, those that every such font has."""
LIKE = {
    "0123456789": "₀₁₂₃₄₅₆₇₈₉",
    "─│┌┐└┘": "━┃╭╮╰╯",
    "──││": "╌╍╎╏",
    "────││││": "┄┅┈┉┆┇┊┋",
    "│▌▌▌█": "▏▎▍▋▊",
    "█▐": "▉▕",
    "___▄▄█▀": "▁▂▃▅▆▇▔",
    "▌▐\\/▀▀": "▙▟▚▞▜▛",
    "▄▄▀▀": "▖▗▘▝",
    "ox+": "ψΨ✦",
    "*o*on": "◆◇●○◙",
    "vx": "✓✗",
    "><v^": "►◄▼▲",
    "><^v": "→←↑↓",
    "!.": "•…",
    "''\"\"": "‘’“”",  # noqa: RUF001, that is what this is about
    "&": "▣",
    "--": "–—",  # noqa: RUF001
    "<>": "‹›",  # noqa: RUF001
}
"""What is shown for those that it may lack; devils and the start are as in ASCII."""
SHOWN = {
    sign: like for likes, signs in LIKE.items() for like, sign in zip(likes, signs, strict=True)
}
LACKING = re.compile(f"[{''.join(map(re.escape, SHOWN))}]")


def for_console(text: str) -> str:
    """The text with signs that such a font has, in as many cells. Letters are left: fonts differ in them."""
    return text if text.isascii() else LACKING.sub(lambda found: SHOWN[found[0]], text)
