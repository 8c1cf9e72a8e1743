"""What is painted past Textual is what Textual would paint, in one frame, and nothing lies over it."""

from collections.abc import Iterator

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from diadem_client.ui.direct_painter import FRAME, DirectPainter
from diadem_client.ui.widgets.fixed_text import FixedText
from tests.client.monitor import Monitor, until


class Desktop(App[None]):
    """Texts of which one is painted past Textual and one, of the same words, is not."""

    CSS = """
    Screen { layers: default over; }
    FixedText { height: 2; width: 100%; padding: 0 1; background: darkblue; color: white; text-style: bold; }
    #low { height: 1; padding: 0; }
    #over { layer: over; offset: 20 1; width: 9; height: 1; }
    """
    ENABLE_COMMAND_PALETTE = False

    def compose(self) -> ComposeResult:
        for name in ("own", "textual", "low"):
            yield FixedText(id=name)

    def text(self, name: str) -> FixedText:
        return self.screen.query_one(f"#{name}", FixedText)

    def set_up(self) -> Monitor:
        own, low = self.text("own"), self.text("low")
        monitor = Monitor(self, own, low)
        own.direct_painter = low.direct_painter = DirectPainter(self.screen, monitor)
        return monitor

    def on_top(self) -> Iterator[str]:
        for line in self.text("own").render_lines(self.text("own").outer_size.region):
            yield line.render(self.console)


class Dialog(ModalScreen[None]):
    def compose(self) -> ComposeResult:
        yield Static("?")


TEXTS = (
    "short",
    "a sentence that is so long that it has to be broken into two lines, which is done between words",
    "two\nlines",
    Content.assemble(("No.", "$error"), "  ", ("Green", "green on black")),
    "",
)


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "ansi-dark"])
async def test_a_text_is_painted_as_textual_paints_it(theme: str) -> None:
    app = Desktop()
    async with app.run_test(size=(60, 8)) as pilot:
        app.theme = theme
        await pilot.pause()
        for text in TEXTS:
            app.text("own").set_text("before")
            await pilot.pause()
            monitor = app.set_up()
            for each in ("own", "textual"):
                app.text(each).set_text(text)
            await until(pilot, lambda: monitor.frames and monitor.is_right)  # noqa: B023, awaited at once
            twin = app.text("textual")
            lines = twin.render_lines(twin.outer_size.region)
            assert [line.text for line in lines] == [
                "".join(cell for cell, _style in span.cells) for span in monitor.painted
            ]
            other = Monitor(app, twin)
            rows = range(twin.outer_size.height)
            top = twin.region.y
            assert [monitor.terminal.cells[y, x] for y in rows for x in range(60)] == [
                other.terminal.cells[top + y, x] for y in rows for x in range(60)
            ]


async def test_what_changes_at_once_is_one_frame() -> None:
    app = Desktop()
    async with app.run_test(size=(60, 8)) as pilot:
        monitor = app.set_up()
        app.text("own").set_text("one")
        app.text("low").set_text("two")
        app.text("own").set_text("three")
        await until(pilot, lambda: monitor.is_right and monitor.frames)
        assert len(monitor.frames) == 1


async def test_while_it_is_held_nothing_is_painted() -> None:
    app = Desktop()
    async with app.run_test(size=(60, 8)) as pilot:
        monitor = app.set_up()
        direct_painter = app.text("own").direct_painter
        assert direct_painter is not None
        with direct_painter.held():
            app.text("own").set_text("one")
            await pilot.pause(2 * FRAME)
            assert not monitor.frames
        await until(pilot, lambda: monitor.frames)
        assert monitor.is_right


@pytest.mark.parametrize("due", [False, True])
async def test_nothing_is_painted_under_another_screen(due: bool) -> None:  # noqa: FBT001
    app = Desktop()
    async with app.run_test(size=(60, 8)) as pilot:
        monitor, own = app.set_up(), app.text("own")
        if due:
            own.set_text("under it")
        await app.push_screen(Dialog())
        own.set_text("under it")
        await pilot.pause(2 * FRAME)
        assert not monitor.frames
        app.pop_screen()
        await pilot.pause()
        own.set_text("seen again")
        await until(pilot, lambda: monitor.frames)


async def test_nothing_is_painted_over_another_widget() -> None:
    app = Desktop()
    async with app.run_test(size=(60, 8)) as pilot:
        monitor, own, low = app.set_up(), app.text("own"), app.text("low")
        over = Static("over it", id="over")
        await app.mount(over)
        await pilot.pause()
        own.set_text("below")
        low.set_text("beside")
        await until(pilot, lambda: monitor.frames)
        await pilot.pause(2 * FRAME)
        assert {span.row for span in monitor.painted} == {low.region.y}
        await over.remove()
        await pilot.pause()
        own.set_text("seen again")
        await until(pilot, lambda: len(monitor.frames) > 1)


async def test_what_cannot_be_painted_is_left_to_textual(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Desktop()
    left: list[object] = []
    async with app.run_test(size=(60, 8)) as pilot:
        monitor = app.set_up()
        monitor.takes = False
        monkeypatch.setattr(app.text("own"), "update", lambda said, **_: left.append(said))
        app.text("own").set_text("mine")
        await until(pilot, lambda: left)


async def test_whoever_is_taken_away_is_not_painted() -> None:
    app = Desktop()
    async with app.run_test(size=(60, 8)) as pilot:
        monitor = app.set_up()
        app.text("own").set_text("one")
        await app.text("own").remove()
        await pilot.pause(2 * FRAME)
        assert not monitor.painted


async def test_textual_is_given_the_newest() -> None:
    app = Desktop()
    async with app.run_test(size=(60, 8)) as pilot:
        monitor = app.set_up()
        for text in ("one", "two"):
            app.text("own").set_text(text)
            assert any(text in line for line in app.on_top())
        await until(pilot, lambda: monitor.frames)
