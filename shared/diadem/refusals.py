"""Refusals: the codes, and what a refusal tells besides its code."""

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

About = dict[str, int | str | list[str]]


class RefusalCode(StrEnum):
    """The base of every enum of codes: of the one below, and of one that each game brings."""


class Code(RefusalCode):
    """What a server, a match, or any game may say."""

    # of a connection
    BAD_FRAME = "bad_frame"
    BAD_VALUE = "bad_value"
    FRAME_TOO_LONG = "frame_too_long"
    HELLO_AGAIN = "hello_again"
    ID_REUSED = "id_reused"
    JOURNAL_UNAVAILABLE = "journal_unavailable"
    NAME_EMPTY = "name_empty"
    NAME_IN_USE = "name_in_use"
    NAME_TOO_LONG = "name_too_long"
    NO_HELLO = "no_hello"
    PASSWORD_NEEDED = "password_needed"  # noqa: S105, a code
    PASSWORD_WRONG = "password_wrong"  # noqa: S105, a code
    REPLACED = "replaced"
    SERVER_CLOSING = "server_closing"
    TOO_FAST = "too_fast"
    TOO_MANY_BAD_FRAMES = "too_many_bad_frames"
    TOO_MANY_GUESSES = "too_many_guesses"

    # of commands, and of why somebody is at a table no longer
    AGAIN = "again"
    AT_NO_TABLE = "at_no_table"
    BANNED = "banned"
    HAS_SEAT = "has_seat"
    LISTED_ALREADY = "listed_already"
    LIST_FULL = "list_full"
    NOTHING_SAID = "nothing_said"
    NOT_AGREED = "not_agreed"
    NOT_OVER = "not_over"
    NOT_PLAYING = "not_playing"
    NO_SEAT = "no_seat"
    NO_SPECTATORS = "no_spectators"
    NO_SUCH_PERSON = "no_such_person"
    NO_SUCH_REPLAY = "no_such_replay"
    NO_SUCH_TABLE = "no_such_table"
    ONLY_THE_MAKER = "only_the_maker"
    OWN_SEAT = "own_seat"
    REMOVED = "removed"
    SEATED_ALREADY = "seated_already"
    SEATED_ELSEWHERE = "seated_elsewhere"
    TABLE_BROKEN = "table_broken"
    TABLE_KEPT = "table_kept"
    TOO_MANY_CHANGES = "too_many_changes"
    TOO_MANY_OWN_TABLES = "too_many_own_tables"
    TOO_MANY_TABLES = "too_many_tables"
    TOO_MANY_TABLES_FROM_ADDRESS = "too_many_tables_from_address"

    # of a match
    ALREADY_BACK = "already_back"
    ALREADY_STARTED = "already_started"
    BAD_ROUNDS = "bad_rounds"
    BETWEEN_ROUNDS = "between_rounds"
    MATCH_OVER = "match_over"
    NAME_TAKEN = "name_taken"
    NOT_STARTED = "not_started"
    NO_SUCH_BOT = "no_such_bot"
    NO_SUCH_GAME = "no_such_game"
    NO_SUCH_SEAT = "no_such_seat"
    TABLE_FULL = "table_full"
    TOO_FEW_PLAYERS = "too_few_players"

    # of every game
    BAD_OPTION = "bad_option"
    NOT_YOUR_TURN = "not_your_turn"
    NO_DRAFTS = "no_drafts"
    NO_LOOK_UP = "no_look_up"
    ROUND_OVER = "round_over"
    UNREADABLE = "unreadable"


class Refusal(Struct, frozen=True):
    """Why something is not allowed: a code and what it is about. The client finds the words."""

    code: str  # made, one of an enum; received, perhaps one that only a newer server knows
    about: About = {}
    also: tuple["Refusal", ...] = ()
    """Everything else that speaks against it, where more is known than the first reason."""

    if TYPE_CHECKING:  # msgspec makes the constructor

        def __init__(
            self, code: RefusalCode, about: About = ..., also: tuple["Refusal", ...] = ...
        ) -> None: ...


class RefusalError(Exception):
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal
