"""A player with nothing but fingers: the moves of every game, as taps on what stands on a phone's screen."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from diadem_client.games.castles.draft import KEYS, toll_for
from diadem_shared import protocol
from diadem_shared.chance import Chance
from diadem_shared.game import AnyGame, View
from diadem_shared.games import GAMES, castles, diadingo, diamino
from diadem_shared.games.diamino.tiles import JOKER
from diadem_shared.protocol import TableView
from tests.rig.wire import Player
from tests.server import done
from tests.web.browser import Window

ANA = 1
"""Her seat: she came to Bob's table."""
TRIES, SOON = 10, 3.0
"""How often a move is tapped, and the seconds after which what was tapped counts as not heard."""
NOBODY = "0  rob nobody"
CHAT = "chat, or /word to search"
"""Stands there while the log lies over the board."""
ROW = re.compile(r"^ *([A-G]) ")
RULER = re.compile("A +B +C +D")
LEDGE = "\u2580" * 20
TILE = re.compile(r"(?<![A-Za-z])([A-Z*])(?![A-Za-z])")
ARROWS = {"across": "\u25ba", "down": "\u25bc"}
LETTERS_KEY = "#left button:nth-child(5)"

Choose = Callable[[View[Any, Any], int], Any]
"""A move, by a view and by how many were made before it."""


class Tile(NamedTuple):
    letter: str
    row: int
    column: int


def is_over(view: TableView) -> bool:
    return bool(view.public["phase"] == "over")


def as_a_bot(game: str, level: str, name: str) -> Choose:
    mind = GAMES[game].bots[level](Chance(name.encode()))
    return lambda view, _: mind.choose(view)


class Fingers:
    def __init__(self, window: Window, bob: Player, game: str) -> None:
        """Bob's view tells when Ana is on, and whether what she did was a move."""
        self._window = window
        self._bob = bob
        self._game: AnyGame = GAMES[game]
        by_game = {
            "diadingo": self._tap_in_diadingo,
            "diamino-rummy": self._tap_in_diamino,
            "diamino-bonus": self._tap_in_diamino,
        }
        self._tap_move = by_game.get(game, self._tap_in_castles)

    async def play(self, anas: Choose, bobs: Choose, until: Callable[[TableView], bool]) -> None:
        """The other waits for her as long as it takes."""
        made = [0, 0]
        while not until(view := self._view):
            (on,) = view.public["actors"]
            private = view.private if on != ANA else await self._hand()
            seen = self._game.read_view(on, view.public["game"], private)
            move = (anas if on == ANA else bobs)(seen, made[on])
            made[on] += 1
            if on == ANA:
                await self._make(move, seen.public, view.entry)
            else:
                await done(self._bob, protocol.Play, self._game.notate(move))
                await self._bob.until(partial(self._has_moved, view.entry))

    @property
    def _view(self) -> TableView:
        assert self._bob.view is not None
        return self._bob.view

    async def _hand(self) -> dict[str, str] | None:
        """As she reads it, where a game has one."""
        if self._game.private_type is type(None):
            return None
        await self._window.until(lambda text: is_on(text) and list(rack(text)), "the rack")
        return {
            "tiles": "".join(sorted(each.letter for each in rack(await self._window.settled())))
        }

    async def _make(self, move: Any, table: Any, entry: int) -> None:
        """What comes to be shown between two taps calls for another."""
        for tried in range(TRIES):
            text = await self._until(entry, is_on, "her turn")
            if tried or CHAT in text:
                await self._begin_anew(entry)
            await self._tap_move(move, table, entry)
            if await self._moves_within(SOON, entry):
                return
        raise AssertionError(f"{move} cannot be made:\n{await self._window.text()}")

    async def _moves_within(self, seconds: float, entry: int) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._bob.until(partial(self._has_moved, entry))
        return bool(self._has_moved(entry))

    def _has_moved(self, entry: int) -> bool | None:
        return self._view.entry > entry or None

    async def _until(self, entry: int, found: Callable[[str], object], what: str) -> str:
        return await self._window.until(lambda text: found(text) or self._has_moved(entry), what)

    async def _tap_in_castles(self, move: Any, table: Any, entry: int) -> None:
        match move:
            case castles.table.Draw():
                await self._twice(entry, deck, "Tap once more to draw a card.")
            case castles.table.Stop():
                await self._foot(entry, "stop")
            case castles.table.Shield():
                await self._foot(entry, "fairy", "cannon")
            case castles.table.Buy():
                await self._foot(entry, "buy")
            case castles.table.Pay(cards):
                kinds = [each.card for each in toll_for(table.mover).kinds]
                for card in cards:
                    key = KEYS[kinds.index(card)]
                    await self._tap_where(entry, partial(entry_of, key), card)
                await self._foot(entry, "pay")
            case _:
                raise AssertionError(move)

    async def _tap_in_diadingo(self, move: Any, _table: Any, entry: int) -> None:
        match move:
            case diadingo.table.Take(spot):
                pointed = f" {spot[0]} .*\u25ba\\S*{spot[1]}"
                await self._twice(entry, partial(place_of, spot), pointed)
            case diadingo.table.Decline():
                await self._twice(entry, partial(words_at, NOBODY), f"\u25ba {NOBODY}")
            case _:
                raise AssertionError(move)

    async def _tap_in_diamino(self, move: Any, _table: Any, entry: int) -> None:
        match move:
            case diamino.table.Lay(play):
                await self._lay(entry, play.start, str(play.direction), play.tiles)
            case diamino.table.Exchange(tiles):
                await self._foot(entry, "4 exchange")
                await self._until(
                    entry, partial(foot_at, ("Enter exchange",)), "tiles to be marked"
                )
                await self._tiles(tiles)
                await self._foot(entry, "Enter exchange")
            case diamino.table.Give(tiles):
                await self._tiles(tiles)
                await self._foot(entry, "Enter give back")
                if not tiles:
                    await self._foot(entry, "Enter yes")
            case diamino.table.Pass():
                await self._foot(entry, "pass")
                await self._foot(entry, "Enter yes")
            case _:
                raise AssertionError(move)

    # What is tapped

    async def _tap_where(
        self, entry: int, find: Callable[[str], tuple[int, int] | None], what: str
    ) -> None:
        text = await self._until(entry, find, what)
        if place := find(text):
            await self._window.tap_cell(*place)

    async def _twice(
        self, entry: int, find: Callable[[str], tuple[int, int] | None], pointed: str
    ) -> None:
        await self._tap_where(entry, find, pointed)
        with suppress(TimeoutError):  # a tap right behind a move may count as one with it
            async with asyncio.timeout(SOON):
                await self._until(entry, re.compile(pointed).search, pointed)
                await self._tap_where(entry, find, pointed)

    async def _foot(self, entry: int, *words: str) -> None:
        """A word of the last line."""
        await self._tap_where(entry, partial(foot_at, words), f"one of {words} in the last line")

    async def _begin_anew(self, entry: int) -> None:
        """Without what is left of an earlier try, or of a tap on a word of the last line that had just given way to another."""
        for word in ("Esc back", "take back"):
            if foot_at((word,), await self._window.text()):
                await self._foot(entry, word)
                await self._until(entry, partial(has_no_foot, word), f"no {word!r}")
        if CHAT in await self._window.text():
            await self._foot(entry, "Tab log, chat")

    async def _lay(self, entry: int, start: str, direction: str, tiles: str) -> None:
        field, arrow = partial(field_at, start), ARROWS[direction]
        for _ in range(2):
            text = await self._until(entry, field, start)
            if arrow in cell(text, start):
                break
            await self._tap_where(entry, field, start)
            await self._until(
                entry, lambda text: set(cell(text, start)) & {*ARROWS.values()}, f"{start} marked"
            )
        await self._tiles(tiles)
        await self._foot(entry, "Enter lay")

    async def _tiles(self, tiles: str) -> None:
        """Places of the rack stay where they are, whatever is taken from them."""
        left = list(rack(await self._window.text()))
        for letter in tiles:
            held = JOKER if letter.islower() else letter
            tile = next((each for each in left if each.letter == held), None)
            if tile is None:
                return  # something has happened meanwhile
            left.remove(tile)
            await self._window.tap_cell(tile.row, tile.column)
            if letter.islower():
                await self._window.tap_on(f"#abc button:nth-child({ord(letter) - ord('a') + 1})")


# Where things stand on the screen


def is_on(text: str) -> bool:
    return "YOUR TURN" in text


def foot_at(words: tuple[str, ...], text: str) -> tuple[int, int] | None:
    rows = text.split("\n")
    line = rows[-1] + " "
    return next(
        ((len(rows) - 1, line.index(f" {each} ") + 1) for each in words if f" {each} " in line),
        None,
    )


def has_no_foot(word: str, text: str) -> bool:
    return foot_at((word,), text) is None


def words_at(words: str, text: str) -> tuple[int, int] | None:
    rows = text.split("\n")
    return next(((row, line.index(words)) for row, line in enumerate(rows) if words in line), None)


def deck(text: str) -> tuple[int, int] | None:
    """The pile over its name."""
    named = words_at("deck", text)
    return named and (named[0] - 2, named[1] + 1)


def entry_of(key: str, text: str) -> tuple[int, int] | None:
    """A card that could be given up."""
    found = re.compile(rf"(?<!\S){key}[\u25ba ]\[[ \d]\]")
    for row, line in enumerate(text.split("\n")):
        if there := found.search(line):
            return row, there.start()
    return None


def place_of(spot: str, text: str) -> tuple[int, int] | None:
    """A diamond."""
    for row, line in enumerate(text.split("\n")):
        found = ROW.match(line)
        if found and found[1] == spot[0] and spot[1] in line[:53]:
            return row, line.index(spot[1])
    return None


def field_at(name: str, text: str) -> tuple[int, int] | None:
    """A field of a board whose fields are a row high."""
    for row, line in enumerate(text.split("\n")):
        if RULER.search(line):
            return row + int(name[1:]), line.index(name[0])
    return None


def cell(text: str, name: str) -> str:
    place = field_at(name, text)
    if place is None:
        return ""
    row, column = place
    return text.split("\n")[row].ljust(80)[column - 1 : column + 2]


def rack(text: str) -> Iterator[Tile]:
    rows = text.split("\n")
    last = field_at("A15", text)
    end = next((row for row, line in enumerate(rows) if LEDGE in line), None)
    if last is None or end is None:
        return
    for row in range(last[0] + 1, end):
        for found in TILE.finditer(rows[row]):
            yield Tile(found[1], row, found.start())
