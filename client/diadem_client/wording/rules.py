"""The rules of each game as text, in the language that is spoken."""

from pathlib import Path

from diadem_client.i18n import current_language
from diadem_client.i18n import gettext as _

TEXTS = Path(__file__).parents[1] / "rules_texts"


def rules_of(game: str) -> str:
    for language in (current_language(), "en"):
        path = TEXTS / language / f"{game}.txt"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return _("There is no text on this game yet.")
