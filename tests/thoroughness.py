"""How much is tried: enough for every day, or more where there is time (`make thorough`)."""

from hypothesis import settings


def is_thorough() -> bool:
    return settings.get_current_profile_name() == "thorough"


def times(every_day: int, thorough: int) -> int:
    return thorough if is_thorough() else every_day
