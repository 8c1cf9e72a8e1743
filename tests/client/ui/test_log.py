"""Lines that are broken where the terminal ends."""

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult

from diadem_client.ui.widgets.log import Log, wrapped
from diadem_client.ui.widgets.log_and_chat import LogAndChat


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [""]),
        ("short", ["short"]),
        ("one two three four", ["one two", "  three four"]),
        ("a verylongwordindeed", ["a", "  verylongwo", "  rdindeed"]),
        ("elle dit oui !", ["elle dit", "  oui !"]),
        ("日本日本日本日本", ["  日本日本日", "  本日本"]),
    ],
)
def test_lines_are_broken_between_words(text: str, rows: list[str]) -> None:
    assert wrapped(text, 12) == rows
    assert all(cell_len(row) <= 12 for row in wrapped(text, 12))


class Shown(App[None]):
    CSS = "LogAndChat { height: 14; dock: bottom; display: none; }"

    def compose(self) -> ComposeResult:
        yield LogAndChat()


def some_lines(count: int) -> list[str]:
    return [f"line {number}" for number in range(1, 1 + count)]


@pytest.mark.parametrize("opened_at_once", [True, False])
async def test_the_last_lines_are_in_sight_each_time_it_is_opened(*, opened_at_once: bool) -> None:
    async with Shown().run_test() as pilot:
        log, around = pilot.app.query_one("#log", Log), pilot.app.query_one(LogAndChat)
        for lines in (20, 30):
            log.show(some_lines(10))
            log.show(some_lines(lines))
            if not opened_at_once:
                await pilot.pause()
            around.display = True
            await pilot.pause()
            await pilot.pause()
            assert log.scroll_offset.y == log.max_scroll_y == lines - log.size.height
            around.display = False
            await pilot.pause()


async def test_words_keep_away_from_a_scroll_bar_and_from_nothing_else() -> None:
    async with Shown().run_test() as pilot:
        log, around = pilot.app.query_one("#log", Log), pilot.app.query_one(LogAndChat)
        around.display = True
        await pilot.pause()
        width, height = log.scrollable_content_region.size
        for count, longest in ((height, width), (height + 1, width - 1), (height, width)):
            log.show(["x" * width] * count)
            await pilot.pause()
            rows = [log.render_line(y).text.rstrip() for y in range(height)]
            assert max(map(len, rows)) == longest


async def test_who_reads_further_up_is_left_there() -> None:
    async with Shown().run_test() as pilot:
        log, around = pilot.app.query_one("#log", Log), pilot.app.query_one(LogAndChat)
        around.display = True
        log.show(some_lines(20))
        await pilot.pause()
        log.scroll_to(y=3, animate=False)
        await pilot.pause()
        log.show(some_lines(21))
        await pilot.pause()
        assert log.scroll_offset.y == 3


async def test_no_end_of_a_line_is_lost_behind_the_scroll_bar() -> None:
    async with Shown().run_test(size=(30, 24)) as pilot:
        log, around = pilot.app.query_one("#log", Log), pilot.app.query_one(LogAndChat)
        around.display = True
        await pilot.pause()
        log.show(["a line that is broken in two or three"] * 20)
        await pilot.pause()
        assert log.show_vertical_scrollbar
        assert log.virtual_size.width <= log.scrollable_content_region.width


async def test_lines_that_are_new_have_a_mark_that_is_not_looked_for() -> None:
    async with Shown().run_test(size=(20, 20)) as pilot:
        log = pilot.app.query_one("#log", Log)
        pilot.app.query_one(LogAndChat).display = True
        log.show(["Ana: one", "Bob: one two three four five"], [1])
        await pilot.pause()
        rows = [log.render_line(y).text.rstrip() for y in range(3)]
        assert rows == ["Ana: one", "\u2022 Bob: one two", "  three four five"]
        assert not log.find("\u2022")
        log.show(["Ana: one", "Bob: one two three four five"])
        assert log.render_line(1).text.startswith("Bob")
