"""What has to be true of every screen: text can be read, fields can be seen, scroll bars stand apart."""

from collections.abc import Iterator

from rich.color import ColorSystem
from rich.style import Style
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Input

from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import contrast, rgb_of
from tests.client.ui.screens.rig import Seen

READABLE = 4.5
"""The contrast that the guidelines for accessible content (WCAG AA) ask of text."""


def faint_texts(seen: Seen, tier: ColorDepth) -> dict[str, float]:
    """Texts with too little contrast."""
    found = {text: contrast_of(style, tier) for text, style in written(seen)}
    return {text: round(value, 1) for text, value in found.items() if value < READABLE}


def written(seen: Seen) -> Iterator[tuple[str, Style]]:
    """Segments with letters or digits; of a dialog only its own, as what lies under it is dimmed."""
    screen = seen.app.screen
    regions = [screen.region]
    if screen.is_modal:
        leaves = [each for each in screen.query("*") if not each.children and each.region]
        regions = [screen.find_widget(each).visible_region for each in leaves]
    for y, strip in enumerate(seen.strips):
        x = 0
        for text, style, _control in strip:
            area = Region(x, y, len(text), 1)
            x += len(text)
            if any(map(str.isalnum, text)) and any(each.overlaps(area) for each in regions):
                yield text.strip(), style or Style()


def contrast_of(style: Style, tier: ColorDepth) -> float:
    colours = []
    for colour in (style.color, style.bgcolor):
        assert colour is not None
        assert not colour.is_default
        if tier is ColorDepth.PALETTE:
            number = colour.downgrade(ColorSystem.EIGHT_BIT).number
            assert number is not None
            colours.append(rgb_of(number))
        else:
            red, green, blue = colour.get_truecolor()
            colours.append((red, green, blue))
    return contrast(*colours)


def fields(seen: Seen) -> list[Input]:
    return [each for each in seen.app.screen.query(Input) if each.region]


def hidden_fields(seen: Seen) -> list[str | None]:
    """Text fields that neither a ground of their own nor a line shows from one end to the other."""
    return [each.id for each in fields(seen) if not is_visible(seen, each)]


def is_visible(seen: Seen, field: Input) -> bool:
    area = field.content_region
    strip = seen.strips[area.y].crop(area.x, area.right)
    around = seen.app.screen.rich_style.bgcolor
    return all(
        segment.style and (segment.style.underline or segment.style.bgcolor != around)
        for segment in strip
    )


def scrolled_rows(seen: Seen) -> Iterator[str]:
    """Each row of what scrolls, up to its scroll bar."""
    rows = [strip.text for strip in seen.strips]
    for widget in seen.app.screen.query(Widget):
        if widget.show_vertical_scrollbar and widget.scrollable_content_region:
            area = widget.scrollable_content_region
            end = widget.region.x + widget.gutter.left + area.width
            top = widget.content_region.y
            yield from (row[:end] for row in rows[top : top + area.height])


def rows_at_a_scroll_bar(seen: Seen) -> list[str]:
    """Rows whose text touches the scroll bar beside it."""
    return [row for row in scrolled_rows(seen) if row[-1:] not in {"", " "}]
