"""Statistics and standings in a few words."""

from diadem_client.i18n import gettext as _
from diadem_client.wording.options import highlight_words, temper
from diadem_client.wording.values import grouped
from diadem_shared.highlights import Highlight
from diadem_shared.protocol import StandingLine
from diadem_shared.statistics import GameStatistics, Opponent


def percent(part: int, whole: int) -> str:
    return _("{number} %").format(number=round(100 * part / whole)) if whole > 0 else ""


def part_of(part: int, whole: int) -> str:
    return _("{part} of {whole}").format(part=grouped(part), whole=grouped(whole))


def opponent(met: Opponent, game: str) -> str:
    """A name, or of bots their temper."""
    return met.name if met.bot is None else _("bot, {level}").format(level=temper(met.bot, game))


def highlight(best: Highlight, game: str) -> tuple[str, str]:
    """What it is, and what was reached."""
    label, form = highlight_words(best.kind, game)
    return label, form.format(value=grouped(best.value), text=best.text)


def facts(game: GameStatistics) -> list[tuple[str, str]]:
    """Each with what it is called."""
    found = [
        (_("won in a row"), grouped(game.streak)),
        (_("longest streak"), grouped(game.longest)),
    ]
    if game.given_up:
        found.append((_("given up"), grouped(game.given_up)))
    return [*found, *(highlight(best, game.game) for best in game.highlights)]


def who(line: StandingLine, game: str, *, is_me: bool = False) -> str:
    if line.bot is not None:
        return temper(line.bot, game)
    return _("{name} (you)").format(name=line.name) if is_me else line.name


def mark(line: StandingLine) -> str:
    """With a question mark where it is provisional."""
    return grouped(line.mark) + ("?" if line.place is None and line.bot is None else "")
