"""The keys of the Diamino pane, and which of them can do something now."""

from enum import Enum, auto

from msgspec import Struct

from diadem_client.i18n import N_
from diadem_client.ui.actions import Action


class Mode(Enum):
    """What the player is about."""

    WATCHING = auto()
    READING = auto()
    """The score sheet lies over the board."""
    ASKED = auto()
    """Something is asked about once more before it is done."""
    GIVING = auto()
    EXCHANGING = auto()
    VOTING = auto()
    PREPARING = auto()
    """Others are on; a word may be tried all the same."""
    PLAYING = auto()


ACTIONS = (
    Action("lay", ("enter",), N_("lay"), N_("Lay the word.")),
    Action("confirm", ("enter",), N_("yes"), N_("Do what is asked about.")),
    Action("give", ("enter",), N_("give back"), N_("Give the marked tiles back, or keep all.")),
    Action("swap", ("enter",), N_("exchange"), N_("Exchange the marked tiles.")),
    Action("accept", ("plus",), N_("accept"), N_("Accept the word that is judged.")),
    Action("object", ("minus",), N_("object"), N_("Object to the word that is judged.")),
    Action("turn", ("space",), N_("turn"), N_("Lay across, or down.")),
    Action("take_back", ("3",), N_("take back"), N_("Take all tiles of your draft back.")),
    Action("pass", ("2",), N_("pass"), N_("Lay nothing this time; you are asked again.")),
    Action("exchange", ("4",), N_("exchange"), N_("Exchange tiles with the reserve.")),
    Action("unmark", ("backspace",), N_("unmark"), N_("Keep the tile that was marked last.")),
    Action("joker", ("full_stop",), N_("joker"), N_("Lay the next letter with a joker.")),
    Action("shuffle", ("1",), N_("shuffle"), N_("Shuffle the tiles of your hand.")),
    Action("unseen", ("6",), N_("unseen"), N_("The tiles that you have not seen yet, and back.")),
    Action("sheet", ("7",), N_("sheet"), N_("The score sheet: every turn of the round, and back.")),
    Action("sort", ("5",), N_("sort"), N_("Sort the tiles of your hand."), in_footer=False),
    Action(
        "last_back", ("backspace",), N_("undo"), N_("Take the last tile back."), in_footer=False
    ),
    Action("here_back", ("delete",), N_("remove"), N_("Take the tile here back."), in_footer=False),
    Action("up", ("up",), N_("up"), N_("Go up."), in_footer=False),
    Action("down", ("down",), N_("down"), N_("Go down."), in_footer=False),
    Action("left", ("left",), N_("left"), N_("Go left."), in_footer=False),
    Action("right", ("right",), N_("right"), N_("Go right."), in_footer=False),
)
LEAVE = Action("leave_it", ("escape",), N_("back"), N_("Leave it, and go back to the board."))
"""Only where there is something to leave; anywhere else the key is the screen's."""
SCROLL = (
    Action("scroll_up", ("up",), N_("scroll"), N_("Scroll up, with PgUp by a page.")),
    Action("scroll_down", ("down",), N_("scroll"), N_("Scroll down."), in_footer=False),
)

IDS = {each.id for each in (*ACTIONS, LEAVE, *SCROLL)}
NAMES = {key for each in ACTIONS for key in each.keys}

ABOUT = {"up", "down", "left", "right", "turn"}
HAND = {"shuffle", "sort"}
ALWAYS = {"unseen", "sheet"}
DRAFT = ABOUT | HAND | ALWAYS | {"joker"}
TAKING_BACK = {"take_back", "last_back", "here_back"}
OFFERED: dict[Mode, set[str]] = {
    Mode.WATCHING: ALWAYS,
    Mode.READING: {"leave_it", "sheet", "scroll_up", "scroll_down"},
    Mode.ASKED: {"confirm", "leave_it"},
    Mode.GIVING: {"give", "unmark"} | HAND | ALWAYS,
    Mode.EXCHANGING: {"swap", "unmark", "leave_it"} | HAND | ALWAYS,
    Mode.VOTING: {"accept", "object"} | DRAFT | TAKING_BACK,
    Mode.PREPARING: DRAFT | TAKING_BACK,
    Mode.PLAYING: {"lay", "pass", "exchange"} | DRAFT | TAKING_BACK,
}


class Situation(Struct, frozen=True):
    """All that decides which keys do something now."""

    mode: Mode
    drafted: bool
    """Tiles lie on the board for a try."""
    jokers: bool
    marked: bool
    may_exchange: bool
    shows_unseen: bool
    turns: bool
    """There is a word to be turned."""

    def offers(self, action: str) -> bool:
        if action == "leave_it" and self.shows_unseen:
            return True
        if action not in OFFERED[self.mode]:
            return False
        if action == "lay" or action in TAKING_BACK:
            return self.drafted
        if action == "exchange":
            return self.may_exchange and not self.drafted
        if action == "pass":
            return not self.drafted
        if action == "turn":
            return self.turns
        if action == "joker":
            return self.jokers
        return self.marked if action == "unmark" else True
