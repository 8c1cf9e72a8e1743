"""Standings are had page by page as one goes through them, and left and come back to with one key."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.look_back import LookBackScreen
from diadem_client.ui.widgets.standings import PAGE, StandingList
from diadem_shared.protocol import (
    STANDINGS,
    Accepted,
    Answer,
    Command,
    GetStandings,
    SetListed,
    StandingLine,
    Standings,
)
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import StagedClient, at_server

TOTAL, MINE = 5 * PAGE, 70


class Club(StagedClient):
    """Tells a page of many players, and remembers what was asked."""

    def __init__(self, features: tuple[str, ...] = (STANDINGS,)) -> None:
        super().__init__(replace(at_server(), features=features))
        self.asked: list[tuple[str, int]] = []
        self.listed = True

    def ask(
        self, kind: Callable[..., Command], *given: Any, **named: Any
    ) -> asyncio.Future[Answer]:
        answer = super().ask(kind, *given, **named)
        if kind is GetStandings:
            self.asked.append(given)
            answer.set_result(self._page(*given))
        elif kind is SetListed:
            self.listed = named["on"]
            answer.set_result(Accepted(1))
        return answer

    def _page(self, game: str, first: int) -> Standings:
        lines = [
            StandingLine(f"P{number}", None, 2000 - number, 60, 9, number + 1)
            for number in range(first, min(first + PAGE, TOTAL))
        ]
        mine = MINE if self.listed else None
        return Standings(1, game, tuple(lines), first, TOTAL, mine, self.listed)


async def at_standings(seen: Seen, club: Club) -> StandingList:
    seen.app.client = club
    seen.app.present(club.client_state)
    await seen.on(LobbyScreen)
    seen.app.base_screen.look_back(is_at_server=True)
    await seen.on(LookBackScreen)
    await seen.press("shift+tab", "shift+tab")
    return seen.app.screen.query_one(StandingList)


async def test_pages_come_as_one_goes_on(tmp_path: Path) -> None:
    async with client(tmp_path, None) as seen:
        club = Club()
        rows = await at_standings(seen, club)
        await seen.reads("P0")
        assert club.asked == [("diamoniak", 0)]
        await seen.press("m")
        await seen.until(lambda: MINE in rows.lines)
        assert rows.at == MINE
        await seen.reads(f"P{MINE} (you)")
        assert {first for _, first in club.asked} <= {0, 2 * PAGE, 3 * PAGE, 4 * PAGE}
        await seen.press("right")
        await seen.until(lambda: rows.game == "piratatak" and rows.lines)
        assert rows.at == 0
        assert len(club.asked) == len(set(club.asked))


async def test_standings_are_left_and_come_back_to(tmp_path: Path) -> None:
    async with client(tmp_path, None) as seen:
        club = Club()
        await at_standings(seen, club)
        await seen.reads("leave them")
        await seen.press("x")
        await seen.reads("be listed")
        assert not club.listed
        await seen.press("x")
        await seen.reads("leave them")
        assert club.listed


async def test_a_server_without_standings_is_not_asked_for_them(tmp_path: Path) -> None:
    async with client(tmp_path, None) as seen:
        club = Club(features=())
        await at_standings(seen, club)
        await seen.reads("This server keeps no standings.")
        await seen.press("shift+tab")
        await seen.reads("This server keeps no statistics.")
        assert club.asked == []
