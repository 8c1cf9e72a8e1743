"""Themes: what is marked is seen in each of them."""

from itertools import product

from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import Look, Theme
from diadem_client.ui.themes import DEFAULTS, ROLES, variables_of


def test_what_is_marked_has_another_ground() -> None:
    same = []
    for theme, tier in product(Theme, (ColorDepth.TRUE, ColorDepth.PALETTE, ColorDepth.SIXTEEN)):
        variables = variables_of(Look(theme, tier))
        marked = ("block-cursor-background", "input-cursor-background")
        same += [
            (theme, tier, name)
            for name in marked
            if variables[name] == variables["ansi-background"]
        ]
    assert same == []


def test_every_variable_is_there_before_a_theme_is_chosen() -> None:
    assert DEFAULTS.keys() == ROLES.keys()
