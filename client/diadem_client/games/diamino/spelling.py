"""What is typed or pasted, as letters of tiles."""

from diadem_shared.lexicon import fold_letters

LONGEST = 26
"""A board is no wider."""


def letters_of(character: str) -> str:
    """The tiles that show a character that was typed: E for an accented one, SS for a sharp s."""
    return (fold_letters(character) or "") if len(character) == 1 else ""


def pasted(text: str) -> str:
    """The tiles of a word that was pasted; "" if it is none, whatever else was on the clipboard."""
    if len(text) > 2 * LONGEST:
        return ""
    word = text.strip()
    return (fold_letters(word) or "") if len(word) <= LONGEST else ""
