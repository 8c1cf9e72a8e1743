"""Colours by their roles: readable in every theme, and said as the terminal understands them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

import pytest
from rich.color import Color, ColorSystem

from diadem_client.board.canvas import Canvas
from diadem_client.look.color_depth import ColorDepth, tier_of
from diadem_client.look.palette import (
    ACCENTS,
    Look,
    Paint,
    Theme,
    contrast,
    hexadecimal,
    palette,
    rgb_of,
    style_of,
)
from diadem_client.settings import Settings
from diadem_client.ui.themes import look_for
from diadem_shared.games import GAMES
from tests.cases import cases
from tests.client.board.host import LARGE, SMALL, Desk, Host
from tests.client.look.seeing import EYES, distance
from tests.client.look.sixteen import SIXTEEN, is_told_apart, low_of

READABLE = 4.5
"""What the guidelines for accessible content ask of text."""
LEGIBLE = 3.0
"""What can be asked for where sixteen colours are the terminal's own."""
GREEN_ON_WHITE = frozenset({"good", "green.t"})
"""Bright on light wherever green is bright: there is no darker one among the sixteen, and words say the same."""
SHELL = (
    *product(("text", "faint", "accent", "good", "bad"), ("bg", "bar")),
    *product(("text", "faint", "accent"), ("row",)),
    ("on_accent", "pill"),
    ("on_cursor", "cursor"),
    ("ink", "judged"),
    ("ink", "judged.edge"),
    ("joker", "fresh.edge"),
    ("joker", "draft"),
)
"""What the screens around the games write on what, and what no game here comes to."""


async def written_in(game: str, seats: int, size: tuple[int, int]) -> set[tuple[str, str]]:
    """Ink and ground of every letter and digit, as a game goes on and in all of its phases."""
    found = set()
    desk = Desk(game, seats=seats, seed="colours", level="zombie")
    host = Host(desk, bots=False)
    async with host.run_test(size=size):
        for _ in range(30):
            if not desk.match.actors:
                break
            seat = desk.match.actors[0]
            host.pane.show(desk.play(seat, desk.chosen(seat)))
            canvas = Canvas(*host.pane.size)
            assert host.pane.scene is not None
            host.pane.draw(canvas, host.pane.scene)
            found |= {
                (paint.ink, paint.ground)
                for row in canvas.rows()
                for character, paint in row
                if character.isalnum()
            }
    return found


@pytest.mark.parametrize("game", GAMES)
async def test_all_that_games_write_can_be_read(game: str) -> None:
    fewest, *_others, most = GAMES[game].seats
    for seats, size in ((fewest, SMALL), (most, LARGE)):
        found = await written_in(game, seats, size)
        assert len(found) > 5
        for theme in Theme:
            assert unreadable(theme, found) == {}
            assert illegible(theme, found) == {}


@cases("theme", Theme)
def test_all_that_screens_write_can_be_read(theme: Theme) -> None:
    assert unreadable(theme, SHELL) == {}
    assert illegible(theme, SHELL) == {}


@cases("theme", Theme)
@cases(
    ("area", "ground"),
    [
        *product(("tile", "edge", "fresh", "draft", "judged", "black"), ("board",)),
        *product(("hand", "edge", "cursor", "pill", "back", "rack"), ("bg",)),
    ],
)
def test_what_is_painted_is_told_from_its_ground(theme: Theme, area: str, ground: str) -> None:
    shades, look = palette(theme), Look(theme, ColorDepth.SIXTEEN)
    assert is_told_apart(rgb(shades[area].true), rgb(shades[ground].true))
    assert is_told_apart(rgb_of(shades[area].number), rgb_of(shades[ground].number))
    for low in SIXTEEN.values():
        assert is_told_apart(low_of(area, look, low), low_of(ground, look, low))


@cases("theme", Theme)
@cases(("gem", "shade"), [*product("ABCDEFG", "abc")])
def test_no_part_of_a_gem_is_lost_in_sixteen_colours(theme: Theme, gem: str, shade: str) -> None:
    look = Look(theme, ColorDepth.SIXTEEN)
    for low in SIXTEEN.values():
        assert is_told_apart(low_of(f"gem{gem}.{shade}", look, low), low_of("bg", look, low))


@cases("theme", Theme)
@cases("accent", ACCENTS)
def test_a_players_own_colour_can_be_read(theme: Theme, accent: str) -> None:
    assert unreadable(theme, SHELL, accent) == {}
    assert palette(theme, accent) != palette(theme)
    assert look_for(Settings(theme=theme, accent=accent), ColorDepth.TRUE).accent == accent
    assert look_for(Settings(theme=theme, accent="of none"), ColorDepth.TRUE).accent == ""


def unreadable(
    theme: Theme, written: Iterable[tuple[str, str]], accent: str = ""
) -> dict[tuple[str, str], tuple[float, float]]:
    """Pairs whose contrast is too low, in true colours or in 256."""
    shades, low = palette(theme, accent), {}
    for ink, ground in written:
        true = contrast(*(rgb(shades[role].true) for role in (ink, ground)))
        indexed = contrast(*(rgb_of(shades[role].number) for role in (ink, ground)))
        if min(true, indexed) < READABLE:
            low[ink, ground] = round(true, 1), round(indexed, 1)
    return low


def illegible(
    theme: Theme, written: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], dict[str, float]]:
    """Pairs whose contrast is too low in the sixteen colours of some terminal."""
    low = {}
    for ink, ground in written:
        if theme is Theme.LIGHT and ink in GREEN_ON_WHITE:
            continue
        seen = in_sixteen(theme, ink, ground or "bg")
        if min(seen.values()) < LEGIBLE:
            low[ink, ground] = seen
    return low


def in_sixteen(theme: Theme, ink: str, ground: str) -> dict[str, float]:
    look = Look(theme, ColorDepth.SIXTEEN)
    return {
        name: round(contrast(low_of(ink, look, low, ink=True), low_of(ground, look, low)), 1)
        for name, low in SIXTEEN.items()
    }


def rgb(hexadecimal_: str) -> tuple[int, int, int]:
    red, green, blue = (int(hexadecimal_[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def test_contrast_is_reckoned_as_the_guidelines_have_it() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((90, 90, 90), (90, 90, 90)) == pytest.approx(1)


def roles() -> Iterator[tuple[str, Theme]]:
    return ((role, theme) for theme in Theme for role in palette(theme))


def test_a_terminal_of_256_is_told_the_very_number() -> None:
    for role, theme in roles():
        said = Color.parse(hexadecimal(role, Look(theme, ColorDepth.PALETTE)))
        assert said.downgrade(ColorSystem.EIGHT_BIT).number == palette(theme)[role].number


def test_sixteen_colours_are_enough() -> None:
    for role, theme in roles():
        colour = style_of(Paint(role, role), Look(theme, ColorDepth.SIXTEEN)).color
        assert colour is not None
        assert colour.is_default or colour.number in range(16)


def test_without_colours_there_are_none() -> None:
    for role, theme in roles():
        style = style_of(Paint(role, role), Look(theme, ColorDepth.NONE))
        assert (style.color, style.bgcolor) == (None, None)


@cases(
    ("environment", "tier"),
    [
        ({"TERM": "xterm-256color"}, ColorDepth.PALETTE),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, ColorDepth.TRUE),
        ({"TERM": "xterm-256color", "COLORTERM": "24BIT"}, ColorDepth.TRUE),
        ({"TERM": "xterm-kitty"}, ColorDepth.PALETTE),
        ({"TERM": "linux"}, ColorDepth.SIXTEEN),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": ""}, ColorDepth.NONE),
        ({}, ColorDepth.SIXTEEN),
    ],
)
def test_the_tier_is_that_of_the_terminal(environment: dict[str, str], tier: ColorDepth) -> None:
    assert tier_of(environment) is tier


def test_a_player_may_choose_fewer_colours_or_more() -> None:
    for tier in ColorDepth:
        assert tier_of({"TERM": "xterm-256color"}, tier.value) is tier
    assert tier_of({"TERM": "linux"}, "no such tier") is ColorDepth.SIXTEEN
    assert tier_of({"NO_COLOR": "1"}, "true") is ColorDepth.NONE


def test_settings_choose_the_theme_and_at_most_what_there_is() -> None:
    assert look_for(Settings(theme="light"), ColorDepth.TRUE) == Look(Theme.LIGHT, ColorDepth.TRUE)
    assert look_for(Settings(colours="16"), ColorDepth.PALETTE) == Look(
        Theme.DARK, ColorDepth.SIXTEEN
    )
    assert look_for(Settings(colours="true"), ColorDepth.PALETTE) == Look(
        Theme.DARK, ColorDepth.PALETTE
    )
    assert look_for(Settings(theme="terminal"), ColorDepth.TRUE) == Look(
        Theme.DARK, ColorDepth.SIXTEEN
    )
    assert look_for(Settings(theme="what?"), ColorDepth.NONE).tier is ColorDepth.NONE


PLAIN = 20
"""A distance that nobody misses."""
LYING = ("tile", "fresh", "draft", "judged", "cursor")
ALIKE = (
    LYING,
    ("good", "bad", "accent"),
    *([f"{hue}.{shade}" for hue in ("blue", "yellow", "pink", "green", "red")] for shade in "tbd"),
)
"""What is told apart by its colour besides its signs."""


@cases("eyes", EYES)
@cases("roles", ALIKE, ids=lambda roles: roles[-1])
def test_what_differs_is_told_apart_without_red_or_green(roles: Sequence[str], eyes: str) -> None:
    assert too_near(Theme.SAFE, roles, eyes) == {}


@cases("theme", Theme)
def test_how_a_tile_lies_and_where_one_is_can_be_seen(theme: Theme) -> None:
    assert too_near(theme, LYING) == {}
    assert too_near(theme, ("cursor", "black")) == {}


def too_near(theme: Theme, roles: Sequence[str], eyes: str = "all") -> dict[tuple[str, str], float]:
    shades, near = palette(theme), {}
    for names in combinations(roles, 2):
        one, other = (shades[name] for name in names)
        true = distance(rgb(one.true), rgb(other.true), eyes)
        least = min(true, distance(rgb_of(one.number), rgb_of(other.number), eyes))
        if least < PLAIN:
            near[names] = round(least, 1)
    return near
