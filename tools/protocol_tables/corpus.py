"""Frames of every message, in both encodings, to hold a decoder against: tests/corpus/frames.jsonl.

A line is a map: `from` is `client` or `server`, `json` the message as JSON has it, `msgpack` the packed frame in hex. Those of
tests/corpus/refused.jsonl are frames that a server refuses, and how.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.description import forms_of_moves, refusal_codes
from diadem_shared.entries import (
    Adjudicated,
    Changed,
    Hinted,
    Left,
    Lost,
    Moved,
    Resigned,
    Returned,
    Sat,
    Sealed,
    Setup,
    Started,
    TakenOver,
    TimedOut,
)
from diadem_shared.frames import as_json
from diadem_shared.game import AnyGame
from diadem_shared.games import GAMES
from diadem_shared.games.diamino.table import Laid
from diadem_shared.games.diamino.verdict import Legal
from diadem_shared.match import Match, Told, apply, open_match
from diadem_shared.match import Phase as MatchPhase
from diadem_shared.protocol import FromClient, Happened, TableView
from diadem_shared.refusals import INTEGER, STRING, STRINGS, Refusal
from tools.protocol_tables.examples import CODE, DRAWS_ON, EXAMPLES, PLAYERS, PUBLIC

FOLDER = Path(__file__).parents[2] / "tests" / "corpus"
FRAMES, REFUSED = FOLDER / "frames.jsonl", FOLDER / "refused.jsonl"
ROUNDS = 4
"""Of each game, by chance, in which what can happen is looked for."""
SETUPS: dict[str, tuple[dict[str, Any], ...]] = {
    "diadingo": ({"play": "marked"}, {}),
    "diamino-rummy": ({"language": "en", "judging": "table"}, {"language": "en"}),
    "diamino-bonus": ({"language": "en", "judging": "table"}, {"language": "en"}),
}


def lines() -> Iterator[str]:
    for message in messages():
        frame = protocol.pack(message)
        sender = "client" if isinstance(message, get_args(FromClient)) else "server"
        line = {"from": sender, "json": json.loads(as_json(frame)), "msgpack": frame.hex()}
        yield json.dumps(line, ensure_ascii=False)


REFUSED_FRAMES: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"type": "unheard_of", "id": 1}, "bad_frame", ""),
    ({"id": 1}, "bad_frame", ""),
    ({"type": "ping"}, "bad_frame", ""),
    ({"type": "ping", "id": 0}, "bad_frame", ""),
    ({"type": "ping", "id": 2**53}, "bad_frame", ""),
    ({"type": "ping", "id": "1"}, "bad_frame", ""),
    ({"type": "ping", "id": 1, "later": True}, "bad_value", "later"),
    ({"type": "join", "id": 1, "table": "A\0B"}, "bad_value", "table"),
    ({"type": "play", "id": 1}, "bad_value", "move"),
    ({"type": "play", "id": 1, "move": 5}, "bad_value", "move"),
    ({"type": "play", "id": 1, "move": "draw", "entry": -1}, "bad_value", "entry"),
    ({"type": "say", "id": 1, "text": "x" * 501}, "bad_value", "text"),
    ({"type": "react", "id": 1, "kind": "boo"}, "bad_value", "kind"),
    ({"type": "set_pause", "id": 1, "most": 60_001}, "bad_value", "most"),
    (
        {"type": "make", "id": 1, "setup": {"game": "diadingo", "rounds": 0}},
        "bad_value",
        "setup.rounds",
    ),
    (
        {"type": "make", "id": 1, "setup": {"game": "diadingo", "clock": {"type": "none", "x": 1}}},
        "bad_value",
        "setup.clock.x",
    ),
    ({"type": "hello", "name": ""}, "bad_frame", ""),
    ({"type": "hello", "name": "Ana", "wants": "moves"}, "bad_frame", ""),
)
"""What is wrong with each, as a server says it: the code, and the field."""


def refused_lines() -> Iterator[str]:
    for message, code, field in REFUSED_FRAMES:
        packed = protocol.pack(message).hex()
        yield json.dumps({"json": message, "msgpack": packed, "code": code, "field": field})


def messages() -> Iterator[Struct]:
    yield from EXAMPLES
    yield from _entries()
    for game in GAMES.values():
        yield from _of_game(game)
    yield from _refusals()


def _entries() -> Iterator[Struct]:
    """What happens at a table of whatever game."""
    entries = (
        *(Sat("Ana"), Sat("Bob", "easy"), Left(1), Changed(Setup("diadingo")), Started()),
        *(Sealed(("5e" * 32, "")), Started(("a1" * 32, "", None))),
        *(TimedOut(0), Lost(1), Resigned(0), TakenOver(1, "easy"), Returned(0), Hinted(0)),
        Adjudicated(),
    )
    yield protocol.History(
        31, [Happened(number, each) for number, each in enumerate(entries, start=1)], more=False
    )
    yield protocol.Replay(32, CODE, 1, Setup("diamoniak"), bytes(32), [Moved(0, "draw", 900)])
    agreed = Setup("diamoniak", hints=True)
    explained = Moved(1, "draw", 400, (DRAWS_ON,))
    yield protocol.Replay(34, CODE, 1, agreed, bytes(32), [explained, Hinted(0)])


def _of_game(game: AnyGame) -> Iterator[Struct]:
    """Each kind of move, a view of each phase, one of each event, and what the judge says of drafts."""
    known: set[object] = set()
    for form in forms_of_moves(game):
        yield protocol.Play(40, form)
    for number in range(ROUNDS):
        before = None
        for match, told in _round(game, number):
            events = [happening.told(0) for happening in told]
            phase = getattr(game.public(match.state), "phase", match.phase)
            if not known.issuperset({phase, *map(type, events)}):
                yield _view(match, events, 0)
                yield _view(match, events, None)
            recalled = [game.recall(game.public(match.state), each) for each in events]
            if forms := {type(each) for each in recalled if each} - known - set(map(type, events)):
                happened = [Happened(match.entries, each) for each in recalled if each]
                yield protocol.History(42, happened, more=True)
                known |= forms
            if before is not None:
                yield from _verdicts(before, events, known)
            known |= {phase, *map(type, events)}
            before = match


def _verdicts(match: Match, events: list[Any], known: set[object]) -> Iterator[Struct]:
    """What is said of what was laid then, and of half of it."""
    laid = next((each for each in events if isinstance(each, Laid)), None)
    if laid is None or Legal in known or len(laid.fields) < 3:
        return
    known.add(Legal)
    view = match.game.view(match.state, laid.seat)
    letters = dict(zip(laid.fields, laid.play.tiles, strict=False))
    for draft in (letters, dict(list(letters.items())[::2])):
        yield protocol.Check(41, draft)
        yield protocol.Checked(41, match.game.preview(view, draft))


def _round(game: AnyGame, number: int) -> Iterator[tuple[Match, Told]]:
    """By chance, as far as it goes: bots leave out what is foolish."""
    choices = SETUPS.get(game.name, ({},))
    setup = Setup(game.name, options=choices[number % len(choices)])
    seed, chance = number.to_bytes(32), Chance(number.to_bytes(4), "corpus")
    match = open_match(setup)
    for entry in (Sat("Ana"), Sat("Bob"), Started()):
        match, told = apply(match, entry, seed)
    yield match, told
    while match.phase is MatchPhase.PLAYING:
        seat = chance.pick(match.actors)
        move = Moved(seat, game.notate(game.any_move(game.view(match.state, seat), chance)))
        match, told = apply(match, move, seed)
        yield match, told


def _view(match: Match, news: list[Any], seat: int | None) -> TableView:
    public = replace(
        PUBLIC,
        setup=match.setup,
        players=PLAYERS,
        phase=match.phase,
        actors=match.actors,
        rounds=match.rounds,
        game=match.game.public(match.state),
    )
    view = match.game.view(match.state, seat)
    return TableView(
        *(CODE, 12, match.entries, seat, public, view.private),
        [Happened(match.entries, each) for each in news],
        moves=match.game.choices(view) if seat in match.actors else None,
    )


def _refusals() -> Iterator[Struct]:
    """One of each code; where several games have one of a name, one for each."""
    values: dict[str, int | str | list[str]] = {INTEGER: 3, STRING: "text", STRINGS: ["one", "two"]}
    for code in refusal_codes(GAMES.values()):
        about = {key: values[kind] for key, kind in code.about.items()}
        yield protocol.Refused(33, Refusal(code, about))
