"""Who sits where follows from the entries alone, and who is there from visits."""

from collections.abc import Sequence
from typing import Any

import pytest

from diadem_server.storage.changes import LeaveSeat
from diadem_server.table.seating import Seating
from diadem_shared.entries import (
    Changed,
    Entry,
    Left,
    Lost,
    Resigned,
    Returned,
    Sat,
    Setup,
    Started,
    TakenOver,
)
from diadem_shared.match import Match, Phase, Player

ANA, BOB, CEM = 1, 2, 3


class Person:
    """As much of a session as seats need."""

    def __init__(self, id_: int) -> None:
        self.id = id_
        self.outbox = None


def person(id_: int) -> Any:
    return Person(id_)


def seated(*more: tuple[Entry, int | None]) -> Seating:
    """Ana, Bob and a bot, and what happened then."""
    seating = Seating()
    begin = [(Sat("Ana"), ANA), (Sat("Bob"), BOB), (Sat("Zirko", "easy"), ANA)]
    for entry, session in [*begin, *more]:
        seating.follow(entry, session)
    return seating


def players(*played_by: str | None) -> Sequence[Player]:
    return [
        Player(name, stand_in=level) for name, level in zip(("Ana", "Bob"), played_by, strict=True)
    ]


def test_people_own_their_seats_and_bots_are_nobodys() -> None:
    seating = seated()
    assert seating.owners == [ANA, BOB, None]
    assert seating.owned == [0, 1]
    assert seating.seat_of(person(BOB)) == 1
    assert seating.seat_of(person(CEM)) is None


def test_who_leaves_before_the_start_has_not_played_and_the_others_move_up() -> None:
    seating = seated((Left(0), ANA))
    assert seating.owners == [BOB, None]
    assert seating.played == {BOB}


def test_c2_who_resigns_may_take_the_seat_back_until_the_match_is_over() -> None:
    seating = seated((Resigned(1), BOB))
    assert seating.owners == [ANA, None, None]
    assert seating.resigned_from(person(BOB), Phase.PLAYING) == 1
    assert seating.resigned_from(person(BOB), Phase.OVER) is None
    assert seating.has_right_to_seat(BOB)
    assert not seating.has_right_to_seat(CEM)
    seating.follow(Returned(1), BOB)
    assert seating.owners == [ANA, BOB, None]
    assert seating.resigned_from(person(BOB), Phase.PLAYING) is None


def test_the_journal_is_told_of_every_seat_that_is_taken_or_left() -> None:
    seating = Seating()
    held = set[int]()
    happened: list[tuple[Entry, int | None]] = [
        (Sat("Ana"), ANA),
        (Sat("Zirko", "easy"), ANA),
        (Sat("Bob"), BOB),
        (Sat("Cem"), CEM),
        (Left(0), ANA),
        (Started(), None),
        (Resigned(1), BOB),
        (Lost(2), None),
        (Returned(2), CEM),
        (Returned(1), BOB),
        (TakenOver(1, "easy"), BOB),
        (Returned(1), BOB),
        (Resigned(2), CEM),
        (Resigned(1), BOB),
    ]
    for entry, session in happened:
        for change in seating.changes("HERE", entry, session):
            assert change.code == "HERE"
            assert (change.session in held) is isinstance(change, LeaveSeat)
            held ^= {change.session}
        seating.follow(entry, session)
        assert held == {owner for owner in seating.owners if owner is not None}


@pytest.mark.parametrize("gone", [Resigned(1), TakenOver(1, "easy"), Lost(1)])
def test_who_is_away_is_ready_no_more_and_is_counted(gone: Entry) -> None:
    seating = seated()
    seating.ready = {ANA, BOB}
    seating.follow(gone, BOB)
    assert seating.ready == {ANA}
    assert seating.absences[1] == 1
    assert seating.absences[0] == 0


@pytest.mark.parametrize("entry", [Started(), Changed(Setup("diamoniak"))])
def test_nobody_is_ready_after_a_start_or_a_change(entry: Entry) -> None:
    seating = seated()
    seating.ready = {ANA, BOB}
    seating.follow(entry, ANA)
    assert seating.ready == set()


def test_the_maker_is_the_first_who_plays_for_themselves() -> None:
    seating = seated()
    for stand_ins, maker in (((None, None), 0), (("easy", None), 1), (("easy", "easy"), 0)):
        match = Match(Setup("diamoniak"), tuple(players(*stand_ins)), Phase.PLAYING)
        assert seating.maker(match) == maker
    assert Seating().maker(Match(Setup("diamoniak"))) is None


def test_after_the_match_the_maker_is_the_first_who_is_still_there() -> None:
    seating = seated()
    over = Match(Setup("diamoniak"), tuple(players(None, None)), Phase.OVER)
    assert seating.maker(over) == 0
    seating.viewers[person(BOB)] = 0
    assert seating.maker(over) == 1


def test_all_have_left_when_each_seat_was_given_up_or_handed_over() -> None:
    seating = seated((Resigned(0), ANA))
    assert not seating.all_were_left
    seating.follow(TakenOver(1, "easy"), BOB)
    assert seating.all_were_left
    seating.follow(Returned(1), BOB)
    assert not seating.all_were_left


def test_who_is_there_and_who_looks_on() -> None:
    seating = seated()
    ana, cem = person(ANA), person(CEM)
    seating.viewers = {cem: 0, ana: 0}
    assert seating.present == [True, False, True]
    assert seating.onlookers == [cem]
    seating.ready = {BOB}
    assert seating.is_ready == [False, True, True]
