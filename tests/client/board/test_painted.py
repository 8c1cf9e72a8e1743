"""What a pane paints by itself is what Textual would paint, and is painted only where it is seen."""

from unittest.mock import patch

import pytest
from textual.app import ComposeResult
from textual.events import Click, Key
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.widgets import Static

from diadem_client.board.canvas import Canvas
from diadem_client.board.drawn import DrawnPane
from diadem_client.games.diamino.pane import DiaminoPane
from diadem_client.ui.direct_painter import DirectPainter
from diadem_shared.chance import Chance
from diadem_shared.entries import Started
from diadem_shared.games import GAMES
from diadem_shared.games.diamino.table import Hand
from diadem_shared.games.diamino.tiles import JOKER
from tests.client.board.host import LARGE, SMALL, Desk, Host, press
from tests.client.monitor import Monitor, until

BOARD = "diamino-rummy"
KEYS = [*"aeinrst1234560bdfp", "left", "right", "up", "down", "space", "backspace", "enter"]


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
@pytest.mark.parametrize("game", GAMES)
async def test_it_is_what_textual_would_paint(game: str, left: list[Region]) -> None:
    chance = Chance(b"painted", game)
    host = Host(Desk(game, seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        for theme in ("textual-dark", "ansi-dark"):
            host.theme = theme
            await pilot.pause()
            monitor = watch(host, left)
            for key in ["d", "right", *(KEYS[chance.below(len(KEYS))] for _ in range(8))]:
                await press(pilot, [key])
                await until(pilot, lambda: monitor.is_right)  # noqa: B023, awaited at once
            assert monitor.painted


async def test_only_cells_that_differ_are_painted(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        await press(pilot, ["right"])
        await until(pilot, lambda: monitor.painted)
        assert sum(len(span.cells) for span in monitor.painted) <= 6


async def test_many_keys_at_once_are_one_drawing_and_one_frame(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        await press(pilot, ["left"])
        await until(pilot, lambda: monitor.painted)
        monitor.frames.clear()
        assert host.pane.direct_painter is not None
        with patch.object(host.pane, "draw", wraps=host.pane.draw) as drawn:
            with host.pane.direct_painter.held():
                await press(pilot, ["right", "down", "right"])
                assert not drawn.called
            await until(pilot, lambda: monitor.painted)
        assert drawn.call_count == 1
        rows = [span.row for span in monitor.painted]
        assert len(set(rows)) == len(rows)
        assert monitor.is_right


async def test_what_is_tapped_is_what_lies_there_by_then(left: list[Region]) -> None:
    """Even if it was not drawn yet: one of two equal tiles is laid by a key, and then its place in the rack is tapped."""
    host = Host(desk := started("diamino-bonus", "bryony"), bots=False)
    private: Hand | None = desk.view(0).private
    assert private is not None
    hand = private.tiles
    twin = next(tile for tile in hand if tile != JOKER and hand.count(tile) > 1)
    async with host.run_test(size=SMALL) as pilot:
        monitor, pane = watch(host, left), host.pane
        assert isinstance(pane, DiaminoPane)
        await press(pilot, ["left"])
        await until(pilot, lambda: monitor.painted)
        rows = [pane.render_line(y).text for y in range(pane.size.height)]
        rack = "     ".join(hand)
        (y,) = (y for y, row in enumerate(rows) if rack in row)
        x = rows[y].index(rack) + 6 * hand.index(twin)
        pane.on_key(Key(twin.lower(), twin.lower()))
        pane.on_click(Click(pane, x, y, 0, 0, 1, shift=False, meta=False, ctrl=False))
        assert pane.draft is not None
        assert len(pane.draft.placed) == 1


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
        monitor.frames.clear()
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
        assert monitor.is_right


async def test_a_frame_that_is_due_does_not_come_over_a_dialog(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        host.pane.on_key(Key("right", None))
        await host.push_screen(Dialog())
        await until(pilot, lambda: left)
        await pilot.pause()
        assert not monitor.painted


async def test_what_was_drawn_in_another_size_is_not_painted_over_others(
    left: list[Region],
) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        width, height = host.pane.size
        canvas = Canvas(width, height + 1)
        host.pane.take_rows(canvas.rows())
        monitor = watch(host, left)
        canvas.put(0, height, "below it")
        host.pane.take_rows(canvas.rows())
        assert host.pane.direct_painter is not None
        assert host.pane.direct_painter.takes(host.pane, host.pane)
        await until(pilot, lambda: left)
        assert not monitor.painted


async def test_another_size_is_for_textual_to_paint(left: list[Region]) -> None:
    host = Host(started(BOARD), bots=False)
    async with host.run_test(size=SMALL) as pilot:
        monitor = watch(host, left)
        await pilot.resize_terminal(*LARGE)
        await pilot.pause()
        assert left
        assert not monitor.painted


def started(game: str, seed: str = "amber") -> Desk:
    desk = Desk(game, seats=2, seed=seed)
    desk.enter(Started())
    return desk


def watch(host: Host, left: list[Region]) -> Monitor:
    monitor = Monitor(host, host.pane)
    host.pane.direct_painter = DirectPainter(host.screen, monitor)
    left.clear()
    return monitor
