"""How one has fared: each game with a bar, and of the marked one how the newest matches ended, the best, and against whom."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.geometry import Size

from diadem_client.board.canvas import Canvas, Ink, Rect, cells_of, fitted, wrapped
from diadem_client.board.emblem import CROWN_HEIGHT, CROWN_WIDTH, draw_crown
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.look import signs
from diadem_client.look.palette import Paint
from diadem_client.ui.actions import Action, bindings, refresh_bindings_once_drawn
from diadem_client.ui.widgets.drawing import Drawing
from diadem_client.ui.widgets.rows import HEAD, Rows
from diadem_client.ui.widgets.section import Section
from diadem_client.wording.options import game_name
from diadem_client.wording.statistics import facts, opponent, part_of, percent
from diadem_client.wording.values import grouped
from diadem_shared import protocol
from diadem_shared.protocol import STANDINGS, OwnStatistics
from diadem_shared.statistics import GameStatistics

LEFT = 3
WIDE = 76
"""From this width on opponents stand beside the rest."""
MOST_GAMES = 20
MOST_FACTS = 8
MOST_OPPONENTS = 12
MOST_LATELY = 30
BAR = 12


class GameList(Rows):
    DEFAULT_CSS = """
    GameList { height: auto; width: 100%; margin: 1 0 0 0; }
    LookBackScreen.-low GameList { margin: 0; }
    """
    games: Sequence[GameStatistics] = ()

    @property
    def count(self) -> int:
        return len(self.games)

    @property
    def marked(self) -> GameStatistics | None:
        return self.games[self.at] if self.games else None

    def show(self, games: Sequence[GameStatistics]) -> None:
        """The same game stays marked."""
        before = self.marked.game if self.marked else ""
        self.games = games
        names = [each.game for each in games]
        self.styles.height = HEAD + len(games)
        self.mark(names.index(before) if before in names else 0)

    def draw(self, canvas: Canvas) -> None:
        if not self.games:
            return
        matches, won, _bar, _share = _columns(canvas.width)
        canvas.put(LEFT, 0, _("game"), Ink.FAINT)
        canvas.right(matches, 0, _("matches"), Ink.FAINT)
        canvas.right(won, 0, _("won"), Ink.FAINT)
        canvas.rule(2, 1, canvas.width - 4)
        self.draw_rows(canvas)

    def draw_row(self, canvas: Canvas, number: int, y: int, *, marked: bool) -> None:
        game = self.games[number]
        matches, won, bar, share = _columns(canvas.width)
        room = matches - cells_of(_("matches")) - LEFT - 1
        paint = Ink.STRONG if marked else Ink.PLAIN
        canvas.put(LEFT, y, fitted(game_name(game.game), room), paint)
        canvas.right(matches, y, grouped(game.matches))
        canvas.right(won, y, grouped(game.won), paint)
        canvas.gauge(Rect(bar, y, share - 6 - bar, 1), game.won, game.matches, "bar.1")
        canvas.right(share, y, percent(game.won, game.matches), Ink.FAINT)


def _columns(width: int) -> tuple[int, int, int, int]:
    """The ends of the numbers of matches and wins, where the bar begins, and the end of the share."""
    return (31, 40, 43, min(width - 3, 78)) if width >= WIDE else (27, 35, 37, width - 2)


class GameSheet(Drawing):
    """Of one game, as high as there is to tell, or as there is room."""

    DEFAULT_CSS = "GameSheet { height: auto; width: 100%; min-height: 100%; }"
    game: GameStatistics | None = None
    is_known = False
    """Whether there is an answer."""
    is_kept = True
    """Whether the server has such a thing."""

    def show(self, game: GameStatistics | None) -> None:
        self.game, self.is_known = game, True
        self.redraw()
        self.refresh(layout=True)

    def get_content_height(self, _container: Size, _viewport: Size, width: int) -> int:
        return 0 if self.game is None else _rows_of(self.game, width)

    def draw(self, canvas: Canvas) -> None:
        if self.game is not None:
            _draw_game(canvas, self.game)
        elif self.is_known:
            draw_none(
                canvas,
                _("Nothing to count yet: play a match to its end.")
                if self.is_kept
                else _("This server keeps no statistics."),
            )


def _rows_of(game: GameStatistics, width: int) -> int:
    told, met = len(facts(game)[:MOST_FACTS]), len(game.opponents[:MOST_OPPONENTS])
    return 2 + max(told, 1 + met) if width >= WIDE else 1 + told + 2 + met


def _draw_game(canvas: Canvas, game: GameStatistics) -> None:
    """How the newest matches ended; below it what else there is, and beside or below that the opponents."""
    told = facts(game)[:MOST_FACTS]
    width = max(cells_of(label) for label in (_("lately"), *(label for label, _value in told)))
    value = LEFT + width + 2
    canvas.put(LEFT, 0, _("lately"), Ink.FAINT)
    _draw_lately(canvas, game.lately, value, canvas.width - 2)
    is_wide = canvas.width >= WIDE
    middle = canvas.width // 2 - 2
    y = top = 2 if is_wide else 1
    for label, reached in told:
        canvas.put(LEFT, y, label, Ink.FAINT)
        canvas.put(value, y, fitted(reached, (middle if is_wide else canvas.width) - value - 2))
        y += 1
    x, y = (middle, top) if is_wide else (LEFT, y + 1)
    canvas.put(x, y, _("ahead of"), Ink.FAINT)
    met = game.opponents[:MOST_OPPONENTS]
    counts = max((cells_of(part_of(each.won, each.matches)) for each in met), default=0)
    room = canvas.width - 2 - x - BAR - counts - 3
    for each in met:
        y += 1
        canvas.put(x, y, fitted(opponent(each, game.game), room))
        canvas.gauge(Rect(x + room + 1, y, BAR, 1), each.won, each.matches, "bar.1")
        canvas.right(canvas.width - 2, y, part_of(each.won, each.matches), Ink.FAINT)


def _draw_lately(canvas: Canvas, places: Sequence[int], x: int, end: int) -> None:
    """A sign for each of the newest matches, the newest at the right."""
    for place in places[-min(MOST_LATELY, end - x) :]:
        won, lost = canvas.sign(signs.STONE), canvas.sign(signs.HOLE)
        x = canvas.put(x, 0, won if place == 1 else lost, Paint("good" if place == 1 else "dot"))


def draw_none(canvas: Canvas, sentence: str) -> None:
    """The crown, and a sentence below it."""
    top = max(0, (canvas.height - CROWN_HEIGHT - 4) // 2)
    draw_crown(canvas, (canvas.width - CROWN_WIDTH) // 2, top)
    for offset, line in enumerate(wrapped(sentence, min(60, canvas.width - 4))):
        at = (canvas.width - cells_of(line)) // 2, top + CROWN_HEIGHT + 2 + offset
        canvas.put(*at, line, Ink.STRONG)


class OwnFigures(Section):
    label = N_("Statistics")
    ACTIONS = (
        Action(
            "further", ("space",), N_("further"), N_("See what stands below, and the top again.")
        ),
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings(ACTIONS)
    DEFAULT_CSS = """
    OwnFigures VerticalScroll { height: 1fr; margin: 1 0 0 0; scrollbar-size-vertical: 1; }
    """

    def compose(self) -> ComposeResult:
        yield GameList()
        with VerticalScroll(can_focus=False):
            yield GameSheet()

    def on_mount(self) -> None:
        self.watch(self.query_one(VerticalScroll), "virtual_size", self._laid_out)

    def _laid_out(self) -> None:
        refresh_bindings_once_drawn(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "further":
            return self.query_one(VerticalScroll).max_scroll_y > 0
        return super().check_action(action, parameters)

    def action_further(self) -> None:
        below = self.query_one(VerticalScroll)
        if below.scroll_offset.y < below.max_scroll_y:
            below.scroll_page_down(animate=False)
        else:
            below.scroll_home(animate=False)

    def begin(self) -> None:
        self.query_one(GameList).focus()
        self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        if self.look_back.is_at_server:
            await self._load_from_server()
        elif self.look_back.diadem.local.servers is not None:
            await self._load_from_home()

    async def _load_from_server(self) -> None:
        sheet = self.query_one(GameSheet)
        sheet.is_kept = STANDINGS in self.look_back.client_state.features
        games: Sequence[GameStatistics] = ()
        if sheet.is_kept:
            answer = await self.look_back.ask(protocol.GetStatistics)
            if not isinstance(answer, OwnStatistics):
                return
            games = answer.games[:MOST_GAMES]
        self._show(games)

    async def _load_from_home(self) -> None:
        """What was played since the last time is counted now, and shown as it grows."""
        local = self.look_back.diadem.local
        assert local.servers is not None  # noqa: S101, as `_load` has seen
        home = await asyncio.to_thread(local.servers.statistics, local.in_own_words)
        self._show(home.games)
        if not home.waiting:
            return
        while home.waiting:
            words = _("Counting what you have played: {count} to go.").format(count=home.waiting)
            self.look_back.show_notice(words)
            await asyncio.to_thread(home.count_one)
        self.look_back.show_notice("")
        self._show(home.games)
        await asyncio.to_thread(home.save)

    def _show(self, games: Sequence[GameStatistics]) -> None:
        self.query_one(GameList).show(games)
        self._show_marked()

    def _show_marked(self) -> None:
        self.query_one(GameSheet).show(self.query_one(GameList).marked)
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def on_rows_marked(self) -> None:
        if self.query_one(GameSheet).is_known:
            self._show_marked()
