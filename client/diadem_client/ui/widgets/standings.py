"""The standings of a server: people by their marks, with the bots as yardsticks between them."""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content

from diadem_client.board.canvas import Canvas, Ink, cells_of, fitted, flowed
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.ui.actions import Action, bindings
from diadem_client.ui.widgets.fixed_text import FixedText
from diadem_client.ui.widgets.rows import Rows
from diadem_client.ui.widgets.section import Section
from diadem_client.ui.widgets.statistics import draw_none
from diadem_client.wording.options import game_name
from diadem_client.wording.statistics import mark, who
from diadem_client.wording.values import grouped
from diadem_shared import protocol
from diadem_shared.games import GAMES
from diadem_shared.protocol import STANDINGS, Accepted, StandingLine, Standings

PLACE, NAME = 7, 9
PAGE = 20
"""Lines that a server tells at once."""
MOST_LINES = 100_000


class StandingList(Rows):
    DEFAULT_CSS = "StandingList { height: 1fr; width: 100%; }"

    def __init__(self) -> None:
        super().__init__()
        self.game = ""
        self.lines: Mapping[int, StandingLine] = {}
        """Those that are known, by how many stand before them."""
        self.total = 0
        self.mine: int | None = None
        self.sentence = ""
        """Instead of lines."""

    @property
    def count(self) -> int:
        return self.total

    def draw(self, canvas: Canvas) -> None:
        if self.sentence:
            draw_none(canvas, self.sentence)
            return
        if not self.total:
            return
        marks, spread, matches = _columns(canvas.width)
        canvas.put(NAME, 0, _("name"), Ink.FAINT)
        for x, head in ((marks, _("rating")), (spread, _("spread")), (matches, _("matches"))):
            canvas.right(x, 0, head, Ink.FAINT)
        canvas.rule(2, 1, canvas.width - 4)
        self.draw_rows(canvas)

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        line = self.lines.get(number)
        if line is None:
            canvas.put(NAME, y, "...", Ink.DOT)
            return
        marks, spread, matches = _columns(canvas.width)
        is_bot, is_me = line.bot is not None, number == self.mine
        paint = Ink.FAINT if is_bot else Ink.STRONG if is_me else Ink.PLAIN
        if line.place is not None:
            canvas.right(PLACE, y, f"{line.place}.", Ink.KEY if is_me else paint)
        if is_bot:
            canvas.right(PLACE, y, canvas.sign(signs.BOT), Ink.DOT)
        room = marks - 8 - NAME
        canvas.put(NAME, y, fitted(who(line, self.game, is_me=is_me), room), paint)
        word = mark(line)
        at = marks + word.endswith("?")
        canvas.right(at, y, word, paint)
        if not is_bot:
            canvas.right(spread, y, grouped(line.deviation), Ink.FAINT)
            canvas.right(matches, y, grouped(line.matches), paint)


def _columns(width: int) -> tuple[int, int, int]:
    """The ends of mark, deviation, and number of matches."""
    return (47, 56, 68) if width >= 76 else (38, 45, 56)


class ServerStandings(Section):
    label = N_("Standings")
    is_at_home = False
    ACTIONS = (
        Action("next_game", ("right",), N_("next game"), N_("To the standings of the next game.")),
        Action(
            "game_before",
            ("left",),
            N_("game before"),
            N_("To the standings of the game before."),
            in_footer=False,
        ),
        Action("mine", ("m",), N_("my line"), N_("To where you stand.")),
        Action("leave", ("x",), N_("leave them"), N_("Be shown in these standings no longer.")),
        Action("come_back", ("x",), N_("be listed"), N_("Be shown in these standings again.")),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    ServerStandings #game { height: 1; width: 100%; padding: 0 3; margin: 1 0 0 0; }
    LookBackScreen.-low ServerStandings #game { margin: 0; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._games = list(GAMES)
        self._at = 0
        self._is_listed: bool | None = None
        """None until the server has said so."""
        self._asked: set[int] = set()
        """Pages that were asked for."""

    def compose(self) -> ComposeResult:
        yield FixedText(id="game")
        yield StandingList()

    @property
    def _list(self) -> StandingList:
        return self.query_one(StandingList)

    def begin(self) -> None:
        self._list.focus()
        self._turn_to(self._at)

    def _turn_to(self, number: int) -> None:
        self._at = number % len(self._games)
        game = self._games[self._at]
        if self._list.game != game:
            self._list.at = 0
        self._list.game = game
        self._show_game()
        self._forget()
        if STANDINGS not in self.look_back.client_state.features:
            self._list.sentence = _("This server keeps no standings.")
            self._list.redraw()
        else:
            self.run_worker(self._load(0), group="standings", exclusive=True)

    def _show_game(self) -> None:
        name = f"< {game_name(self._list.game)} >"
        room = self.app.size.width - 6 - cells_of(name)
        remarks = [_("?: provisional."), _("Bots have fixed ratings.")]
        remark = next(iter(flowed(remarks, room - 2, " ")))
        gap = max(2, room - cells_of(remark))
        title = Content.assemble((name, "bold $accent"), " " * gap, (remark, "$faint"))
        self.query_one("#game", FixedText).set_text(title)

    def on_resize(self) -> None:
        if self._list.game:
            self._show_game()

    def _forget(self) -> None:
        self._asked.clear()
        self._list.lines, self._list.total, self._list.mine = {}, 0, None
        self._list.sentence = ""

    async def _load(self, page: int) -> None:
        rows, game = self._list, self._list.game
        self._asked.add(page)
        told = await self.look_back.ask(protocol.GetStandings, game, page * PAGE)
        if not isinstance(told, Standings) or rows.game != game:
            return
        rows.total = max(0, min(told.total, MOST_LINES))
        rows.mine, self._is_listed = told.mine, told.listed
        found = dict(enumerate(told.lines[:PAGE], start=page * PAGE))
        rows.lines = {**rows.lines, **found}
        if not page and all(line.bot is not None for line in told.lines) and rows.total <= PAGE:
            words = _("Nobody has played three matches of {game} here yet.")
            rows.sentence = words.format(game=game_name(game))
        rows.mark(rows.at)
        self.refresh_bindings()

    def on_rows_marked(self) -> None:
        """Have what is around the marked line, a page at a time."""
        rows = self._list
        for number in (rows.at, rows.at + PAGE // 2, rows.at - PAGE // 2):
            page = number // PAGE
            if 0 <= number < rows.total and page not in self._asked:
                self.run_worker(self._load(page), group="standings")
                return

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "mine":
                return self._list.mine is not None
            case "leave":
                return self._is_listed is True
            case "come_back":
                return self._is_listed is False
            case _:
                return super().check_action(action, parameters)

    def action_next_game(self) -> None:
        self._turn_to(self._at + 1)

    def action_game_before(self) -> None:
        self._turn_to(self._at - 1)

    def action_mine(self) -> None:
        if self._list.mine is not None:
            self._list.mark(self._list.mine)

    def action_leave(self) -> None:
        self.run_worker(self._be_listed(on=False), group="listing", exclusive=True)

    def action_come_back(self) -> None:
        self.run_worker(self._be_listed(on=True), group="listing", exclusive=True)

    async def _be_listed(self, *, on: bool) -> None:
        if isinstance(await self.look_back.ask(protocol.SetListed, on=on), Accepted):
            self._turn_to(self._at)
            shown = _("You are shown in the standings of this server again.")
            hidden = _("You are shown to nobody in the standings of this server.")
            self.look_back.show_notice(shown if on else hidden)
