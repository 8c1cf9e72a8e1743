"""The screens on which one looks back."""

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from diadem_client.local.kept_matches import KeptMatches
from diadem_client.local.servers import LocalServers
from diadem_client.ui.screens.lobby import LobbyScreen
from diadem_client.ui.screens.look_back import LookBackScreen
from diadem_client.ui.screens.replay import ReplayScreen
from diadem_client.ui.widgets.history import MatchList
from diadem_client.ui.widgets.standings import StandingList
from diadem_client.ui.widgets.statistics import GameSheet
from diadem_shared.entries import Setup
from diadem_shared.highlights import Highlight
from diadem_shared.protocol import (
    STANDINGS,
    Answer,
    Command,
    GetStandings,
    GetStatistics,
    OwnStatistics,
    StandingLine,
    Standings,
)
from diadem_shared.statistics import GameStatistics, Opponent
from tests.client.scenes.stage import scene
from tests.client.ui.screens.rig import Seen
from tests.client.ui.screens.staged import StagedClient, at_server
from tests.playouts import playout
from tests.shared.match_files import SECRET, file_of, played

ENDED = 1_795_000_000.0
LONG = ("Bartholomea Fitzroya", "Cem", "[red]Dee[/]")


async def look_back(seen: Seen) -> None:
    seen.app.local.servers = LocalServers(seen.app.store)
    seen.app.base_screen.look_back(is_at_server=False)
    await seen.on(LookBackScreen)
    await seen.until(lambda: seen.app.screen.query_one(MatchList).matches is not None)


def keep_some(seen: Seen) -> None:
    """Of several games, each a day after the one before."""
    matches = KeptMatches(seen.app.store.past_matches_folder())
    for number, (game, names) in enumerate(
        (
            ("diadingo", ("Ana", "Bob")),
            ("diamoniak", ("Cem", "Ana")),
            ("diadingo", LONG),
            ("piratatak", ("Ana", "Bob", "Cem")),
        )
    ):
        file = file_of(*played(Setup(game), names=names))
        matches.keep(file, number % len(names), ENDED + number * 86_400)


@scene(LookBackScreen)
async def history_empty(seen: Seen) -> None:
    await look_back(seen)


@scene(LookBackScreen)
async def history(seen: Seen) -> None:
    keep_some(seen)
    await look_back(seen)
    await seen.press("down")


async def look_at(seen: Seen, setup: Setup, levels: list[str]) -> None:
    """As bots of the whole match would have left it."""
    steps = list(playout(setup, levels, SECRET))
    seen.app.local.servers = LocalServers(seen.app.store)
    seen.app.base_screen.look_at(file_of(steps[-1].match, [step.entry for step in steps]))
    await seen.on(ReplayScreen)
    await seen.until(lambda: seen.app.screen.client_state.table)  # type: ignore[attr-defined]


@scene(ReplayScreen)
async def replay(seen: Seen) -> None:
    await look_at(seen, Setup("diamino-bonus", {"language": "en"}), ["zombie", "zombie"])
    await seen.press("s", "right", "right")


@scene(ReplayScreen, more=True)
async def replay_of_two_rounds(seen: Seen) -> None:
    await look_at(seen, Setup("diadingo", rounds=2), ["zombie", "zombie", "zombie"])
    await seen.press("end")


GAMES = (
    GameStatistics(
        *("diamoniak", 24, 14, 1, 2, 5),
        (1, 2, 1, 1, 3, 2, 1, 1, 1, 1, 1, 2, 4, 1, 2, 1, 1, 3, 1, 2, 2, 1, 1, 1),
        (
            Opponent("Bob", None, 17, 9),
            Opponent("", "easy", 11, 8),
            Opponent("Bartholomea Fitzroya", None, 6, 1),
            Opponent("", "strong", 2, 0),
        ),
        (Highlight("castle", 7, "blue"), Highlight("drawn", 9)),
    ),
    GameStatistics(
        *("diadingo", 5, 1, 0, 0, 1, (3, 1, 2, 2, 4)),
        (Opponent("", "naive", 5, 3),),
        (Highlight("round", 21_000), Highlight("run", 6), Highlight("theft", 6_000)),
    ),
    GameStatistics(
        *("diamino-bonus", 1, 1, 0, 1, 1, (1,)),
        (Opponent("Bob", None, 1, 1),),
        (Highlight("word", 23, "Jauchzen"), Highlight("tiles", 7), Highlight("round", 118)),
    ),
)
LINES = (
    StandingLine("", "strong", 1918),
    StandingLine("Cem", None, 1875, 64, 41, 1),
    StandingLine("", "bold", 1795),
    StandingLine("Bartholomea Fitzroya", None, 1702, 96, 15, 2),
    StandingLine("", "daring", 1648),
    StandingLine("", "keen", 1484),
    StandingLine("Ana", None, 1467, 102, 14, 3),
    StandingLine("Bob", None, 1405, 196, 4),
    StandingLine("", "lively", 1337),
    StandingLine("", "brisk", 1164),
    StandingLine("[red]Dee[/]", None, 1102, 230, 3),
    StandingLine("", "easy", 1000),
)


class Answering(StagedClient):
    """Answers what is asked of a server that keeps such things."""

    def __init__(self, *answers: Answer) -> None:
        super().__init__(replace(at_server(), features=(STANDINGS,)))
        self._by_command = dict(zip((GetStatistics, GetStandings), answers, strict=True))

    def ask(
        self, kind: Callable[..., Command], *given: Any, **named: Any
    ) -> asyncio.Future[Answer]:
        answer = super().ask(kind, *given, **named)
        if kind in self._by_command:
            answer.set_result(self._by_command[kind])
        return answer


async def at_page(seen: Seen, client: StagedClient, *keys: str) -> None:
    seen.app.client = client
    seen.app.present(client.client_state)
    await seen.on(LobbyScreen)
    seen.app.base_screen.look_back(is_at_server=True)
    await seen.on(LookBackScreen)
    await seen.press(*keys)


def told(*lines: StandingLine) -> Standings:
    mine = next((at for at, line in enumerate(lines) if line.name == "Ana"), None)
    return Standings(2, "diamoniak", lines, 0, len(lines), mine, listed=True)


@scene(LookBackScreen)
async def statistics(seen: Seen) -> None:
    await at_page(seen, Answering(OwnStatistics(1, GAMES), told(*LINES)), "tab")
    await seen.until(lambda: seen.app.screen.query_one(GameSheet).game)


@scene(LookBackScreen)
async def statistics_empty(seen: Seen) -> None:
    await at_page(seen, Answering(OwnStatistics(1, ()), told()), "tab")
    await seen.until(lambda: seen.app.screen.query_one(GameSheet).is_known)


@scene(LookBackScreen)
async def standings(seen: Seen) -> None:
    await at_page(seen, Answering(OwnStatistics(1, GAMES), told(*LINES)), "tab", "tab", "m")
    await seen.until(lambda: seen.app.screen.query_one(StandingList).total)


@scene(LookBackScreen)
async def standings_empty(seen: Seen) -> None:
    bots = [line for line in LINES if line.bot]
    await at_page(seen, Answering(OwnStatistics(1, ()), told(*bots)), "tab", "tab")
    await seen.until(lambda: seen.app.screen.query_one(StandingList).sentence)
