"""Names that look alike have a look in common, and names that do not have none."""

from diadem_server.sessions.confusables import looks, prototype

ALIKE = (
    ("Ana", "ana"),
    ("Ana", "Ána"),
    ("Ana", "Аna"),  # noqa: RUF001, the first letter is Cyrillic
    ("Ana", "A n a"),
    ("Ana", "Ana."),
    ("Ana", "(Ana)"),
    ("Tom", "Torn"),
    ("clara", "dara"),
    ("Wim", "VVim"),
    ("Bo1", "Bol"),
)


def test_they_look_alike() -> None:
    assert {(one, other) for one, other in ALIKE if not looks(one) & looks(other)} == set()


DIFFERENT = (("Ana", "Bob"), ("Ana", "Anna"), ("Clara", "Dara"), ("Ana", "Ani"))


def test_they_do_not() -> None:
    assert {(one, other) for one, other in DIFFERENT if looks(one) & looks(other)} == set()


def test_a_name_of_punctuation_alone_has_no_look() -> None:
    assert looks("...") == frozenset()


def test_a_letter_that_looks_like_no_other_is_its_own_prototype() -> None:
    assert prototype("a") == "a"
    assert prototype("а") == "a"  # noqa: RUF001, the Cyrillic one
