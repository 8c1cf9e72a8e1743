"""Every code of a refusal, by who gives it, and every one of a reason, by game."""

from collections.abc import Iterator, Set

from diadem_shared.advice import ReasonCode
from diadem_shared.game import COMMON_REFUSALS
from diadem_shared.games import GAMES
from diadem_shared.refusals import INTEGER, STRING, STRINGS, Code, RefusalCode, ToldCode

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
        Code.TOO_MANY_NEWCOMERS,
        Code.TOO_MUCH_WRITTEN,
    }
)
"""What a server says of a connection, beside what it asks for."""
NAMED = {INTEGER: "integer", STRING: "string", STRINGS: "array of string"}
OF_GAMES = COMMON_REFUSALS | {Code.NO_DRAFTS}


def tables() -> Iterator[str]:
    yield from _table("the connection", OF_CONNECTIONS)
    yield from _table("tables, seats and matches", set(Code) - OF_CONNECTIONS - OF_GAMES)
    yield from _table("every game", OF_GAMES)
    games: dict[frozenset[RefusalCode], list[str]] = {}
    for game in GAMES.values():
        games.setdefault(game.refusals - COMMON_REFUSALS, []).append(f"`{game.name}`")
    for codes, names in games.items():
        yield from _table(", ".join(names), codes)


def reasons() -> Iterator[str]:
    games: dict[frozenset[ReasonCode], list[str]] = {}
    for game in GAMES.values():
        games.setdefault(game.reasons, []).append(f"`{game.name}`")
    for codes, names in games.items():
        yield from _table(", ".join(names), codes)


def _table(of: str, codes: Set[ToldCode]) -> Iterator[str]:
    yield from ("", f"Of {of}:", "", "| code | `about` | |", "|---|---|---|")
    for code in sorted(codes):
        about = ", ".join(f"`{key}`: {NAMED[kind]}" for key, kind in code.about.items())
        yield f"| `{code}` | {about} | {code.meaning} |"
