"""The rules of each game as text, in the language that is spoken."""

from pathlib import Path

from diadem_client.i18n import gettext as _
from diadem_client.i18n import spoken

TEXTS = Path(__file__).parents[1] / "rules_texts"


def rules_of(game: str) -> str:
    for language in (spoken(), "en"):
        path = TEXTS / language / f"{game}.txt"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    return _("There is no text on this game yet.")
