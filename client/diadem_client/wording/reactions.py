"""The few things that can be said with a key, in the reader's language."""

from typing import get_args

from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_shared.protocol import Reaction

REACTIONS: dict[str, str] = {
    "hello": N_("Hello!"),
    "good_luck": N_("Good luck!"),
    "well_played": N_("Well played!"),
    "thanks": N_("Thanks!"),
    "wow": N_("Wow!"),
    "oh_no": N_("Oh no!"),
    "sorry": N_("Sorry!"),
    "good_game": N_("Good game!"),
}


def reaction(kind: str) -> str:
    """In words; "" for one that only a newer server knows."""
    return _(REACTIONS[kind]) if kind in REACTIONS else ""


def choices() -> list[tuple[str, str]]:
    """Each with its words."""
    return [(kind, reaction(kind)) for kind in get_args(Reaction)]
