"""What all panes have in common: any size, no colours, ASCII, and only what differs is repainted."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.events import Key
from textual.geometry import Region

from diadem_client.board.canvas import Canvas, Ink
from diadem_client.board.drawn import DrawnPane
from diadem_client.board.registry import pane_for
from diadem_client.games.diadingo.pane import DiadingoPane
from diadem_client.games.diamino.pane import DiaminoPane
from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import Look, style_of
from diadem_shared.chance import Chance
from diadem_shared.entries import Started
from diadem_shared.games import GAMES
from diadem_shared.games.diamino.play import Direction
from tests.client.board.host import LARGE, SMALL, Desk, Host, lines_of, press
from tests.game_features import WITH_PANE
from tests.thoroughness import times

DESKS = {game: Desk(game, seats=GAMES[game].seats[-1], seed="sizes") for game in GAMES}
for each in DESKS.values():
    each.enter(Started())


@settings(max_examples=times(60, 600))
@given(st.sampled_from(sorted(WITH_PANE)), st.integers(60, 220), st.integers(14, 70), st.booleans())
def test_a_pane_fits_every_size(game: str, width: int, height: int, ascii_only: bool) -> None:  # noqa: FBT001
    pane = pane_for(game)
    assert isinstance(pane, DrawnPane)
    pane.scene = DESKS[game].scene()
    canvas = Canvas(width, height, ascii_only=ascii_only)
    pane.draw(canvas, pane.scene)
    assert all(len(row) == width for row in canvas.rows())
    assert canvas.text().strip()
    assert not ascii_only or canvas.text().isascii()


def test_without_colours_what_matters_is_still_marked() -> None:
    look = Look(tier=ColorDepth.NONE)
    plain = style_of(Ink.PLAIN, look)
    for paint in (Ink.STRONG, Ink.FAINT, Ink.CURSOR, Ink.DRAFT, Ink.FRESH, Ink.GOOD, Ink.BAD):
        assert style_of(paint, look) != plain
        assert style_of(paint, look).color is None


async def test_another_theme_has_other_colours() -> None:
    host = Host(Desk("diadingo", seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        before = host.pane.render_line(1)
        host.theme = "textual-light"
        await pilot.pause()
        assert host.pane.render_line(1) != before


async def test_only_what_differs_is_repainted(monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(Desk("diamino-rummy", seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        repainted: list[Region] = []
        monkeypatch.setattr(host.pane, "refresh", lambda *regions: repainted.extend(regions))
        await press(pilot, ["right"])
        assert sum(region.area for region in repainted) <= 6


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_what_is_kept_of_a_drawing_is_as_drawn_anew(game: str) -> None:
    keys = [*"aeinrst1234560bdfp", "left", "right", "up", "down", "space", "backspace", "enter"]
    chance = Chance(b"kept", game)
    host = Host(Desk(game, seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        for at in range(30):
            await press(pilot, [keys[chance.below(len(keys))]])
            if at == 15:
                await pilot.resize_terminal(*LARGE)
            canvas = Canvas(*host.pane.size)
            assert host.pane.scene is not None
            host.pane.draw(canvas, host.pane.scene)
            assert lines_of(host.pane) == canvas.text()
        for size in ((40, 10), (1, 1), LARGE):  # a terminal may shrink and grow at any moment
            await pilot.resize_terminal(*size)
        await pilot.pause()
        assert lines_of(host.pane) == canvas.text()


async def test_what_a_pane_says_is_said_before_it_is_painted() -> None:
    host = Host(Desk("diadingo", seats=2, seed="amber"), bots=False)
    async with host.run_test(size=SMALL):
        host.pane.on_key(Key("0", "0"))
        assert len(host.hints) == 1


async def test_the_mouse_points_where_there_is_one() -> None:
    host = Host(Desk("diamino-rummy", seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        await pilot.click(host.pane, offset=(4, 1))
        await pilot.click(host.pane, offset=(4, 1))
        await pilot.click(host.pane, offset=(79, 0))
        pane = host.pane
        assert isinstance(pane, DiaminoPane)
        assert pane.draft is not None
        assert (pane.draft.cursor, pane.draft.direction) == (0, Direction.DOWN)


async def test_the_mouse_aims_at_a_diamond() -> None:
    host = Host(Desk("diadingo", seats=2, seed="amber"))
    async with host.run_test(size=SMALL) as pilot:
        await pilot.click(host.pane, offset=(5, 7))
        assert isinstance(host.pane, DiadingoPane)
        assert host.pane.aim.spot == "D1"
