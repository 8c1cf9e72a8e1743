"""A guided first game at the table: what to do next stands above the question, and F1 tells of the rule behind it."""

from textual.content import Content
from textual.geometry import Size

from diadem_client.board.canvas import wrapped
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.client_state import TableState
from diadem_client.state.coach import Coach
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.base import BaseScreen
from diadem_client.ui.screens.chat_panel import TALL, WIDE
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.key_hints import ALWAYS_SHOWN, KeyHints
from diadem_shared.game import Event

IN_EARNEST = Action(
    "in_earnest", ("f2",), N_("a real game"), N_("Play this game against bots, now in earnest.")
)
BEGIN_AGAIN = Action(
    "begin_again", ("f8",), N_("begin again"), N_("Begin this first game again."), in_footer=False
)
ROWS = 2
"""For what is said, as the style sheet of the table has it."""
OUT_OF_PLACE = frozenset({"hand_over", "play_on", "resign", "people", "react", "invite", "talk"})
"""What is of no use to whoever learns, alone with a bot."""
IN_LESSONS = frozenset({BEGIN_AGAIN.id, IN_EARNEST.id})
"""What is of use to nobody else."""


class Learning(BaseScreen):
    """A part of the table screen."""

    @property
    def coach(self) -> Coach | None:
        return self.diadem.local.coach

    def follow_lesson(self, table: TableState) -> None:
        coach = self.diadem.local.coach_at(table)
        self.set_class(coach is not None, "-learning")
        if coach is None:
            return
        self.query_one(KeyHints).always_shown = ALWAYS_SHOWN | {"rules", "leave"}
        if table.view is not None:
            happened = [
                (line.entry, line.event) for line in table.log if isinstance(line.event, Event)
            ]
            coach.see(table.code, table.view, happened, may_act=table.my_turn)
        others = (name for seat, name in enumerate(table.names) if seat != table.seat)
        size = self.app.size
        said = Content() if table.view is None else _said(coach, next(others, ""), size.width - 2)
        self.query_one("#coach", FixedText).set_text(said)
        self._fit_coach(size)

    def fit(self, size: Size) -> None:
        super().fit(size)
        if self.coach is not None:
            self._fit_coach(size)

    def _fit_coach(self, size: Size) -> None:
        """One row for a short text beside a large board that has room for the log: it needs each row."""
        is_large = size.width >= WIDE and size.height >= TALL
        text = self.query_one("#coach", FixedText).text
        self.set_class(is_large and len(wrapped(text, size.width - 2)) == 1, "-brief")

    @property
    def clause(self) -> str:
        """Of the rules, which is spoken of now."""
        step = self.coach.step if self.coach else None
        return step.clause if step else ""

    def is_out_of_place(self, action: str) -> bool:
        """Whether it is for others than whoever learns, or for nobody else."""
        if self.coach is None:
            return action in IN_LESSONS
        if action == IN_EARNEST.id:
            return not self.coach.is_over
        return action in OUT_OF_PLACE

    def action_begin_again(self) -> None:
        self.diadem.local.learn_again()

    def action_in_earnest(self) -> None:
        self.diadem.local.play_in_earnest()


def _said(coach: Coach, other: str, width: int) -> Content:
    if coach.is_over:
        return Content(
            _("That is all you need! Play on, or press F2 for a real game against bots.")
        )
    count = f"{coach.number}/{len(coach.lesson.steps)}  "
    has_done_nothing = coach.number == 1 if coach.step is None else coach.strayed
    if coach.waits and has_done_nothing:
        sentence = _("Now see what {other} does.").format(other=other)
    elif coach.step is not None:
        sentence = _(coach.step.say).format(other=other, **coach.deal.named)
        kind = _("That works, too.") + " " + sentence
        if coach.strayed and len(wrapped(count + kind, width)) <= ROWS:
            sentence = kind
    elif coach.waits:
        sentence = _("Well done. Now see what {other} does.").format(other=other)
    else:
        sentence = _("Play on as you like. F8 begins this first game again.")
    return Content.assemble((count, "bold $accent"), sentence)
