"""Inviting from the lobby and from a table: what is shown is what others need, and a camera reads it."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.color import Color
from rich.style import Style

from diadem.entries import Sat, Setup, Started
from diadem.protocol import CLIENT, SSH, WEB, Door
from diadem_client.launch import TerminalOptions
from diadem_client.look.palette import Theme
from diadem_client.look.tiers import Tier
from diadem_client.net.address import Address
from diadem_client.settings import Settings
from diadem_client.state.picture import Picture
from diadem_client.ui.screens.invite import InviteScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.table import TableScreen
from tests.client.scenes.stage import settle, show
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import Sitting, at_server, stop_the_clock
from tests.rig.qr_reader import read

DOORS = (Door(CLIENT, 7453), Door(SSH, 7422), Door(WEB, 7480))
PAGE = "http://games.example:7480/K7F3"
LOOKS = [*product(Theme, (Tier.TRUE, Tier.PALETTE, Tier.SIXTEEN)), *product(Theme, [Tier.NONE])]


@pytest.fixture(autouse=True)
def a_terminal_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_the_clock(monkeypatch)
    monkeypatch.setenv("TERM", "xterm-256color")


def at_table(*, doors: tuple[Door, ...] = DOORS, **setup: Any) -> Picture:
    sitting = Sitting(Setup("diadingo", **setup))
    sitting.enter(Sat("Ana"), Sat("Bob"))
    return replace(sitting.picture, doors=doors)


@asynccontextmanager
async def inviting(tmp_path: Path, picture: Picture, **given: Any) -> AsyncIterator[Seen]:
    async with client(tmp_path, **given) as seen:
        await show(seen, picture)
        await seen.press("ctrl+o")
        await seen.on(InviteScreen)
        await settle(seen)
        yield seen


def bitmap(seen: Seen, *, light_ground: bool) -> list[list[bool]]:
    """The whole screen as a camera sees it, two rows of pixels a line; True is dark."""
    picture = []
    for strip in seen.strips:
        cells = [each for text, style, _ in strip for each in _halves(text, style, light_ground)]
        picture += [[upper for upper, _ in cells], [lower for _, lower in cells]]
    return picture


def _halves(text: str, style: Style | None, light_ground: bool) -> Iterator[tuple[bool, bool]]:  # noqa: FBT001
    style = style or Style()
    ink = _is_dark(style.color, otherwise=light_ground)
    ground = _is_dark(style.bgcolor, otherwise=not light_ground)
    if style.reverse:
        ink, ground = ground, ink
    for each in text:
        yield {"▀": (ink, ground), "▄": (ground, ink), "█": (ink, ink)}.get(each, (ground, ground))


def _is_dark(colour: Color | None, *, otherwise: bool) -> bool:
    if colour is None or colour.is_default:
        return otherwise
    return sum(colour.get_truecolor()) < 3 * 128


@pytest.mark.parametrize(("theme", "tier"), LOOKS, ids=lambda each: each.value)
async def test_a_camera_reads_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: Theme, tier: Tier
) -> None:
    """Whatever the colours; without any, as far as the theme says how the terminal is."""
    if tier is Tier.NONE:
        monkeypatch.setenv("NO_COLOR", "1")
    settings = Settings(language="en", theme=theme.value, colours=tier.value)
    terminal = TerminalOptions(tier=tier)
    async with inviting(tmp_path, at_table(), settings=settings, terminal=terminal) as seen:
        found = read(bitmap(seen, light_ground=theme is Theme.LIGHT))
        assert found == PAGE.upper()
        await seen.reads(PAGE)


@pytest.mark.parametrize("size", [(76, 22), (80, 24), (110, 36), (200, 60)])
async def test_it_is_read_in_windows_of_many_sizes(tmp_path: Path, size: tuple[int, int]) -> None:
    async with inviting(tmp_path, at_table(), size=size) as seen:
        assert read(bitmap(seen, light_ground=False)) == PAGE.upper()


async def test_all_that_is_typed_stands_there_whole(tmp_path: Path) -> None:
    async with inviting(tmp_path, at_table()) as seen:
        await seen.reads("ssh -t -p 7422 games.example K7F3")
        await seen.reads(".venv/bin/game-client")
        await seen.reads("--host games.example --table K7F3")


@pytest.mark.parametrize("host", ["g" * 62 + ".example", f"{'a.' * 120}example"])
async def test_a_long_name_is_broken_and_not_cut(tmp_path: Path, host: str) -> None:
    doors = (Door(WEB, 7480, host),)
    async with inviting(tmp_path, at_table(doors=doors)) as seen:
        shown = "".join(seen.screen_text.replace("│", "").split())
        start = shown.index("http://")
        assert shown[start:].startswith(f"http://{host}:7480/K7F3")


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"size": (60, 20)}, "A larger window shows a code for cameras, too."),
        (
            {"terminal": TerminalOptions(must_be_ascii=True)},
            "A code for a camera cannot be drawn in ASCII. The address is enough.",
        ),
    ],
)
async def test_where_it_cannot_be_drawn_that_is_said(
    tmp_path: Path, given: dict[str, Any], why: str
) -> None:
    async with inviting(tmp_path, at_table(), **given) as seen:
        await seen.reads(why)
        await seen.reads(PAGE)
        await seen.reads("ssh -t -p 7422 games.example K7F3")
        await seen.reads(".venv/bin/game-client --host games.example")
        await seen.reads("--table K7F3")
        assert read(bitmap(seen, light_ground=False)) is None


async def test_without_a_page_there_is_no_code(tmp_path: Path) -> None:
    async with inviting(tmp_path, at_table(doors=DOORS[:2])) as seen:
        assert "http" not in seen.screen_text
        assert "camera" not in seen.screen_text


async def test_from_the_lobby_one_invites_to_the_server(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await show(seen, replace(at_server(), doors=DOORS))
        await seen.on(LobbyScreen)
        await seen.press("i")
        await seen.reads("Invite to this server")
        await seen.reads("http://games.example:7480")
        await settle(seen)
        assert read(bitmap(seen, light_ground=False)) == "HTTP://GAMES.EXAMPLE:7480"
        await seen.press("escape")
        await seen.on(LobbyScreen)


async def test_before_the_start_a_letter_is_enough(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await show(seen, at_table())
        await seen.reads(f"Others open:  {PAGE}")
        await seen.press("i")
        await seen.on(InviteScreen)


async def test_what_is_marked_is_copied(tmp_path: Path) -> None:
    async with inviting(tmp_path, at_table()) as seen:
        await seen.press("c")
        assert seen.app.clipboard == PAGE
        await seen.reads("Copied, if your terminal lets programs copy.")
        await seen.press("down", "enter")
        assert seen.app.clipboard == "ssh -t -p 7422 games.example K7F3"
        await seen.press("up", "up", "c")
        assert seen.app.clipboard == ".venv/bin/game-client --host games.example --table K7F3"


async def test_a_click_copies(tmp_path: Path) -> None:
    async with inviting(tmp_path, at_table()) as seen:
        lines = seen.screen_text.splitlines()
        y = next(at for at, line in enumerate(lines) if "ssh -t" in line)
        await seen.pilot.click(offset=(10, y))
        assert seen.app.clipboard == "ssh -t -p 7422 games.example K7F3"


async def test_a_player_at_a_host_s_machine_copies_nothing(tmp_path: Path) -> None:
    there = Address("Diadem", socket="none")
    async with inviting(tmp_path, at_table(), address=there, reached="192.0.2.7") as seen:
        await seen.reads("ssh -t -p 7422 192.0.2.7 K7F3")
        await seen.reads("--host 192.0.2.7")
        await seen.press("c", "enter")
        assert not seen.app.clipboard
        assert "copy" not in seen.screen_text


async def test_where_nobody_else_can_come_that_is_said(tmp_path: Path) -> None:
    there = Address("Diadem", socket="none")
    async with client(tmp_path, address=there) as seen:
        await show(seen, at_table())
        await seen.press("ctrl+o")
        await seen.reads("Only its host can tell how this server is reached from elsewhere.")


async def test_alone_there_is_nobody_to_invite(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        seen.app.local.is_alone = True
        await show(seen, at_table())
        await seen.press("ctrl+o")
        await seen.reads("You play alone here. For company, choose “Host here” in the menu.")


async def test_of_a_private_table_it_is_said_what_its_code_is_worth(tmp_path: Path) -> None:
    async with inviting(tmp_path, at_table(private=True)) as seen:
        await seen.reads_whole("The lobby does not show this")


@pytest.mark.parametrize(
    ("setup", "words"),
    [
        (Setup("diadingo", spectators=True), "whoever comes looks on"),
        (Setup("diadingo", spectators=False), "and nobody may"),
    ],
)
async def test_where_no_seat_is_free_that_is_said(tmp_path: Path, setup: Setup, words: str) -> None:
    sitting = Sitting(setup)
    sitting.enter(Sat("Ana"), Sat("Bob"), Started())
    async with client(tmp_path) as seen:
        await show(seen, replace(sitting.picture, doors=DOORS))
        await seen.on(TableScreen)
        await seen.press("ctrl+o")
        await seen.reads("No seat is free")
        await seen.reads(words)


async def test_the_password_is_told_by_nobody_but_the_player(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await show(seen, at_table())
        assert seen.app.client is not None
        seen.app.client.session.password = "open sesame"  # noqa: S105
        await seen.press("ctrl+o")
        await seen.reads("They are asked for")
        await settle(seen)
        assert "sesame" not in seen.screen_text
        assert read(bitmap(seen, light_ground=False)) == PAGE.upper()
