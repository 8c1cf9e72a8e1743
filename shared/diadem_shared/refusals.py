"""Refusals: the codes, and what a refusal tells besides its code."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from msgspec import Struct

About = dict[str, int | str | list[str]]
INTEGER, STRING, STRINGS = "integer", "string", "strings"
"""What may be told under a key of `about`."""


class ToldCode(StrEnum):
    """The base of enums of codes that a client finds words for.

    A member is its code, what that means for those who write clients, and what `about` may tell by which keys.
    """

    meaning: str
    about: Mapping[str, str]

    def __new__(cls, code: str, meaning: str = "", about: Mapping[str, str] | None = None) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        member.about = MappingProxyType(dict(about or {}))
        return member


class RefusalCode(ToldCode):
    """The base of every enum of codes of refusals: of the one below, and of one that each game brings."""


class Code(RefusalCode):
    """What a server, a match, or any game may say."""

    # of a connection
    BAD_FRAME = (
        "bad_frame",
        "No command was found in a frame; `what` says why, in English.",
        {"what": STRING},
    )
    BAD_VALUE = (
        "bad_value",
        "A field is missing, too many, or has a value that it may not have; `what` says which, in English.",
        {"field": STRING, "what": STRING},
    )
    FRAME_TOO_LONG = "frame_too_long", "A frame had more than `most` bytes.", {"most": INTEGER}
    HELLO_AGAIN = "hello_again", "A connection has one hello, and this was another."
    ID_REUSED = (
        "id_reused",
        "This id was used for another command; nothing was done.",
        {"id": INTEGER},
    )
    JOURNAL_UNAVAILABLE = (
        "journal_unavailable",
        "The server cannot write or reach its journal just now; nothing was done.",
    )
    NAME_EMPTY = "name_empty", "Nothing that can be shown is left of the name."
    NAME_IN_USE = (
        "name_in_use",
        "Somebody has this name, or one that looks like it.",
        {"name": STRING},
    )
    NAME_MIXED = (
        "name_mixed",
        "A word of the name has letters of scripts that are not written together.",
    )
    NAME_TOO_LONG = "name_too_long", "A name has `most` letters at the most.", {"most": INTEGER}
    NO_HELLO = "no_hello", "The first message was no hello, or none came in time."
    PASSWORD_NEEDED = "password_needed", "The server has a password, and the hello had none."
    PASSWORD_WRONG = (
        "password_wrong",
        "The password is another; where `seconds` is told, none is looked at for so long.",
        {"seconds": INTEGER},
    )
    REPLACED = "replaced", "A newer connection has come with the same token."
    SERVER_CLOSING = "server_closing", "The server ends; its tables are kept."
    TOO_FAST = (
        "too_fast",
        "More was asked for than may be; in `seconds` it can be again.",
        {"seconds": INTEGER},
    )
    TOO_MANY_BAD_FRAMES = (
        "too_many_bad_frames",
        "More frames without a command came than are forgiven.",
    )
    TOO_MANY_NEWCOMERS = (
        "too_many_newcomers",
        "So many new players came from this address that no other is let in for `seconds`.",
        {"seconds": INTEGER},
    )
    TOO_MUCH_WRITTEN = (
        "too_much_written",
        "The server has written so much for players of this address that it does nothing more that it would have to write; in `seconds` it does again.",
        {"seconds": INTEGER},
    )
    TOO_MANY_GUESSES = (
        "too_many_guesses",
        "Wrong passwords came from this address; for `seconds` none is looked at.",
        {"seconds": INTEGER},
    )

    # of commands, and of why somebody is at a table no longer
    AGAIN = (
        "again",
        "In `gone`: the match is played again at `table`, and the views of that follow.",
        {"table": STRING},
    )
    AT_NO_TABLE = "at_no_table", "The command is for a table, and this session is at none."
    BANNED = "banned", "The maker keeps this session away from the table."
    HAS_SEAT = (
        "has_seat",
        "Who has a seat in a match that has begun is not sent away.",
        {"name": STRING},
    )
    LESSON_IS_FIXED = (
        "lesson_is_fixed",
        "A lesson is private, of one round without onlookers, for one player and a bot, of a game that has one; and it stays as it is.",
    )
    LISTED_ALREADY = (
        "listed_already",
        "A table that everybody saw in the lobby cannot be made private.",
        {"table": STRING},
    )
    LIST_FULL = "list_full", "So many are banned or muted, and no more can be.", {"most": INTEGER}
    NOTHING_SAID = "nothing_said", "Nothing that can be shown is left of the text."
    NOT_AGREED = (
        "not_agreed",
        "The setup was changed, and these have not been ready since.",
        {"names": STRINGS},
    )
    NOT_OVER = "not_over", "The match is not over yet, and so not played again."
    NOT_PLAYING = (
        "not_playing",
        "Drafts and moves are for those who have a seat in a round that runs.",
    )
    NO_HINTS = (
        "no_hints",
        "The table has not agreed on hints, and others than bots play here.",
    )
    NO_ADVICE = "no_advice", "Nobody gives hints for this game."
    NO_SEAT = (
        "no_seat",
        "This session looks on, or has resigned; the command is for who has a seat.",
    )
    NO_SPECTATORS = "no_spectators", "Nobody may look on at this table once it has begun."
    NO_SUCH_PERSON = (
        "no_such_person",
        "Nobody of this name is at the table, or has said something there lately.",
        {"name": STRING},
    )
    NO_SUCH_REPLAY = (
        "no_such_replay",
        "There is no finished match of this code in which this session took part.",
        {"table": STRING},
    )
    NO_SUCH_TABLE = "no_such_table", "There is no table of this code.", {"table": STRING}
    ONLY_THE_MAKER = "only_the_maker", "Only the maker of the table may do that."
    OWN_SEAT = (
        "own_seat",
        "The move or the command needs somebody else, and names the player themselves.",
    )
    REMOVED = "removed", "In `gone`: the maker has sent this session away, and it may come again."
    SEATED_ALREADY = "seated_already", "This session has a seat at the table."
    SEATED_ELSEWHERE = (
        "seated_elsewhere",
        "A session has one seat, and this one's is at `table`.",
        {"table": STRING},
    )
    STALE = (
        "stale",
        "The table has moved on since the entry that the move was decided on; nothing was done. The turn began by `entry`.",
        {"entry": INTEGER},
    )
    TABLE_BROKEN = (
        "table_broken",
        "The table stands still because of a fault of the server; its journal is kept.",
        {"table": STRING},
    )
    BAD_SHUFFLE = (
        "bad_shuffle",
        "What is added to the shuffle is not as it was committed to, or nothing is to be added by this seat.",
        {"seat": INTEGER},
    )
    TABLE_KEPT = (
        "table_kept",
        "The table could not be opened when the server was started; its journal is kept.",
        {"table": STRING},
    )
    TOO_MANY_CHANGES = (
        "too_many_changes",
        "So many entries may be made before the start, or absences of one seat in a match.",
        {"most": INTEGER},
    )
    TOO_MANY_OWN_TABLES = (
        "too_many_own_tables",
        "A session may keep so many tables that are not over.",
        {"most": INTEGER},
    )
    TOO_MANY_TABLES = (
        "too_many_tables",
        "The server has no room for another table.",
        {"most": INTEGER},
    )
    TOO_MANY_TABLES_FROM_ADDRESS = (
        "too_many_tables_from_address",
        "Sessions from one address may keep so many tables that are not over.",
        {"most": INTEGER},
    )

    # of a match
    ALREADY_BACK = "already_back", "The player of this seat plays themselves.", {"seat": INTEGER}
    ALREADY_STARTED = "already_started", "The round, or the next match, has begun."
    BAD_ROUNDS = "bad_rounds", "A match has 1 to `most` rounds.", {"most": INTEGER}
    BETWEEN_ROUNDS = "between_rounds", "A round is over, and the next one is not dealt yet."
    MATCH_OVER = "match_over", "The match is over."
    MATCH_TOO_LONG = (
        "match_too_long",
        "The match has as many entries, or bytes, as one may have, and is ended.",
    )
    NAME_TAKEN = "name_taken", "Somebody at the table has this name.", {"name": STRING}
    NOT_STARTED = "not_started", "The match has not begun."
    NO_SUCH_BOT = (
        "no_such_bot",
        "The game has no bot of this level; it has `bots`.",
        {"bot": STRING, "bots": STRINGS},
    )
    NO_SUCH_GAME = (
        "no_such_game",
        "The server has no game of this name; it has `games`.",
        {"game": STRING, "games": STRINGS},
    )
    NO_SUCH_SEAT = "no_such_seat", "Nobody sits at `seat`.", {"seat": INTEGER}
    TABLE_FULL = "table_full", "All `seats` are taken.", {"seats": INTEGER}
    TOO_FEW_PLAYERS = (
        "too_few_players",
        "The game takes at least `need` players.",
        {"need": INTEGER},
    )

    # of every game
    BAD_OPTION = (
        "bad_option",
        "An option is unknown, or has a value that it may not have; `what` says which, in English.",
        {"what": STRING},
    )
    NOT_YOUR_TURN = "not_your_turn", "It is not this seat that is waited for."
    NO_DRAFTS = "no_drafts", "Nothing can be tried out in this game."
    NO_LOOK_UP = "no_look_up", "Words are not looked up in this game, or at this table."
    ROUND_OVER = "round_over", "The round is over."
    ROUND_RUNS = "round_runs", "That is told once the round is over."
    UNREADABLE = (
        "unreadable",
        "The text is no move; moves look like `forms`.",
        {"text": STRING, "forms": STRINGS},
    )


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
