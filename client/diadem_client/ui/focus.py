"""Where the focus goes from line to line of a form."""

from typing import Any

from textual.screen import Screen
from textual.widget import Widget


def move_focus(screen: Screen[Any], by: int) -> None:
    """To the line so many further on, round again at the ends.

    Lines follow each other as they were composed. Textual's own order goes by where they were laid out last: a line
    that has just appeared would come before others until the screen is laid out anew, and keys may be faster.
    """
    lines = [each for each in screen.query(Widget).results() if each.focusable and _is_shown(each)]
    if screen.focused in lines:
        screen.set_focus(lines[(lines.index(screen.focused) + by) % len(lines)])
    elif lines:
        screen.set_focus(lines[0])


def _is_shown(widget: Widget) -> bool:
    return all(each.display for each in widget.ancestors_with_self if isinstance(each, Widget))
