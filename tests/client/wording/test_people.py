"""Who is named in the list of people, and what can be done about each."""

import pytest

from diadem_client.state.client_state import TableState
from diadem_client.wording.people import (
    BAN,
    KICK,
    LIFT_BAN,
    MUTE,
    UNMUTE,
    Measure,
    Person,
    described,
    measures,
    people,
)
from diadem_shared.match import Phase
from diadem_shared.protocol import Said
from tests.cases import cases
from tests.client.wording.tables import player, table

ANA, BOB = player("Ana"), player("Bob")


def names(client_state: TableState, me: str = "Ana") -> list[str]:
    return [person.name for person in people(client_state, me)]


def test_everybody_else_is_named_once() -> None:
    chat = (Said("Dee", None, "hello"), Said("Eve", None, "bye"), Said("Bob", 1, "hm"))
    client_state = table(ANA, BOB, onlookers=("Cem", "Dee"), chat=chat, banned=("Fay",))
    assert names(client_state) == ["Bob", "Cem", "Dee", "Eve", "Fay"]


def test_bots_are_nobody_but_who_is_played_for_is() -> None:
    played_for = player("Bob", bot="easy", away=True)
    assert names(table(ANA, player("Zirko", bot="easy"), played_for)) == ["Bob"]


def test_who_looks_on_goes_by_their_own_name_and_who_plays_by_that_of_the_seat() -> None:
    assert names(table(ANA, BOB, seat=None), me="Cem") == ["Ana", "Bob"]
    assert names(table(player("Ana 2"), BOB), me="Ana") == ["Bob"]


def test_a_player_who_is_listed_as_looking_on_plays() -> None:
    (bob,) = people(table(ANA, BOB, onlookers=("Bob",), muted=("Bob",)), "Ana")
    assert bob == Person("Bob", plays=True, muted=True)


@cases(
    ("person", "words"),
    [
        (Person("Bob", plays=True), "Bob  (plays)"),
        (Person("Bob", looks_on=True, muted=True), "Bob  (looks on, muted)"),
        (Person("Bob", banned=True), "Bob  (banned)"),
        (Person("Bob"), "Bob  (was here)"),
    ],
)
def test_a_person_is_described(person: Person, words: str) -> None:
    assert described(person) == words


PLAYS, LOOKS_ON = Person("Bob", plays=True), Person("Bob", looks_on=True)


@cases(
    ("person", "phase", "offered"),
    [
        (PLAYS, Phase.GATHERING, [MUTE, KICK, BAN]),
        (PLAYS, Phase.PLAYING, [MUTE]),
        (LOOKS_ON, Phase.PLAYING, [MUTE, KICK, BAN]),
        (Person("Bob"), Phase.PLAYING, [MUTE, BAN]),
        (Person("Bob", muted=True), Phase.PLAYING, [UNMUTE, BAN]),
        (Person("Bob", banned=True), Phase.PLAYING, [LIFT_BAN]),
    ],
)
def test_the_maker_is_offered_what_can_be_done(
    person: Person, phase: Phase, offered: list[Measure]
) -> None:
    assert measures(table(ANA, BOB, phase=phase), person) == offered


@pytest.mark.parametrize("person", [PLAYS, LOOKS_ON, Person("Bob")])
def test_others_are_offered_to_mute(person: Person) -> None:
    assert measures(table(ANA, BOB, maker=1), person) == [MUTE]
