"""Who is at a table, and as what."""

from collections.abc import Sequence
from typing import Any

from diadem_server.table.roster import RosterEntry, build_roster
from diadem_server.table.seating import Seating
from diadem_shared.entries import Entry, Resigned, Sat, Setup, Started, TakenOver
from diadem_shared.match import Match, apply, open_match

ANA, BOB, CEM = 1, 2, 3


class Person:
    """As much of a session as this needs."""

    def __init__(self, id_: int, name: str) -> None:
        self.id = id_
        self.name = name


PEOPLE: Sequence[Any] = [Person(ANA, "Ana"), Person(BOB, "Bob"), Person(CEM, "Cem")]


def at_a_table(*more: tuple[Entry, int]) -> tuple[Match, Seating]:
    """Ana and Bob play, Cem looks on, and then this happens."""
    match, seating = open_match(Setup("diamoniak")), Seating()
    begin: list[tuple[Entry, int]] = [(Sat("Ana"), ANA), (Sat("Bob"), BOB), (Started(), ANA)]
    for entry, session in [*begin, *more]:
        match, _ = apply(match, entry, b"seed")
        seating.follow(entry, session)
    seating.viewers = dict.fromkeys(PEOPLE, 0)
    return match, seating


def test_everybody_has_a_place_and_one_of_them_decides() -> None:
    ana, bob, cem = PEOPLE
    roster = build_roster(*at_a_table())
    assert roster.places == [
        RosterEntry(ana, 0, is_maker=True, resigned=None),
        RosterEntry(bob, 1, is_maker=False, resigned=None),
        RosterEntry(cem, None, is_maker=False, resigned=None),
    ]
    assert roster.presence.maker == 0
    assert roster.presence.onlookers == ["Cem"]


def test_the_next_one_decides_while_a_bot_plays_for_the_first() -> None:
    roster = build_roster(*at_a_table((TakenOver(0, "easy"), ANA)))
    assert [place.is_maker for place in roster.places] == [False, True, False]


def test_c2_who_resigned_looks_on_and_may_take_the_seat_back() -> None:
    roster = build_roster(*at_a_table((Resigned(1), BOB)))
    assert roster.places[1] == RosterEntry(PEOPLE[1], None, is_maker=False, resigned=1)
    assert roster.presence.onlookers == ["Bob", "Cem"]


def test_who_is_not_here_is_not_present() -> None:
    match, seating = at_a_table()
    del seating.viewers[PEOPLE[1]]
    assert [line.present for line in build_roster(match, seating).presence.players] == [True, False]
