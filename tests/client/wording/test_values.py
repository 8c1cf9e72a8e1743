"""How numbers that mean something are written."""

from diadem_client import i18n
from diadem_client.wording.values import duration, seat_number
from tests.cases import cases


@cases(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (90, "90 seconds"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (121, "121 seconds"),
        (600, "10 minutes"),
    ],
)
def test_whole_minutes_are_minutes_from_two_on(seconds: int, words: str) -> None:
    assert duration(seconds) == words


def test_it_is_written_in_the_language_spoken() -> None:
    i18n.set_language("de")
    try:
        assert duration(120) == "2 Minuten"
    finally:
        i18n.set_language("en")


def test_people_count_seats_from_one() -> None:
    assert seat_number(0) == "1"
