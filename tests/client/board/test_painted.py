"""What a pane paints by itself is what Textual would paint, and is painted only where it is seen."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

import pytest
from textual.app import ComposeResult
from textual.events import Key
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import ModalScreen
from textual.widgets import Static

from diadem.chance import Chance
from diadem.entries import Started
from diadem.games import GAMES
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.painted import FRAME
from diadem_client.terminal.diff import ScreenBuffer, Span
from tests.client.board.host import LARGE, SMALL, Desk, Host, press
from tests.client.emulator import Terminal

BOARD = "diamino-rummy"
KEYS = [*"aeinrst1234560bdfp", "left", "right", "up", "down", "space", "backspace", "enter"]


class Monitor:
    """A terminal on which nothing stands but the pane."""

    def __init__(self, pane: DrawnPane) -> None:
        self._pane = pane
        self.takes = True
        self.painted: list[Span] = []
        self._size = pane.app.size
        self._buffer, self.terminal = ScreenBuffer(), Terminal(self._size)
        self.repaint()

    def paint(self, spans: Sequence[Span]) -> bool:
        if not self.takes:
            return False
        self.painted += spans
        data = self._buffer.paint(spans, self._size)
        self.terminal.feed(data or "")
        return data is not None

    def repaint(self) -> None:
        self.terminal.feed(self._buffer.diff("".join(self._whole()), self._size))

    def anew(self) -> Terminal:
        """What Textual would show."""
        terminal = Terminal(self._size)
        terminal.feed("".join(self._whole()))
        return terminal

    def _whole(self) -> Iterator[str]:
        pane, (width, height) = self._pane, self._size
        for y in range(height):
            yield f"\x1b[{y + 1};1H{' ' * width}"
        lines = pane.render_lines(pane.size.region)
        for y, line in enumerate(lines, start=pane.region.y + 1):
            yield f"\x1b[{y};{pane.region.x + 1}H{line.render(pane.app.console)}"
        yield "\x1b[1;1H"


class Over(Static):
    DEFAULT_CSS = "Over { layer: over; offset: 20 5; width: 9; height: 3; }"


class Dialog(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("?")


class Layered(Host):
    CSS = Host.CSS + "Screen { layers: default over; }"


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[Region]:
    """Regions that were left to Textual; an empty one for all of the pane."""
    regions: list[Region] = []
    refresh = DrawnPane.refresh

    def listen(pane: DrawnPane, *given: Region, **named: bool) -> DrawnPane:
        regions.extend(given or [Region()])
        return refresh(pane, *given, **named)

    monkeypatch.setattr(DrawnPane, "refresh", listen)
    return regions


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["textual-dark", "ansi-dark"])
@pytest.mark.parametrize("game", GAMES)
async def test_it_is_what_textual_would_paint(game: str, theme: str, left: list[Region]) -> None:
    chance = Chance(b"painted", game)
    host = Host(Desk(game, seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        host.theme = theme
        await pilot.pause()
        monitor = watch(host, left)
        for key in ["d", "right", *(KEYS[chance.below(len(KEYS))] for _ in range(15))]:
            await press(pilot, [key])
            await until(pilot, lambda: monitor.terminal.cells == monitor.anew().cells)
        assert monitor.painted


async def test_only_cells_that_differ_are_painted(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        await press(pilot, ["right"])
        await until(pilot, lambda: monitor.painted)
        assert sum(len(span.cells) for span in monitor.painted) <= 6


async def test_many_keys_at_once_are_one_frame(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        with host.pane.held():
            await press(pilot, ["right", "down", "right"])
            assert not monitor.painted
        await until(pilot, lambda: monitor.painted)
        rows = [span.row for span in monitor.painted]
        assert len(set(rows)) == len(rows)
        assert monitor.terminal.cells == monitor.anew().cells


async def test_what_cannot_be_painted_is_left_to_textual(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        monitor.takes = False
        await press(pilot, ["right"])
        await until(pilot, lambda: left)
        assert sum(region.area for region in left) <= 6


@pytest.mark.parametrize("over", [Over, Dialog])
async def test_nothing_is_painted_over_what_lies_over_it(
    over: type[Over | Dialog], left: list[Region]
) -> None:
    host = Layered(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        await press(pilot, ["right"])
        await until(pilot, lambda: monitor.painted)
        lying = over()
        await (host.mount(lying) if isinstance(lying, Over) else host.push_screen(lying))
        await pilot.pause()
        monitor.painted.clear()
        left.clear()
        host.pane.on_key(Key("left", None))
        assert left
        await pilot.pause()
        await (lying.remove() if isinstance(lying, Over) else lying.dismiss())
        await pilot.pause()
        assert not monitor.painted
        monitor.repaint()
        await press(pilot, ["right"])
        await until(pilot, lambda: monitor.painted)
        assert monitor.terminal.cells == monitor.anew().cells


async def test_a_frame_that_is_due_does_not_come_over_a_dialog(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        host.pane.on_key(Key("right", None))
        await host.push_screen(Dialog())
        await until(pilot, lambda: left)
        await pilot.pause()
        assert not monitor.painted


async def test_another_size_is_for_textual_to_paint(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        assert left
        assert not monitor.painted


async def test_who_leaves_paints_no_more(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        host.pane.on_key(Key("right", None))
        await host.pane.remove()
        await pilot.pause(2 * FRAME)
        assert not monitor.painted


def started(game: str) -> Desk:
    desk = Desk(game, seats=2, seed="amber")
    desk.enter(Started())
    return desk


def watch(host: Host, left: list[Region]) -> Monitor:
    host.pane.painter = monitor = Monitor(host.pane)
    left.clear()
    return monitor


async def until(pilot: Pilot[None], holds: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await pilot.pause()
