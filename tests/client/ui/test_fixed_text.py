"""A text that stands where it stands is painted as it is now, whatever was painted before."""

import asyncio
from collections.abc import Callable

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Size
from textual.pilot import Pilot

from diadem_client.ui.widgets.fixed_text import MOST_KEPT, FixedText, broken
from tests.patience import PATIENCE

RED, BLUE = "rgb(200,0,0)", "rgb(0,0,200)"


class Shown(App[None]):
    CSS = "FixedText { width: 100%; height: 2; }"

    def compose(self) -> ComposeResult:
        yield FixedText("first")


def painted(app: App[None]) -> list[tuple[str, object]]:
    """What is written in the first line, and in which colour."""
    line = app.query_one(FixedText).render_line(0)
    return [(each.text.rstrip(), each.style and each.style.color) for each in line]


async def until(pilot: Pilot[None], found: Callable[[], bool]) -> None:
    """A busy machine takes a moment to tell a widget of other styles."""
    async with asyncio.timeout(PATIENCE):
        while not found():
            await pilot.pause(0.01)


async def test_what_was_painted_before_is_shown_again_as_it_was() -> None:
    async with Shown().run_test() as pilot:
        text = pilot.app.query_one(FixedText)
        seen = []
        for words in ("one", "two", "one", "two"):
            text.set_text(words)
            await pilot.pause()
            seen.append(painted(pilot.app))
        assert seen[0] == seen[2] != seen[1] == seen[3]


async def test_the_same_words_in_another_colour_are_painted_anew() -> None:
    async with Shown().run_test() as pilot:
        text = pilot.app.query_one(FixedText)
        seen = []
        for colour in (RED, BLUE, RED):
            text.set_text(Content.styled("words", colour))
            await pilot.pause()
            seen.append(painted(pilot.app))
        assert seen[0] == seen[2] != seen[1]


async def test_other_styles_and_sizes_are_heeded() -> None:
    async with Shown().run_test() as pilot:
        text = pilot.app.query_one(FixedText)
        plain = painted(pilot.app)
        text.styles.color = RED
        await until(pilot, lambda: painted(pilot.app) != plain)
        await pilot.resize_terminal(4, 5)
        await until(pilot, lambda: text.size == Size(4, 2))
        assert painted(pilot.app)[0][0] == "firs"


async def test_of_many_texts_few_are_kept() -> None:
    async with Shown().run_test() as pilot:
        text = pilot.app.query_one(FixedText)
        for number in range(3 * MOST_KEPT):
            text.set_text(f"words {number}")
            assert painted(pilot.app)[0][0] == f"words {number}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Où joues-tu ?", ["Où", "joues-tu ?"]),
        ("Ana a 12 000 $", ["Ana a", "12 000 $"]),
        ("deux\nmots : bien !", ["deux", "mots :", "bien !"]),
        ("Où Où Où Où", ["Où Où Où", "Où"]),
    ],
)
async def test_a_line_is_not_broken_before_the_punctuation_of_french(
    text: str, shown: list[str]
) -> None:
    async with Shown().run_test(size=(10, 5)) as pilot:
        widget = pilot.app.query_one(FixedText)
        widget.styles.height = "auto"
        widget.set_text(text, layout=True)
        await pilot.pause()
        assert widget.size.height == len(shown)
        rows = [widget.render_line(y).text.rstrip() for y in range(len(shown))]
        assert rows == shown


def test_what_is_broken_anew_keeps_its_colours() -> None:
    text = broken(Content.assemble("wo es ", ("ist :", RED), " da"), 9)
    assert text.plain == "wo es\nist : da"
    assert [text.plain[span.start : span.end] for span in text.spans] == ["ist :"]
