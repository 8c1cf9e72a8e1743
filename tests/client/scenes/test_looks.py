"""Every scene in every look: one client that is resized, recoloured and translated as it runs.

The pictures it is compared with were taken of clients that were started in the look (`make snapshots`), so this also holds that
a change of size, colours or language leads to the screen that a fresh start would show.
"""

import os
import re
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace
from rich.color import ColorSystem
from textual.command import CommandPalette
from textual.screen import Screen

import diadem_client
from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import Theme
from diadem_client.terminal.driver import to_ascii
from diadem_client.ui.widgets.dialogs import SelectDialog
from tests.client import snapshots
from tests.client.scenes.checks import (
    faint_texts,
    hidden_fields,
    rows_at_a_scroll_bar,
)
from tests.client.scenes.drawn import colours, marks
from tests.client.scenes.every import MODULES, MORE, SCENES, SHOWN
from tests.client.scenes.looks import (
    ASCII,
    NARROW,
    PLAIN,
    SIZES,
    TOO_SMALL,
    USUAL,
    Look,
    names_of_pictures,
    opened,
    translations,
)
from tests.client.scenes.stage import settle, started
from tests.client.ui.screens.rig import Seen
from tests.client.ui.screens.staged import stop_the_clock
from tests.thoroughness import times

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "snapshots"
COLOUR = re.compile(r"\x1b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[\d;]*)?m")
COLOURED = (ColorDepth.TRUE, ColorDepth.PALETTE, ColorDepth.SIXTEEN)
NEVER_IN_PLACE = {"palette", "rules-at-a-clause", "too-small"}
"""Scenes that are played again for each look: a field keeps its first colours, rules stay scrolled, and one scene is a size."""


class Album:
    """Compares a scene with its pictures, and collects what differs from them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.different: dict[str, str] = {}

    def compare(self, look: str, text: str, *, bars: bool = True) -> None:
        path = self.path(look)
        wanted = path.read_text(encoding="utf-8") if path.exists() else ""
        if not bars:
            text, wanted = without_bars(text), without_bars(wanted)
        if text != wanted:
            lines = unified_diff(wanted.splitlines(), text.splitlines(), "picture", "now", n=0)
            self.different[look] = "\n".join(list(lines)[:12])

    def path(self, look: str) -> Path:
        return FOLDER / f"{self.name}-{look}.txt"

    def show_differences(self) -> str:
        shown = "\n".join(f"{self.name}-{look}\n{each}" for look, each in self.different.items())
        return f"{shown}\nIf this is meant: make snapshots"

    async def retake(self, folder: Path, looks: Iterable[Look]) -> None:
        """Take the pictures of clients that are started in each look; `make snapshots`."""
        FOLDER.mkdir(exist_ok=True)
        for look in looks if snapshots.RETAKE in os.environ else ():
            async with opened(folder, self.name, look) as seen:
                self.path(look.name).write_text(text_of(seen, look), encoding="utf-8")
                if look is USUAL:
                    cells = [await self.cells(seen, tier) for tier in COLOURED]
                    self.path("colours").write_text("\n".join(cells), encoding="utf-8")

    async def cells(self, seen: Seen, tier: ColorDepth) -> str:
        """How each cell is coloured, with so many colours."""
        await recolour(seen, self.name, Theme.DARK, tier)
        return f"{tier}\n{colours(seen.strips, tier)}"


def without_bars(text: str) -> str:
    """Textual moves the bar of a log only once it is scrolled by another step than to its first end."""
    return re.sub("[ \u2581-\u2588]+$", "", text, flags=re.MULTILINE)


def has_colours(seen: Seen) -> bool:
    """Whether a terminal with all colours would be sent any."""
    return any(
        COLOUR.search(segment.style.render(segment.text, color_system=ColorSystem.TRUECOLOR))
        for strip in seen.strips
        for segment in strip
        if segment.style
    )


def text_of(seen: Seen, look: Look) -> str:
    assert len(seen.screen_text.splitlines()) <= seen.app.size.height
    assert has_colours(seen) is (look.tier is not ColorDepth.NONE)
    text = seen.screen_text + "\n"
    if look.ascii_only:
        text = to_ascii(text)
    if look.tier is ColorDepth.NONE:
        text += f"\n{marks(seen.strips)}"
    return text


async def recolour(seen: Seen, name: str, theme: Theme, colours: str) -> None:
    seen.app.change_settings(replace(seen.app.settings, theme=theme.value, colours=colours))
    if name in NEVER_IN_PLACE:
        await play_again(seen, name)
    await settle(seen)


async def resize(seen: Seen, name: str, size: tuple[int, int]) -> None:
    await seen.pilot.resize_terminal(*size)
    if name in NEVER_IN_PLACE:
        await play_again(seen, name)
    await settle(seen)


async def play_again(seen: Seen, name: str, language: str = "") -> None:
    """The scene from its beginning, on screens that are new, in a client that shows it or another one."""
    while seen.app.screen is not seen.app.base_screen:
        await seen.app.pop_screen()
    if language not in {"", seen.app.settings.language}:
        seen.app.change_settings(replace(seen.app.settings, language=language))
        await started(seen)
    await seen.app.switch_screen(type(seen.app.base_screen)())
    await started(seen)
    seen.app.local.coach = None
    await SCENES[name](seen)
    await settle(seen)


@pytest.fixture(autouse=True)
def a_terminal_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_the_clock(monkeypatch)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.mark.parametrize("name", SCENES)
async def test_a_scene_in_every_look(tmp_path: Path, name: str) -> None:
    album = Album(name)
    await album.retake(tmp_path, (*SIZES, *translations(name), ASCII))
    async with opened(tmp_path, name, USUAL) as seen:
        assert type(seen.app.screen) is SHOWN[name]
        album.compare("small", text_of(seen, USUAL))
        await compare_colours(seen, album)
        await compare_sizes(seen, album)
        for look in (ASCII, *translations(name)):
            seen.app.terminal = replace(seen.app.terminal, must_be_ascii=look.ascii_only)
            await play_again(seen, name, look.language)
            album.compare(look.name, text_of(seen, look))
    assert not album.different, album.show_differences()


async def compare_colours(seen: Seen, album: Album) -> None:
    """In themes and numbers of colours: the same text, readable, with fields that can be seen."""
    text, cells = seen.screen_text, list[str]()
    wrong: dict[tuple[ColorDepth, str], object] = {}
    for tier in COLOURED:
        cells.append(await album.cells(seen, tier))
        wrong[tier, "hidden"] = hidden_fields(seen)
        if tier is not ColorDepth.SIXTEEN:  # those are the terminal's own
            wrong[tier, Theme.DARK] = faint_texts(seen, tier)
    for theme, tier in other_looks(album.name):
        await recolour(seen, album.name, theme, tier)
        assert seen.screen_text == text, (theme, tier)
        wrong[tier, theme] = faint_texts(seen, tier)
    await recolour(seen, album.name, Theme.DARK, "")
    album.compare("colours", "\n".join(cells))
    assert {look: found for look, found in wrong.items() if found} == {}


def other_looks(name: str) -> list[tuple[Theme, ColorDepth]]:
    """One of the six, in turn; all pairs of ink and ground are held readable in `tests/client/look/test_palette.py`."""
    looks = list(
        product((Theme.LIGHT, Theme.CONTRAST, Theme.SAFE), (ColorDepth.TRUE, ColorDepth.PALETTE))
    )
    first = list(SCENES).index(name)
    return [looks[(first + turn) % len(looks)] for turn in range(times(1, len(looks)))]


async def compare_sizes(seen: Seen, album: Album) -> None:
    touching = {}
    for look in SIZES:
        if look.size == NARROW:
            await seen.pilot.resize_terminal(*TOO_SMALL)
        await resize(seen, album.name, look.size)
        album.compare(look.name, text_of(seen, look), bars=False)
        touching[look.name] = rows_at_a_scroll_bar(seen)
    assert {look: rows for look, rows in touching.items() if rows} == {}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
async def test_scenes_without_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType
) -> None:
    """One client for many scenes, but not the coloured one: it asks only once how many colours there are."""
    monkeypatch.setenv("NO_COLOR", "1")
    albums = [Album(name) for name in SCENES if name not in MORE and is_of(module, name)]
    hidden = {}
    for album in albums:
        await album.retake(tmp_path, [PLAIN])
    async with opened(tmp_path, albums[0].name, PLAIN) as seen:
        for album in albums:
            await seen.pilot.resize_terminal(*PLAIN.size)
            seen.app.disconnect()  # or a board would show the way from the scene before
            await started(seen)
            await play_again(seen, album.name)
            album.compare(PLAIN.name, text_of(seen, PLAIN))
            hidden[album.name] = hidden_fields(seen)
    different = [album.show_differences() for album in albums if album.different]
    assert not different, "\n".join(different)
    assert {name: found for name, found in hidden.items() if found} == {}


def is_of(module: ModuleType, name: str) -> bool:
    return SCENES[name].__module__ == module.__name__


def test_no_picture_is_left_of_what_is_gone() -> None:
    there = {path.stem for path in FOLDER.iterdir()}
    assert there == {client_state for name in SCENES for client_state in names_of_pictures(name)}


def test_every_screen_has_a_scene() -> None:
    """In `SHOWN` is what each scene is seen to show above."""
    for module in walk_packages(diadem_client.__path__, "diadem_client."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    screens = {each for each in derived_from(Screen) if each.__module__.startswith("diadem_client")}
    parts = {base for screen in screens for base in screen.__mro__[1:]} - {SelectDialog}
    assert screens - parts == set(SHOWN.values()) - {CommandPalette}


def derived_from(kind: type[Any]) -> Iterator[type[Any]]:
    for each in kind.__subclasses__():
        yield each
        yield from derived_from(each)
