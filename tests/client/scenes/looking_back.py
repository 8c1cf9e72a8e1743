"""The screens on which one looks back."""

from diadem.entries import Setup
from diadem.playout import play_out
from diadem_client.local.kept_matches import KeptMatches
from diadem_client.local.servers import LocalServers
from diadem_client.ui.screens.look_back import LookBackScreen
from diadem_client.ui.screens.replay import ReplayScreen
from diadem_client.ui.widgets.history import MatchList
from tests.client.scenes.stage import scene
from tests.client.ui.screens.rig import Seen
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
    steps = list(play_out(setup, levels, SECRET))
    seen.app.local.servers = LocalServers(seen.app.store)
    seen.app.base_screen.look_at(file_of(steps[-1].match, [step.entry for step in steps]))
    await seen.on(ReplayScreen)
    await seen.until(lambda: seen.app.screen.picture.table)  # type: ignore[attr-defined]


@scene(ReplayScreen)
async def replay(seen: Seen) -> None:
    await look_at(seen, Setup("diamino-bonus", {"language": "en"}), ["zombie", "zombie"])
    await seen.press("s", "right", "right")


@scene(ReplayScreen, more=True)
async def replay_of_two_rounds(seen: Seen) -> None:
    await look_at(seen, Setup("diadingo", rounds=2), ["zombie", "zombie", "zombie"])
    await seen.press("end")
