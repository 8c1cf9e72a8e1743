"""Inviting from the lobby and from a table: what is shown is what others need, and a camera reads it."""

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.color import Color
from rich.style import Style

from diadem_client.launch import TerminalOptions
from diadem_client.look.color_depth import ColorDepth
from diadem_client.look.palette import Theme
from diadem_client.state.client_state import ClientState
from diadem_client.ui.screens.invite import InviteScreen
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_shared.entries import Sat, Setup, Started
from diadem_shared.protocol import CLIENT, SSH, WEB, Door
from tests.client.scenes.stage import settle, show
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import Sitting, at_server, stop_the_clock
from tests.rig.hosted import BY_A_GATE
from tests.rig.qr_reader import read

DOORS = (Door(CLIENT, 7453), Door(SSH, 7422), Door(WEB, 7480))
PAGE = "http://games.example:7480/K7F3"


@pytest.fixture(autouse=True)
def a_terminal_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_the_clock(monkeypatch)
    monkeypatch.setenv("TERM", "xterm-256color")


def at_table(*, doors: tuple[Door, ...] = DOORS, **setup: Any) -> ClientState:
    sitting = Sitting(Setup("diadingo", **setup))
    sitting.enter(Sat("Ana"), Sat("Bob"))
    return replace(sitting.client_state, doors=doors)


@asynccontextmanager
async def inviting(tmp_path: Path, client_state: ClientState, **given: Any) -> AsyncIterator[Seen]:
    async with client(tmp_path, **given) as seen:
        await invite(seen, client_state)
        yield seen


async def invite(seen: Seen, client_state: ClientState) -> None:
    await show(seen, client_state)
    await seen.press("ctrl+o")
    await seen.on(InviteScreen)
    await settle(seen)


def bitmap(seen: Seen, *, light_ground: bool) -> list[list[bool]]:
    """The whole screen as a camera sees it, two rows of pixels a line; True is dark."""
    client_state = []
    for strip in seen.strips:
        cells = [each for text, style, _ in strip for each in _halves(text, style, light_ground)]
        client_state += [[upper for upper, _ in cells], [lower for _, lower in cells]]
    return client_state


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


async def test_a_camera_reads_the_code_in_all_colours(tmp_path: Path) -> None:
    async with inviting(
        tmp_path, at_table(), terminal=TerminalOptions(tier=ColorDepth.TRUE)
    ) as seen:
        await seen.reads(PAGE)
        assert (
            await unread(
                seen, product(Theme, (ColorDepth.TRUE, ColorDepth.PALETTE, ColorDepth.SIXTEEN))
            )
            == []
        )


async def test_a_camera_reads_the_code_without_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as the theme says how the terminal is."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with inviting(
        tmp_path, at_table(), terminal=TerminalOptions(tier=ColorDepth.NONE)
    ) as seen:
        assert await unread(seen, product(Theme, [ColorDepth.NONE])) == []


async def unread(
    seen: Seen, looks: Iterable[tuple[Theme, ColorDepth]]
) -> list[tuple[Theme, ColorDepth]]:
    """In which of these looks no camera reads the code."""
    lost = []
    for theme, tier in looks:
        if tier is ColorDepth.NONE:
            await seen.press("escape")
        seen.app.change_settings(replace(seen.app.settings, theme=theme.value, colours=tier.value))
        if tier is ColorDepth.NONE:
            await seen.press("ctrl+o")
        await settle(seen)
        if read(bitmap(seen, light_ground=theme is Theme.LIGHT)) != PAGE.upper():
            lost.append((theme, tier))
    return lost


async def test_it_is_read_in_windows_of_many_sizes_and_elsewhere_the_address_is(
    tmp_path: Path,
) -> None:
    async with inviting(tmp_path, at_table()) as seen:
        for size in ((76, 22), (110, 36), (200, 60), (80, 24)):
            await seen.pilot.resize_terminal(*size)
            await settle(seen)
            assert (size, read(bitmap(seen, light_ground=False))) == (size, PAGE.upper())
        await seen.pilot.resize_terminal(60, 20)
        await reads_all_but_the_code(seen, "A larger window shows a code for cameras, too.")
    ascii_only = TerminalOptions(must_be_ascii=True)
    async with inviting(tmp_path, at_table(), terminal=ascii_only) as seen:
        await reads_all_but_the_code(
            seen, "A code for a camera cannot be drawn in ASCII. The address is enough."
        )


async def reads_all_but_the_code(seen: Seen, why: str) -> None:
    await seen.reads(why)
    await seen.reads(PAGE)
    await seen.reads("ssh -t -p 7422 games.example K7F3")
    await seen.reads(".venv/bin/game-client --host games.example")
    await seen.reads("--table K7F3")
    assert read(bitmap(seen, light_ground=False)) is None


async def test_what_is_typed_stands_there_whole_and_is_copied(tmp_path: Path) -> None:
    async with inviting(tmp_path, at_table()) as seen:
        await seen.reads("ssh -t -p 7422 games.example K7F3")
        await seen.reads(".venv/bin/game-client")
        await seen.reads("--host games.example --table K7F3")
        await seen.press("c")
        assert seen.app.clipboard == PAGE
        await seen.reads("Copied, if your terminal lets programs copy.")
        await seen.press("down", "enter")
        assert seen.app.clipboard == "ssh -t -p 7422 games.example K7F3"
        await seen.press("up", "up", "c")
        assert seen.app.clipboard == ".venv/bin/game-client --host games.example --table K7F3"
        lines = seen.screen_text.splitlines()
        y = next(at for at, line in enumerate(lines) if "ssh -t" in line)
        await seen.pilot.click(offset=(10, y))
        assert seen.app.clipboard == "ssh -t -p 7422 games.example K7F3"


async def test_it_says_how_a_table_is_reached(tmp_path: Path) -> None:
    """By a long name, without a page, as a private one, and when no seat is free."""
    async with client(tmp_path) as seen:
        for host in ("g" * 62 + ".example", f"{'a.' * 120}example"):
            await invite(seen, at_table(doors=(Door(WEB, 7480, host),)))
            shown = "".join(seen.screen_text.replace("│", "").split())
            start = shown.index("http://")
            assert shown[start:].startswith(f"http://{host}:7480/K7F3")
            await seen.press("escape")
        await invite(seen, at_table(doors=DOORS[:2]))
        assert "http" not in seen.screen_text
        assert "camera" not in seen.screen_text
        await seen.press("escape")
        await invite(seen, at_table(private=True))
        await seen.reads_whole("The lobby does not show this")
        for spectators, words in ((True, "whoever comes looks on"), (False, "and nobody may")):
            await seen.press("escape")
            sitting = Sitting(Setup("diadingo", spectators=spectators))
            sitting.enter(Sat("Ana"), Sat("Bob"), Started())
            await invite(seen, replace(sitting.client_state, doors=DOORS))
            await seen.reads("No seat is free")
            await seen.reads(words)


async def test_a_letter_is_enough_in_the_lobby_and_before_the_start(tmp_path: Path) -> None:
    """There one invites to the server, here to the table."""
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
        await show(seen, at_table())
        await seen.reads(f"Others open:  {PAGE}")
        await seen.press("i")
        await seen.on(InviteScreen)


async def test_a_player_at_a_host_s_machine_copies_nothing(tmp_path: Path) -> None:
    there = BY_A_GATE
    async with inviting(tmp_path, at_table(), address=there, reached="192.0.2.7") as seen:
        await seen.reads("ssh -t -p 7422 192.0.2.7 K7F3")
        await seen.reads("--host 192.0.2.7")
        await seen.press("c", "enter")
        assert not seen.app.clipboard
        assert "copy" not in seen.screen_text


async def test_where_nobody_else_can_come_that_is_said(tmp_path: Path) -> None:
    there = BY_A_GATE
    async with client(tmp_path, address=there) as seen:
        await show(seen, at_table())
        await seen.press("ctrl+o")
        await seen.reads("Only its host can tell how this server is reached from elsewhere.")


async def test_the_password_is_told_by_nobody_but_the_player(tmp_path: Path) -> None:
    """And alone there is nobody to invite."""
    async with client(tmp_path) as seen:
        await show(seen, at_table())
        assert seen.app.client is not None
        seen.app.client.session.password = "open sesame"  # noqa: S105
        await seen.press("ctrl+o")
        await seen.reads("They are asked for")
        await settle(seen)
        assert "sesame" not in seen.screen_text
        assert read(bitmap(seen, light_ground=False)) == PAGE.upper()
        await seen.press("escape")
        seen.app.local.is_alone = True
        await seen.press("ctrl+o")
        await seen.reads("You play alone here. For company, choose “Host here” in the menu.")
