"""What a move is worth, and why: said by bots and advisers in codes, for which each client finds the words."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

from diadem_shared.refusals import About, ToldCode

MoveT_co = TypeVar("MoveT_co", bound="Struct", covariant=True)


class ReasonCode(ToldCode):
    """The base of the enum of codes that each game brings beside its rules."""


class Reason(Struct, frozen=True):
    """One thing that speaks for a move, or that comes of it."""

    code: str  # made, one of an enum; received, perhaps one that only a newer server knows
    about: About = {}


def about_of(reasons: Iterable[Reason], code: str) -> About | None:
    """What the reason with this code is about; None if there is none."""
    return next((each.about for each in reasons if each.code == code), None)


class Unit(StrEnum):
    """What a value counts. More is better, and values of one unit can be compared."""

    CHANCE = "chance"  # to win the round, from 0 to 1
    DOLLARS = "dollars"  # that are gained on average
    POINTS = "points"  # gained on average, against passing
    TILES = "tiles"  # as much as getting rid of so many, against passing


class Evaluation(Struct, Generic[MoveT_co], frozen=True):
    """What one move is worth to whoever makes it."""

    move: MoveT_co
    value: float
    unit: Unit
    reasons: tuple[Reason, ...] = ()


class Decision(Struct, Generic[MoveT_co], frozen=True):
    """The move of a bot, and why it is that one."""

    move: MoveT_co
    reasons: tuple[Reason, ...] = ()
