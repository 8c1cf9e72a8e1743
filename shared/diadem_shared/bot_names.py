"""The names of bots: made up, so that nobody is called like one."""

import itertools
from collections.abc import Collection

from diadem_shared.chance import Chance

BOT_NAMES = (
    *("Agatu", "Beryk", "Fluori", "Galeni", "Glimo", "Granu", "Karatel", "Korundo"),
    *("Larimo", "Moldo", "Obsi", "Onyko", "Opalu", "Perido", "Pyri", "Quarzel"),
    *("Rubinu", "Selenu", "Smarago", "Tanzo", "Topazi", "Turmo", "Zirko", "Zoisi"),
)
"""Short, and easy to say in every language of the client. Servers let no person have one."""


def name_for_bot(seed: bytes, taken: Collection[str]) -> str:
    """A name that nobody at the table has. With one seed and the same people it is always the same."""
    free = (name for name in Chance(seed, "names of bots").shuffled(BOT_NAMES) if name not in taken)
    numbered = (f"Bot {number}" for number in itertools.count(1))
    return next(free, None) or next(name for name in numbered if name not in taken)
