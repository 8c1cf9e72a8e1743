"""Themes: what is marked is seen in each of them."""

import pytest

from diadem_client.look.palette import Look, Theme
from diadem_client.look.tiers import Tier
from diadem_client.ui.themes import DEFAULTS, ROLES, variables_of


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("tier", [Tier.TRUE, Tier.PALETTE, Tier.SIXTEEN])
def test_what_is_marked_has_another_ground(theme: Theme, tier: Tier) -> None:
    variables = variables_of(Look(theme, tier))
    assert variables["block-cursor-background"] != variables["ansi-background"]
    assert variables["input-cursor-background"] != variables["ansi-background"]


def test_every_variable_is_there_before_a_theme_is_chosen() -> None:
    assert DEFAULTS.keys() == ROLES.keys()
