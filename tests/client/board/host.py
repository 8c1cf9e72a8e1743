"""The least that stands around a pane: a match among bots, and a place to show it in.

No server and no connection: a move that a pane posts is applied at once, or the test fails.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from textual.app import App, ComposeResult
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Static

from diadem_client.board.drawn import DrawnPane
from diadem_client.board.held_keys import HeldKeys
from diadem_client.board.pane import GamePane, Scene
from diadem_client.board.registry import pane_for
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.game import Happening, View
from diadem_shared.match import Match, Phase, apply, open_match
from tests.client import snapshots
from tests.client.monitor import until

NAMES = ("Ana", "Bob", "Cem", "Dee", "bot 5", "bot 6", "bot 7", "bot 8")
matches = partial(snapshots.matches, Path(__file__).parent / "snapshots")
NARROW = (60, 20)
SMALL = (80, 24)
LARGE = (110, 36)
HUGE = (150, 45)
KEY_NAMES = {".": "full_stop", "+": "plus", "-": "minus"}


class Desk:
    """A match in which one seat is played from outside and bots play the others."""

    def __init__(
        self,
        game: str,
        *,
        seats: int,
        seed: str,
        options: Mapping[str, Any] = {},
        seat: int = 0,
        level: str = "",
    ) -> None:
        self.seed = seed.encode()
        self.seat = seat
        self.match: Match = open_match(Setup(game, dict(options)))
        for name in NAMES[:seats]:
            self.match, _ = apply(self.match, Sat(name), self.seed)
        self.bots = [
            self.match.game.bots[level or list(self.match.game.bots)[-1]](
                Chance(self.seed, f"bot {number}")
            )
            for number in range(seats)
        ]
        self.past: list[Happening[Any]] = []

    def enter(self, entry: Entry) -> Scene:
        self.match, told = apply(self.match, entry, self.seed)
        self.past = [*([] if isinstance(entry, Started) else self.past), *told]
        for number, bot in enumerate(self.bots):
            for happening in told:
                bot.see(happening.told(number))
        return self.scene(told)

    def scene(self, told: Iterable[Happening[Any]] = ()) -> Scene:
        kinds = self.match.game.event_type
        past, events = ([each.told(self.seat) for each in some] for some in (self.past, told))
        return Scene(
            game=self.match.setup.game,
            names=tuple(player.name for player in self.match.players),
            view=self.view(self.seat),
            actors=self.match.actors,
            events=tuple(each for each in events if isinstance(each, kinds)),
            past=tuple(each for each in past if isinstance(each, kinds)),
        )

    def watched(self) -> Scene:
        """What somebody without a seat sees."""
        return replace(self.scene(), view=self.match.game.view(self.match.state, None))

    def view(self, seat: int) -> View[Any, Any]:
        return self.match.game.view(self.match.state, seat)

    def chosen(self, seat: int) -> Any:
        """What the bot of a seat would do."""
        return self.bots[seat].choose(self.view(seat))

    def play(self, seat: int, move: Any) -> Scene:
        return self.enter(Moved(seat, self.match.game.notate(move)))

    def bots_turn(self) -> Iterable[Scene]:
        while self.match.phase is Phase.PLAYING and self.seat not in self.match.actors:
            seat = self.match.actors[0]
            yield self.play(seat, self.chosen(seat))


def desk_at(game: str, state: Any, *, seat: int = 0) -> Desk:
    """A table at which this state has been reached."""
    desk = Desk(
        game,
        seats=len(state.hands if hasattr(state, "hands") else state.holdings),
        seed="",
        seat=seat,
    )
    desk.enter(Started())
    desk.match = replace(desk.match, state=state)
    return desk


class Host(App[None]):
    """As much around a pane as a table screen has: three lines."""

    CSS = """
    #question, #hint, #below { height: 1; }
    """
    ENABLE_COMMAND_PALETTE = False

    def __init__(
        self,
        desk: Desk,
        *,
        ascii_only: bool = False,
        bots: bool = True,
        judges: bool = True,
        held_keys: HeldKeys | None = None,
    ) -> None:
        super().__init__()
        self.desk = desk
        self.bots = bots
        self.judges = judges
        self.played: list[str] = []
        self.hints: list[str] = []
        self.drafts: list[dict[str, str]] = []
        pane = pane_for(desk.match.setup.game)
        assert isinstance(pane, DrawnPane)
        self.pane = pane
        self.pane.ascii_only = ascii_only
        self.pane.listener = self
        self.pane.held_keys = held_keys or NoKeyIsHeld()

    def compose(self) -> ComposeResult:
        yield Static(id="question", markup=False)
        yield Static(id="hint", markup=False)
        yield self.pane
        yield Static(id="below")

    def on_mount(self) -> None:
        self.pane.focus()
        if self.desk.match.phase is Phase.GATHERING:
            self.show(self.desk.enter(Started()))
        else:
            self.show(self.desk.scene())
        self._let_bots_play()

    def show(self, scene: Scene) -> None:
        """At once, and what is marked afterwards stays marked."""
        motion = self.pane.motion(scene)
        self.pane.pose(len(motion.after) if motion.look and scene.events else None, None)
        self.pane.show(scene)

    def on_game_pane_played(self, message: GamePane.Played) -> None:
        self.played.append(message.move)
        self.show(self.desk.enter(Moved(self.desk.seat, message.move)))
        self._let_bots_play()

    def sit_at(self, desk: Desk) -> None:
        """Go on at another table, with nothing half made."""
        self.desk = desk
        self.show(desk.scene())

    def all_that_is_told(self) -> tuple[object, ...]:
        """What changes with everything that a key does."""
        return len(self.hints), len(self.played), self.pane.question, lines_of(self.pane)

    def show_hint(self, sentence: str) -> None:
        self.hints.append(sentence)
        self._write("#hint", sentence)

    def show_question(self, question: str) -> None:
        self._write("#question", question)

    def _write(self, line: str, sentence: str) -> None:
        """What is said while all of it is being taken down is said to nobody."""
        for each in self.query(line).results(Static):
            each.update(sentence)

    def try_out(self, draft: Mapping[str, str]) -> None:
        """The server's part: the game's own judge, with its word list."""
        self.drafts.append(dict(draft))
        if self.judges:
            verdict = self.desk.match.game.preview(self.desk.view(self.desk.seat), dict(draft))
            self.call_next(self.pane.judged, draft, msgspec.to_builtins(verdict))

    def _let_bots_play(self) -> None:
        for scene in self.desk.bots_turn() if self.bots else ():
            self.show(scene)


def lines_of(pane: DrawnPane) -> str:
    """What a pane has painted, without its colours."""
    lines = (pane.render_line(y).text.rstrip() for y in range(pane.size.height))
    return "".join(f"{line}\n" for line in lines)


class NoKeyIsHeld(HeldKeys):
    """Whoever plays in a test needs no time to look."""

    def is_held(self, key: str, now: float) -> bool:
        return False


async def press(pilot: Pilot[None], keys: Sequence[str]) -> None:
    """As fast as a line over which much was typed ahead delivers them."""
    *ahead, last = keys
    for key in ahead:
        name = KEY_NAMES.get(key, key)
        pilot.app.post_message(Key(name, key if len(key) == 1 else None))
    await pilot.press(last)
    await pilot.pause()


async def matches_in_all_forms(
    pilot: Pilot[None],
    host: Host,
    name: str,
    forms: Mapping[str, tuple[int, int]],
    *,
    only_ascii: bool = False,
) -> None:
    """One table in several sizes, and in letters of ASCII."""
    for form, size in forms.items():
        await pilot.resize_terminal(*size)
        await until(pilot, lambda: host.pane.size == (size[0], size[1] - 3))  # noqa: B023, awaited at once
        for is_ascii in (True,) if only_ascii else (False, True):
            host.pane.ascii_only = is_ascii
            ending = "-ascii" if is_ascii and not only_ascii else ""
            matches(f"{name}-{form}{ending}", lines_of(host.pane))
            assert not is_ascii or lines_of(host.pane).isascii()
