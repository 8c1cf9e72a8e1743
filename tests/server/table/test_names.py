"""Who is meant by a name at a table, and by which names the muted are told."""

from typing import Any

from diadem_server.storage.records import LineRow
from diadem_server.table.names import muted_by, sessions_by_name
from diadem_server.table.seating import Seating
from diadem_shared.match import Player
from diadem_shared.protocol import MOST_ONLOOKERS_NAMED, Said

ANA, BOB, CEM, DEE = 1, 2, 3, 4
PLAYERS = [Player("Ana"), Player("Zirko", bot="easy"), Player("Bob")]


class Person:
    """As much of a session as this needs."""

    def __init__(self, id_: int, name: str, muted: set[int]) -> None:
        self.id = id_
        self.name = name
        self.muted = muted


def person(id_: int, name: str, *muted: int) -> Any:
    return Person(id_, name, set(muted))


def seating(*onlookers: Any) -> Seating:
    it = Seating()
    it.owners = [ANA, None, BOB]
    it.viewers = dict.fromkeys(onlookers, 0)
    return it


def line(name: str, session: int | None) -> LineRow:
    return LineRow(1, Said(name, None, "hello"), session)


def test_players_are_meant_before_onlookers_and_these_before_who_spoke() -> None:
    there = seating(person(CEM, "Cem"), person(DEE, "Ana"))
    lines = [line("Bob", CEM), line("Eve", DEE), line("Old", None)]
    assert list(sessions_by_name(PLAYERS, there, lines)) == [
        *(("Ana", ANA), ("Bob", BOB)),
        *(("Cem", CEM), ("Ana", DEE)),
        *(("Eve", DEE), ("Bob", CEM)),
    ]


def test_no_more_onlookers_are_gone_through_than_are_asked_for() -> None:
    there = seating(*(person(100 + number, f"Eve {number}") for number in range(50)))
    assert len(list(sessions_by_name(PLAYERS, there, [], 3))) == 2 + 3


def test_each_who_muted_somebody_is_told_the_names_of_these() -> None:
    ana, bob = person(ANA, "Ana", BOB, CEM), person(BOB, "Bob")
    there = seating(ana, bob, person(CEM, "Cem"))
    lines = [line("Cem before", CEM), line("Dee", DEE)]
    assert muted_by([ana, bob], PLAYERS, there, lines) == {ana: ("Bob", "Cem", "Cem before")}


def test_where_nobody_muted_anybody_nothing_is_said() -> None:
    assert muted_by([person(ANA, "Ana")], PLAYERS, seating(), []) == {}


def test_onlookers_who_are_not_named_to_others_are_not_named_here() -> None:
    crowd = [person(100 + number, f"Eve {number}") for number in range(MOST_ONLOOKERS_NAMED + 1)]
    ana = person(ANA, "Ana", crowd[0].id, crowd[-1].id)
    assert muted_by([ana], PLAYERS, seating(ana, *crowd), []) == {ana: ("Eve 0",)}
