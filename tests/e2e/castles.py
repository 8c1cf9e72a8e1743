"""A castle or a ship, built by keys: three cards a turn, and what costs least for a witch."""

import re
import time

from diadem_client.board import held_keys
from tests.e2e.rig import Terminal
from tests.e2e.table import MINE

ENOUGH = 3
PILES = re.compile(r"^.{54} +(\d+) [^\d]* +(\d+)", re.MULTILINE)
DRAWN = re.compile(r"drawn \d+")
QUESTION = re.compile(r"Draw a card|Draw on|Give up \d+")
MARKED = re.compile(r"Marked (\d+) of (\d+)")
HELD = "let go of the key"
SHIELD = re.compile(r"Or (?:send|fire) your \w+: F")


def turn(player: Terminal) -> None:
    """One move in the game's own pane: buy where that is offered, give up what stands first."""
    shown = player.settled(is_asked_or_done, "a question")
    if not MINE.search(shown):
        return
    if MARKED.search(shown):
        mark_what_stands_first(player, shown)
    before = stands(shown)
    while True:
        player.press(*keys_for(shown))
        text = player.until(lambda text: stands(text) != before or HELD in text, "what comes of it")
        if stands(text) != before:
            return
        # Pressed too soon after the last move: the key is let go. What is said of that may still stand there from before.
        time.sleep(2 * held_keys.REPEAT)
        shown = player.settled(is_asked_or_done, "a question")
        if stands(shown) != before:
            return


def is_asked_or_done(text: str) -> bool:
    return bool(QUESTION.search(text)) or not MINE.search(text)


def mark_what_stands_first(player: Terminal, shown: str) -> None:
    """A key marks one card after another of a kind, and after the last one none of them."""
    marked, owed = marks(shown)
    for key in "123456789":
        while marked < owed:
            after = mark(player, key, marked)
            if after < marked:
                while after < marked:
                    after = mark(player, key, after)
                break
            marked = after


def mark(player: Terminal, key: str, marked: int) -> int:
    player.press(key)
    return marks(player.until(lambda text: marks(text)[0] != marked, f"what {key} marks"))[0]


def marks(text: str) -> tuple[int, int]:
    """How many cards are marked, and how many shall be."""
    found = MARKED.search(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def keys_for(shown: str) -> list[str]:
    drawn = re.search(r"drawn (\d+)", shown)
    if "or buy one (B)?" in shown:
        return ["b"]
    if SHIELD.search(shown):
        return ["f"]
    if MARKED.search(shown):
        return ["Enter"]
    if "Draw on" in shown and drawn and int(drawn[1]) >= ENOUGH:
        return ["p"]
    # The same key again, so soon, would be taken for one that is held down.
    return ["D" if drawn and int(drawn[1]) % 2 else "d"]


def stands(text: str) -> tuple[str, ...]:
    """Whose turn it is, what is asked, and how many cards lie where."""
    found = (pattern.search(text) for pattern in (MINE, QUESTION, PILES, DRAWN))
    return tuple(each[0] if each else "" for each in found)


def type_moves(player: Terminal) -> None:
    """Moves can be typed after F6."""
    if "type a move" not in player.until(lambda text: "deck" in text.casefold(), "the table"):
        player.press("F6")
        player.reads("type a move")


def typed_turn(player: Terminal) -> None:
    """One move in words."""
    shown = player.until(
        lambda text: "You may" in text or not MINE.search(text), "the moves there are"
    )
    flowing = " ".join(shown.split())
    found = re.search(r"You may(?:, for example)?: ((\w+)[^,]*?)(?:,| type a move)", flowing)
    if found is None:
        return
    drawn = re.search(r"drawn (\d+)", shown)
    enough = drawn is not None and int(drawn[1]) >= ENOUGH
    chosen = "stop" if enough and "draw, stop" in shown else found[2]
    if chosen == "pay":
        chosen = found[1]
    player.types(chosen)
    player.press("Enter")
    player.until(lambda text: as_text(text) != as_text(shown), f"what {chosen} does")


def as_text(text: str) -> list[str]:
    """What lies on the table, and whose turn it is."""
    return [row for row in text.splitlines()[:-6] if not row.startswith(("You may", "type a"))]
