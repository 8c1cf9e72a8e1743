"""The guided first game of castles: a part, diamonds, a stop, a purchase, and the witch with and without a fairy."""

from collections.abc import Callable, Sequence

from diadem_client.games.castles.draft import can_buy
from diadem_client.i18n import N_
from diadem_client.state.coach import Lesson, Step, happened
from diadem_shared.entries import OptionValue
from diadem_shared.game import Event
from diadem_shared.games.castles.editions import PRICE
from diadem_shared.games.castles.table import (
    Bought,
    Drew,
    Paid,
    Shielded,
    Stopped,
    TableView,
    TurnPhase,
)

OPTIONS: dict[str, OptionValue] = {"youngest": 0}
"""Who learns begins."""


def _draws(view: TableView) -> bool:
    return view.public.phase in {TurnPhase.OPEN, TurnPhase.DRAWN}


def _is_in_danger(view: TableView) -> bool:
    return view.public.phase is TurnPhase.DANGER


def _met_danger(view: TableView, _events: Sequence[Event]) -> bool:
    return _is_in_danger(view)


def _steps(say: Sequence[str]) -> tuple[Step, ...]:
    """What is to be said to each of nine steps; both editions have the same."""
    fits: list[tuple[str, Callable[[TableView, str], bool]]] = [
        ("K-4", lambda view, _move: _draws(view) and view.public.mover.builds is None),
        ("K-3", lambda view, _move: _draws(view) and view.public.mover.wealth < PRICE),
        ("K-9", lambda view, _move: view.public.phase is TurnPhase.DRAWN),
        (
            "K-7",
            lambda view, _move: (
                view.public.phase is TurnPhase.OPEN and can_buy(view.public, view.public.turn)
            ),
        ),
        ("K-6", lambda view, _move: _draws(view) and not view.public.mover.shielded),
        ("K-11", lambda view, _move: _draws(view) and view.public.mover.shielded),
        ("K-11", lambda view, _move: _is_in_danger(view) and view.public.mover.shielded),
        ("K-3", lambda view, _move: _draws(view) and not view.public.mover.shielded),
        ("K-10", lambda view, _move: _is_in_danger(view) and not view.public.mover.shielded),
    ]
    done: list[Callable[[TableView, Sequence[Event]], bool]] = [
        happened(Drew),
        lambda view, _events: view.public.holdings[view.seat or 0].wealth >= PRICE,
        happened(Stopped),
        happened(Bought),
        lambda view, _events: view.public.holdings[view.seat or 0].shielded,
        _met_danger,
        happened(Shielded),
        _met_danger,
        happened(Paid),
    ]
    moves = (1, 3, 1, 1, 1, 1, 1, 4, 1)
    return tuple(
        Step(text, clause, suits, ended, moves=count)
        for text, (clause, suits), ended, count in zip(say, fits, done, moves, strict=True)
    )


DIAMONIAK = Lesson(
    _steps(
        (
            N_("Draw a card. A part of a castle begins your own."),
            N_("You may go on as long as you dare. Three diamonds are worth having: draw on."),
            N_("Any card may be a witch, who takes three of yours. You have enough: stop."),
            N_(
                "{other} has a part of your colour. Buy it for your diamonds (B): that is a whole turn."
            ),
            N_("Draw again, and see what comes."),
            N_("A fairy! She will save you from one witch: draw on without fear."),
            N_("The witch. Send your fairy, and nothing else is lost."),
            N_("Nobody guards you now. See how far you get: draw on."),
            N_("Three cards go, of your own choosing. Keep the parts of your castle."),
        )
    ),
    OPTIONS,
)
PIRATATAK = Lesson(
    _steps(
        (
            N_("Draw a card. A part of a ship begins your own."),
            N_("You may go on as long as you dare. Three gold coins are worth having: draw on."),
            N_("Any card may be a pirate, who takes three of yours. You have enough: stop."),
            N_(
                "{other} has a part of your colour. Buy it for your coins (B): that is a whole turn."
            ),
            N_("Draw again, and see what comes."),
            N_("A cannon! It will save you from one pirate: draw on without fear."),
            N_("The pirate. Fire your cannon, and nothing else is lost."),
            N_("Nothing guards you now. See how far you get: draw on."),
            N_("Three cards go, of your own choosing. Keep the parts of your ship."),
        )
    ),
    OPTIONS,
)
LESSONS = {"diamoniak": DIAMONIAK, "piratatak": PIRATATAK}
