"""Every code of a refusal, by who gives it."""

from collections.abc import Iterator, Set

from diadem.game import COMMON_REFUSALS
from diadem.games import GAMES
from diadem.refusals import Code, RefusalCode

OF_CONNECTIONS = frozenset(
    {
        Code.BAD_FRAME,
        Code.BAD_VALUE,
        Code.FRAME_TOO_LONG,
        Code.HELLO_AGAIN,
        Code.ID_REUSED,
        Code.JOURNAL_UNAVAILABLE,
        Code.NAME_EMPTY,
        Code.NAME_IN_USE,
        Code.NAME_TOO_LONG,
        Code.NO_HELLO,
        Code.PASSWORD_NEEDED,
        Code.PASSWORD_WRONG,
        Code.REPLACED,
        Code.SERVER_CLOSING,
        Code.TOO_FAST,
        Code.TOO_MANY_BAD_FRAMES,
        Code.TOO_MANY_GUESSES,
    }
)
"""What a server says of a connection, beside what it asks for."""
OF_GAMES = COMMON_REFUSALS | {Code.NO_DRAFTS}


def tables() -> Iterator[str]:
    yield from ("| of | codes |", "|---|---|")
    yield _row("the connection", OF_CONNECTIONS)
    yield _row("tables, seats and matches", set(Code) - OF_CONNECTIONS - OF_GAMES)
    yield _row("every game", OF_GAMES)
    for game in GAMES.values():
        yield _row(f"`{game.name}`", game.refusals - COMMON_REFUSALS)


def _row(of: str, codes: Set[RefusalCode]) -> str:
    return f"| {of} | {', '.join(f'`{code}`' for code in sorted(codes))} |"
