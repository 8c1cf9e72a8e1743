"""What lies under a panel is a pale text, without the pictures."""

from rich.console import Console
from rich.style import Style
from rich.text import Text

from diadem_client.look import art, signs
from diadem_client.ui.widgets.overlay import Dimmed


def test_words_are_left_and_pictures_are_not() -> None:
    console = Console()
    below = Text("Ana ") + Text(f"{art.FULL}{art.UPPER}{art.LOWER}", "red") + Text(" 12")
    segments = list(console.render(Dimmed(below, Style(dim=True)), console.options))
    assert "".join(segment.text for segment in segments).rstrip() == "Ana     12"
    assert all(segment.style == Style(dim=True) for segment in segments)


def test_what_is_marked_is_still_seen() -> None:
    console = Console()
    segments = console.render(Dimmed(Text(signs.MARKED.own), Style(dim=True)), console.options)
    assert next(iter(segments)).text == signs.MARKED.own
