"""How durations, large numbers and seats are written."""

from diadem_client.i18n import ngettext
from diadem_shared.game import Seat


def duration(seconds: int) -> str:
    if seconds < 120 or seconds % 60:
        return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)
    minutes = seconds // 60
    return ngettext("{count} minute", "{count} minutes", minutes).format(count=minutes)


def seat_number(seat: Seat) -> str:
    """The number of a seat as people count, from 1."""
    return str(seat + 1)


def grouped(number: int) -> str:
    """With a gap before each three digits, as all languages take it."""
    return f"{number:,}".replace(",", " ")
