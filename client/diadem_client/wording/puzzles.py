"""What is said of puzzles: how far one has come with each, and how many in a row were solved on their day."""

from diadem_client.i18n import gettext as _
from diadem_client.i18n import ngettext
from diadem_client.state.puzzle_record import PuzzleDay


def how_far(day: PuzzleDay) -> str:
    """In a few words; empty for one that was not begun."""
    if day.is_solved:
        tries = ngettext("solved at once", "solved in {count} tries", day.tries)
        solved = tries.format(count=day.tries)
        return _("{solved}, later").format(solved=solved) if day.is_late else solved
    if day.is_shown:
        return _("solution shown")
    return (
        ngettext("{count} try", "{count} tries", day.tries).format(count=day.tries)
        if day.tries
        else ""
    )


def streak(days: int) -> str:
    if not days:
        return _("A position from a game among bots, a new one each day: find the best move.")
    told = ngettext("Solved on {count} day in a row.", "Solved on {count} days in a row.", days)
    return told.format(count=days)
