"""Asking what a strong bot would do, and why bots did what they did."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from diadem_client.board.pane import GamePane
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.state.client_state import TableState
from diadem_client.ui.actions import Action
from diadem_client.ui.screens.prompt_line import Asking
from diadem_client.ui.widgets.log import fitting
from diadem_shared import protocol
from diadem_shared.game import View
from diadem_shared.match import Phase
from diadem_shared.protocol import Advised, Explained, HintLine
from diadem_shared.refusals import RefusalError

HINT_ACTIONS = (
    Action(
        "hint",
        ("ctrl+g",),
        N_("hint"),
        N_("Be told what the best bot would do; again for another move."),
    ),
    Action(
        "no_hint",
        ("ctrl+g",),
        N_("hint"),
        N_("Be told why there is no hint now."),
        in_footer=False,
    ),
)
MOST_ROWS = 3
"""Of a hint: as many as notices have, so that it never covers the board."""


class Advice(Struct, frozen=True):
    """A hint, and which of its moves is shown."""

    view: View[Any, Any]
    """What it was given for."""
    moves: tuple[HintLine, ...]
    at: int = 0


class Hinting(Asking):
    """A part of the table screen."""

    _advice: Advice | None = None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action not in {"hint", "no_hint"}:
            return super().check_action(action, parameters)
        table = self.table
        if table is None or table.public.phase is not Phase.PLAYING:
            return False
        return (table.gives_hints and table.my_turn) == (action == "hint")

    def action_no_hint(self) -> None:
        """The server says why."""
        if protocol.HINTS in self.client_state.features:
            self.send(protocol.GetHint)
        else:
            self.tell(_("This server gives no hints."))

    def action_hint(self) -> None:
        table, advice = self.table, self._advice
        if table is None or table.view is None:
            return
        if advice is not None and advice.view == table.view:
            self._advice = replace(advice, at=(advice.at + 1) % len(advice.moves))
            self._tell_advice(table, self._advice)
        else:
            self.run_worker(self._ask_for_hint(table.view), group="hint", exclusive=True)

    async def _ask_for_hint(self, view: View[Any, Any]) -> None:
        self.tell(_("One moment: the best bot thinks."))
        answer = await self.ask(protocol.GetHint)
        table = self.table
        if (
            isinstance(answer, Advised)
            and answer.moves
            and table is not None
            and table.view == view
        ):
            self._advice = Advice(view, answer.moves)
            self._tell_advice(table, self._advice)

    def _tell_advice(self, table: TableState, advice: Advice) -> None:
        """In the place of the question, as far as it fits; and where that is easy the move is prepared."""
        if isinstance(self.front, GamePane):
            with suppress(RefusalError):
                self.front.propose(table.game.parse(advice.moves[advice.at].move))
        self.show_notice(self._sentence(table, advice))

    def _sentence(self, table: TableState, advice: Advice) -> str:
        from diadem_client.wording import advice as words  # noqa: PLC0415, few ask for hints

        seen = words.Seen(table.game.name, table.game, table.names, advice.view)
        return fitting(
            words.hint(seen, advice.moves, advice.at), self.app.size.width - 2, MOST_ROWS
        )

    def keep_advice(self, table: TableState) -> None:
        """It stays until something has happened on the table; that it was given is nothing that happened there."""
        advice = self._advice
        if advice is None:
            return
        if table.public.phase is not Phase.PLAYING or table.view != advice.view:
            self._advice = None
        elif self.notice in {"", self.question}:
            self.show_notice(self._sentence(table, advice))

    # When a round is over

    def action_why(self) -> None:
        self.run_worker(self._explain(), group="why", exclusive=True)

    async def _explain(self) -> None:
        answer = await self.ask(protocol.Explain)
        table = self.table
        if not isinstance(answer, Explained) or table is None:
            return
        if not answer.moves:
            self.tell(_("No bot moved in this round, or why is not known any more."))
            return
        from diadem_client.ui.screens.help import ReasonsScreen  # noqa: PLC0415, few read it

        self.app.push_screen(ReasonsScreen("\n".join(told_why(table, answer.moves))))


def told_why(table: TableState, moves: Sequence[protocol.Explanation]) -> list[str]:
    """Each move as the log tells it, and below it why it was made."""
    from diadem_client.wording import advice as words  # noqa: PLC0415, as above

    logged = {line.entry: line.text for line in reversed(table.log) if line.text}
    rows = []
    for each in moves:
        name = table.names[each.seat] if each.seat in range(len(table.names)) else ""
        why = " ".join(words.sentences(each.why, table.names, table.game.name))
        rows += [logged.get(each.entry, f"{name}: {each.move}"), f"   {why}"]
    return rows
