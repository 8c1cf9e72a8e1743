"""How many colours a terminal has."""

from collections.abc import Mapping
from enum import StrEnum

from diadem_shared.forkserver_protocol import PAGE


class ColorDepth(StrEnum):
    TRUE = "true"
    PALETTE = "256"
    SIXTEEN = "16"
    NONE = "none"


COLOUR_SYSTEMS = {
    ColorDepth.TRUE: "truecolor",
    ColorDepth.PALETTE: "256",
    ColorDepth.SIXTEEN: "standard",
}
"""What Textual calls them."""


def is_linux_console(environment: Mapping[str, str]) -> bool:
    return environment.get("TERM", "").startswith("linux")


def is_our_page(environment: Mapping[str, str]) -> bool:
    """As the gate for browsers says, which players have no word in."""
    return environment.get("TERM_PROGRAM") == PAGE


def tier_of(environment: Mapping[str, str], chosen: str = "") -> ColorDepth:
    """What a terminal can show by what it says of itself, unless the player chose otherwise."""
    if "NO_COLOR" in environment:
        return ColorDepth.NONE
    if chosen in set(ColorDepth):
        return ColorDepth(chosen)
    if environment.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return ColorDepth.TRUE
    term = environment.get("TERM", "")
    if "256color" in term or term.endswith(("kitty", "-direct")):
        return ColorDepth.PALETTE
    return ColorDepth.SIXTEEN
