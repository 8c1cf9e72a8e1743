"""How each game deals from one round seed, and what chance is in its moves: for other implementers to check theirs against."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from diadem_shared.entries import Entry, Moved, OptionValue, Sat, Sealed, Setup, Started
from diadem_shared.games.castles.editions import DIAMONIAK, PIRATATAK, Edition
from diadem_shared.games.diadingo.board import DECK, SPOTS
from diadem_shared.games.diamino.tiles import TILE_SETS
from diadem_shared.match import Match, apply, replay
from diadem_shared.shuffle import commitment_of_player, commitment_of_server

SECRET = bytes(range(157, 189))
SERVER = commitment_of_server(SECRET)
ADDED = {"Ana": bytes(range(32)), "Bob": bytes(range(32, 64))}
PLAYERS = ("Ana", "Bob", "Cem")
"""The last of them adds nothing."""
OPENINGS = tuple(ADDED[name].hex() if name in ADDED else "" for name in PLAYERS)
COMMITMENTS = tuple(
    commitment_of_player(SERVER, 0, name, ADDED[name]).hex() if name in ADDED else ""
    for name in PLAYERS
)
EXCHANGED = 3
"""Tiles that each of two players gives."""


def sealed(game: str, options: dict[str, OptionValue] | None = None) -> Match:
    entries: Sequence[Entry] = (*map(Sat, PLAYERS), Sealed(COMMITMENTS))
    return replay(Setup(game, options or {}), entries, SECRET)


def dealt(game: str, options: dict[str, OptionValue] | None = None) -> Match:
    return apply(sealed(game, options), Started(OPENINGS), SECRET)[0]


def castles(edition: Edition) -> dict[str, Any]:
    state = dealt(edition.name).state
    return {"cards": edition.deck(), "deck": state.deck, "first": state.turn}


def diadingo() -> dict[str, Any]:
    """Without the first card, which is turned up at once: it is the last of the deck."""
    match = dealt("diadingo")
    state = match.state
    fixed = [spot for spot in SPOTS if spot not in state.loose]
    deck = (*state.deck, state.card)
    return {"first": match.opener, "cards": DECK, "deck": deck, "spots": SPOTS, "fixed": fixed}


def diamino(game: str, language: str) -> dict[str, Any]:
    match, (opened,) = apply(sealed(game, {"language": language}), Started(OPENINGS), SECRET)
    draws = [dict(each) for each in opened.event.draws]
    told = {"language": language, "draws": draws, "first": match.opener}
    return told | {"hands": match.state.hands, "reserve": match.state.reserve}


def exchanges() -> Iterator[dict[str, Any]]:
    """The first two moves of the round of Bonus, each with chance of its own."""
    match = dealt("diamino-bonus", {"language": "en"})
    for _ in range(2):
        seat, before = match.actors[0], match.state
        gives = before.hands[seat][:EXCHANGED]
        match, _told = apply(match, Moved(seat, f"exchange {gives}"), SECRET)
        yield {"seat": seat, "gives": gives, "hand": match.state.hands[seat]}


def values() -> dict[str, Any]:
    chance = dealt("diamoniak").chance
    return {
        "secret": SECRET.hex(),
        "players": PLAYERS,
        "commitments": COMMITMENTS,
        "openings": OPENINGS,
        "round seed": "" if chance is UNSET else chance.seed.hex(),
        "diamoniak": castles(DIAMONIAK),
        "piratatak": castles(PIRATATAK),
        "diadingo": diadingo(),
        "tiles": {language: each.tiles for language, each in TILE_SETS.items()},
        "diamino-rummy": diamino("diamino-rummy", "de"),
        "diamino-bonus": diamino("diamino-bonus", "en"),
        "exchanges": list(exchanges()),
    }


def vector() -> Iterator[str]:
    """A line for each value."""
    lines = []
    for name, value in values().items():
        inner = value.items() if isinstance(value, dict) else ()
        written = ",\n".join(f"  {json.dumps(key)}: {json.dumps(each)}" for key, each in inner)
        lines.append(f' "{name}": ' + (f"{{\n{written}\n }}" if inner else json.dumps(value)))
    yield from ("", "```json", "{", *",\n".join(lines).split("\n"), "}", "```", "")
