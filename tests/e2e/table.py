"""Two players at one table: made, joined, played and come back to by keys alone."""

import os
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.rig import CLIENT, SERVER, Terminal, Tmux

MINE = re.compile(r"YOUR TURN")
OVER = re.compile(r"(?:has|have) won!|share the win!")
SCORE = re.compile(r"^ *\u25c6? +(Ana|Bob) +(-?\d[\d ]*?)(?:  .*)?$", re.MULTILINE)
OUT_OF_TURN = "It is not your turn yet."
MOST_TURNS = 600


def serve(terminals: Tmux, data: Path) -> str:
    """Start a server; its port."""
    shown = terminals.open(
        "server", *(SERVER, "--host", "127.0.0.1", "--port", "0", "--data", str(data))
    )
    return shown.matches(r"open, port (\d+)")[1]


def join(terminals: Tmux, port: str, name: str) -> Terminal:
    return terminals.open(
        name, *(CLIENT, "--host", f"127.0.0.1:{port}", "--name", name, "--lang", "en")
    )


def choose(maker: Terminal, label: str, value: str) -> None:
    """Among the questions of a new table, from the first of them and back to it."""
    text = maker.until(lambda text: value_of(label, text), label)
    labels = [row.strip(" \u258c").partition("  ")[0] for row in text.splitlines()[2:]]
    steps = labels.index(label)
    maker.press(*["Down"] * steps)
    shown = value_of(label, text)
    while not shown.startswith(value):
        maker.press("Right")
        shown = another_value(maker, label, shown)
    maker.press(*["Up"] * steps)


def another_value(maker: Terminal, label: str, before: str) -> str:
    text = maker.until(lambda text: value_of(label, text) != before, f"another {label}")
    return value_of(label, text)


def value_of(label: str, text: str) -> str:
    found = re.search(rf"^[ \u258c]+{re.escape(label)} +\u2039 (.*) \u203a", text, re.MULTILINE)
    return found[1] if found else ""


@dataclass
class Match:
    """Ana has made the table, Bob has come to it."""

    terminals: Tmux
    port: str
    ana: Terminal
    bob: Terminal

    @property
    def players(self) -> tuple[Terminal, Terminal]:
        return self.ana, self.bob

    def other(self, player: Terminal) -> Terminal:
        return self.bob if player is self.ana else self.ana

    def on_turn(self) -> Terminal | None:
        """Whoever is; nobody once the match is over."""

        def look() -> list[Terminal] | None:
            if OVER.search(self.ana.text):
                return []
            return [each for each in self.players if MINE.search(each.text)] or None

        on = self.terminals.until(look, "somebody to be on")
        return on[0] if on else None

    def asked(self, question: str) -> Terminal:
        """Whoever is on and has been told so in these words."""

        def look() -> Terminal | None:
            return next((each for each in self.players if is_asked(each.text)), None)

        def is_asked(text: str) -> bool:
            return bool(MINE.search(text) and re.search(question, text))

        return self.terminals.until(look, question)

    def play(self, turn: Callable[[Terminal], None], most: int = MOST_TURNS) -> bool:
        """Up to so many times whoever is on; whether the match is over then.

        The screen may say a moment longer that somebody is on who has just moved: `turn` then does
        nothing.
        """
        for _ in range(most):
            player = self.on_turn()
            if player is None:
                return True
            turn(player)
        return self.on_turn() is None

    def kill_and_bring_back_bob(self) -> None:
        os.kill(self.bob.process, signal.SIGKILL)
        self.ana.reads("line lost")
        self.bob.close()
        self.bob = join(self.terminals, self.port, "Bob")
        self.bob.matches("YOUR TURN|waiting for Ana")
        self.ana.until(lambda text: "line lost" not in text, "Bob to be back")

    def ended(self, how: re.Pattern[str]) -> None:
        """The log, beside the result, still tells how it came to that."""
        for player in self.players:
            player.press("Tab")
            player.matches(how.pattern)

    def results(self) -> list[tuple[str, str]]:
        """What each player has in the end, as both of them read it."""
        for player in self.players:
            player.matches(OVER.pattern)
        scores = SCORE.findall(
            self.ana.settled(lambda text: len(SCORE.findall(text)) == len(self.players), "scores")
        )
        self.bob.until(lambda text: SCORE.findall(text) == scores, f"the scores {scores}")
        return scores


def seat(terminals: Tmux, data: Path, game: str, options: Mapping[str, str] = {}) -> Match:
    port = serve(terminals, data)
    ana, bob = join(terminals, port, "Ana"), join(terminals, port, "Bob")
    ana.reads("No table is open.")
    ana.press("m")
    for label, value in {"Game": game, **options}.items():
        choose(ana, label, value)
    ana.press("Enter")
    terms = ana.matches(rf"{game}: (.*)")[1]
    for label, value in options.items():
        assert f"{label}: {value}" in terms
    bob.matches(rf"{game}\b.* gathering")
    bob.press("Enter")
    bob.reads("Press r when you are ready.")
    bob.press("r")
    ana.matches(r"Bob +ready")
    ana.press("r")
    ana.matches("YOUR TURN|waiting for Bob")
    return Match(terminals, port, ana, bob)
