"""What each game says on the wire: options, views, moves, events."""

from collections.abc import Iterator
from types import NoneType
from typing import Any, get_args, get_type_hints

from msgspec import Struct

from diadem_shared.description import forms_of_moves
from diadem_shared.entries import Entry
from diadem_shared.game import AnyGame
from diadem_shared.games import GAMES
from diadem_shared.match_events import MatchOver, RoundOver, Stalled
from diadem_shared.refusals import Refusal
from tools.protocol_tables import structs


def entries() -> Iterator[str]:
    yield from ("| event | fields | |", "|---|---|---|")
    events: list[structs.Kind] = [*structs.kinds(Entry), Stalled, RoundOver, MatchOver]
    for kind in events:
        yield structs.one_line(kind)


def all_games() -> Iterator[str]:
    groups: dict[type[AnyGame], list[AnyGame]] = {}
    for game in GAMES.values():
        groups.setdefault(type(game), []).append(game)
    for games in groups.values():
        yield from _group(games)


def _group(games: list[AnyGame]) -> Iterator[str]:
    """Games of one kind, which speak alike."""
    first = games[0]
    yield from ("", f"### {', '.join(f'`{game.name}`' for game in games)}", "")
    yield from ("| game | rules version | seats | bots |", "|---|---|---|---|")
    for game in games:
        seats = f"{game.seats[0]} to {game.seats[-1]}"
        levels = ", ".join(f"`{level}`" for level in game.bots)
        yield f"| `{game.name}` | {game.version} | {seats} | {levels} |"
    yield from ("", "**Moves.**", "")
    for game in games:
        forms = ", ".join(f"`{form}`" for form in forms_of_moves(game))
        yield f"- `{game.name}`: {forms}"
    yield from ("", "**Options**, `setup.options`, and whole wherever a game shows them.", "")
    options = dict.fromkeys(game.options_type for game in games)
    for kind in options:
        if len(options) > 1:
            named = ", ".join(f"`{game.name}`" for game in games if game.options_type is kind)
            yield from (f"Of {named}:", "")
        yield from structs.table(kind)
        yield ""
    yield from ("**What everybody sees**, `public.game`.", "")
    yield from structs.table(first.public_type)
    private = first.private_type
    if private is not NoneType:
        yield from ("", "**What only the seat sees**, `private`.", "")
        yield from structs.table(private)
    yield from _verdicts(first)
    yield from ("", "**Events.**", "", "| event | fields | |", "|---|---|---|")
    for kind in structs.kinds(first.event_type):
        yield structs.one_line(kind)
    seen = [first.public_type, *([private] if private is not NoneType else [])]
    messages = [*seen, *structs.kinds(first.event_type), *_verdict_kinds(first)]
    for kind in _unnamed(structs.named_in(messages), [*messages, *options]):
        yield from structs.described(kind, level=4)


def _unnamed(found: Any, described: list[Any]) -> list[type[Struct]]:
    """Those that are not described elsewhere on the page."""
    return [kind for kind in dict.fromkeys(found) if kind not in {Refusal, *described}]


def _verdict_kinds(game: AnyGame) -> tuple[type[Struct], ...]:
    verdict = get_type_hints(type(game).preview)["return"]
    return () if verdict is Any else get_args(verdict)


def _verdicts(game: AnyGame) -> Iterator[str]:
    for kind in _verdict_kinds(game):
        tag = kind.__struct_config__.tag
        yield from ("", f"**What the judge says of a draft**, `verdict`: `{tag}`.", "")
        yield from structs.table(kind)
