"""Pixel art: every picture can be read, and costs a terminal as little as it can."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise, product

from rich.cells import get_character_cell_size

from diadem_client.look import art, signs
from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import Look, Theme, palette, rgb_of
from diadem_client.look.signs import Sign
from tests.cases import cases
from tests.client.look.sixteen import SIXTEEN, Rgb, is_told_apart, low_of

HUES = ("blue", "yellow", "pink", "green", "red")
SIZES = {"castle": (24, 18), "ship": (24, 18), "gem_small": (5, 4), "gem_large": (7, 6)}
NAMES = sorted(path.name.removesuffix(".txt") for path in art.FOLDER.iterdir())


def hue_of(name: str) -> str:
    return "gemA" if name.startswith("gem") else "blue"


@cases("name", NAMES)
def test_a_picture_is_even_and_names_roles_that_are_there(name: str) -> None:
    pixels = art.art(name, hue_of(name))
    assert len({len(row) for row in pixels}) == 1
    assert len(pixels) % 2 == 0
    assert {role for row in pixels for role in row if role} <= palette(Theme.DARK).keys()
    if name in SIZES:
        assert (len(pixels[0]), len(pixels)) == SIZES[name]


@cases("name", NAMES)
def test_cells_show_the_pixels_that_they_stand_for(name: str) -> None:
    pixels = art.art(name, hue_of(name))
    for row, (upper, lower) in zip(
        art.cells(pixels, "bg"), zip(pixels[::2], pixels[1::2], strict=True), strict=True
    ):
        for (sign, paint), top, bottom in zip(row, upper, lower, strict=True):
            shown = {
                " ": (paint.ground, paint.ground),
                art.FULL: (paint.ink, paint.ink),
                art.UPPER: (paint.ink, paint.ground),
                art.LOWER: (paint.ground, paint.ink),
            }[sign]
            assert shown == (top or "bg", bottom or "bg")
            assert sign == " " or paint.ink != "bg", "the ground may be no colour at all"


def test_cells_change_colours_no_oftener_than_upper_halves_alone_would() -> None:
    def changes(row: tuple[tuple[str, object], ...]) -> int:
        return sum(one != other for (_, one), (_, other) in pairwise(row))

    for name in NAMES:
        pixels = art.art(name, hue_of(name))
        for row, (upper, lower) in zip(
            art.cells(pixels, "bg"), zip(pixels[::2], pixels[1::2], strict=True), strict=True
        ):
            plain = sum(a != b for a, b in pairwise(zip(upper, lower, strict=True)))
            assert changes(row) <= plain + 1


def test_a_picture_twice_as_large_has_each_pixel_four_times() -> None:
    assert art.enlarged((("gold.a", None),), 2) == (("gold.a", "gold.a", None, None),) * 2
    castle = art.art("castle", "blue")
    assert art.enlarged(castle, 1) == castle


def test_every_hue_has_a_castle_of_its_own() -> None:
    assert len({art.art("castle", hue) for hue in HUES}) == len(HUES)


def test_signs_are_as_wide_everywhere_and_have_no_emoji_form() -> None:
    emoji = "\u25aa\u25ab\u25b6\u25c0\u2620\u2665\u2666\u2714\u2b50"
    for sign in (each for each in vars(signs).values() if isinstance(each, Sign)):
        assert sign.ascii.isascii()
        assert not set(sign.own) & set(emoji)
        for form in sign:
            assert [
                character for character in form if get_character_cell_size(character) != 1
            ] == []
            assert len(form) in {0, len(sign.own)}


INSIDE = frozenset({"lit", "night"})
"""Windows and gates, with walls around them."""


@cases("ground", ["sky", "backdrop"])
@cases("theme", Theme)
def test_all_of_a_castle_and_of_a_ship_is_seen(theme: Theme, ground: str) -> None:
    """On a card, and on the table."""
    roles = {
        role
        for name, hue in product(("castle", "ship"), HUES)
        for row in art.art(name, hue)
        for role in row
        if role and role not in INSIDE
    }
    shades, look = palette(theme), Look(theme, ColorDepth.SIXTEEN)
    seen: list[Callable[[str], Rgb]] = [lambda role: rgb_of(shades[role].number)]
    seen += [partial(low_of, look=look, sixteen=each) for each in SIXTEEN.values()]
    for colour in seen:
        lost = {role for role in roles if not is_told_apart(colour(role), colour(ground))}
        assert lost == set()
