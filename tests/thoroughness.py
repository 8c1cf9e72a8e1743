"""How much is tried: enough for every day, or more where there is time (`make thorough`)."""

from hypothesis import settings


def times(every_day: int, thorough: int) -> int:
    return thorough if settings.get_current_profile_name() == "thorough" else every_day
