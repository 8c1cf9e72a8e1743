"""The guided first game of Diadingo: what is loose, what is fixed and to be remembered, a theft and one back."""

from diadem_client.i18n import N_
from diadem_client.state.coach import Lesson, Step, happened
from diadem_shared.games.diadingo.table import Missed, Stole, TableView, Tried, TurnPhase


def _tries(view: TableView, _move: str) -> bool:
    return view.public.phase is TurnPhase.TAKE


def _tries_there(view: TableView, move: str) -> bool:
    return _tries(view, move) and move.removeprefix("take ") in view.public.board


def _was_robbed(view: TableView, move: str) -> bool:
    return _tries(view, move) and bool(view.public.mover.empty)


_TRIED = happened(Tried, Missed)

LESSON = Lesson(
    (
        Step(
            N_(
                "Every turn brings a ring; it wants a diamond. Try the one at {first}: type {first}, then Enter."
            ),
            "D-4",
            _tries_there,
            _TRIED,
        ),
        Step(
            N_("{other} found {theirs} fixed. Nothing will mark it: remember! Now try {second}."),
            "D-12",
            _tries_there,
            _TRIED,
        ),
        Step(
            N_("A theft! {other} has set a ring that is empty with you: rob it."),
            "D-5",
            lambda view, _move: view.public.phase is TurnPhase.STEAL,
            happened(Stole),
        ),
        Step(
            N_("Two diamonds are known to be fixed. Do you remember? Try any other."),
            "D-12",
            _tries,
            _TRIED,
        ),
        Step(
            N_(
                "{other} may steal, too. A robbed ring is filled by a theft alone. Try another diamond."
            ),
            "D-8",
            _was_robbed,
            _TRIED,
        ),
    ),
)
LESSONS = {"diadingo": LESSON}
