"""Every code of a refusal, by who gives it."""

from collections.abc import Iterator

from diadem import refusals
from diadem.game import COMMON_REFUSALS
from diadem.games import GAMES
from diadem.match import REFUSALS as OF_MATCHES


def tables() -> Iterator[str]:
    yield from ("| of | codes |", "|---|---|")
    yield _row("the connection", refusals.OF_THE_LINE)
    yield _row("tables and replays", refusals.OF_TABLES)
    yield _row("setup, seats and phases", OF_MATCHES)
    yield _row("every game", COMMON_REFUSALS | {"no_drafts"})
    for game in GAMES.values():
        yield _row(f"`{game.name}`", game.refusals - COMMON_REFUSALS)


def _row(of: str, codes: frozenset[str]) -> str:
    return f"| {of} | {', '.join(f'`{code}`' for code in sorted(codes))} |"
