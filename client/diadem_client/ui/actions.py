"""Everything a player can do with a key, each said once: bindings, footer, help and palette read it."""

from collections.abc import Iterable

from msgspec import Struct
from textual.binding import Binding, BindingType
from textual.widget import Widget

from diadem_client.i18n import N_


class Action(Struct, frozen=True):
    id: str
    """Names the method `action_<id>` of the widget or screen that offers it."""
    keys: tuple[str, ...]
    label: str
    """A word or two, for the footer and the palette; a gettext message id."""
    help: str
    """A sentence that says what it does; a gettext message id."""
    in_footer: bool = True
    at_once: bool = False
    """Done before the next key is heeded, which may be meant for what this one leads to.

    Other keys are first passed to what has the focus and on to what is around it; meanwhile the next
    ones are on their way.
    """


def either_case(keys: Iterable[str]) -> Iterable[str]:
    """Letters do the same with caps lock on."""
    for key in keys:
        yield key
        if len(key) == 1 and key.islower():
            yield key.upper()


def bindings(actions: Iterable[Action]) -> list[BindingType]:
    return [
        Binding(
            ",".join(either_case(action.keys)),
            action.id,
            description=action.label,
            tooltip=action.help,
            show=action.in_footer,
            priority=action.at_once,
            id=action.id,
        )
        for action in actions
    ]


FORTH_AND_BACK = (
    Action("next", ("down", "tab"), N_("next"), N_("To the next line."), at_once=True),
    Action(
        "previous",
        ("up", "shift+tab"),
        N_("previous"),
        N_("To the line before."),
        in_footer=False,
        at_once=True,
    ),
)
AMONG_LINES = (
    *FORTH_AND_BACK,
    Action("close", ("escape", "f10"), N_("back"), N_("Close this and change nothing.")),
)
"""What is alike in all screens that are a list of questions, a line each."""


def refresh_bindings_once_drawn(widget: Widget) -> None:
    """Ask the actions again when the widget has its new size, unless its screen was left before."""

    def refresh() -> None:
        if widget.is_attached:
            widget.refresh_bindings()

    widget.call_after_refresh(refresh)
