"""Why a move in Diamino may not be made, besides what any game says."""

from diadem_shared.refusals import INTEGER, STRING, STRINGS, RefusalCode


class LayingCode(RefusalCode):
    """What speaks against tiles laid so, and what each is about."""

    NOTHING_LAID = "nothing_laid", "No tile was laid."
    OFF_BOARD = "off_board", "These tiles fell beside the board.", {"tiles": STRING}
    FIELD_TAKEN = "field_taken", "Something lies on these fields already.", {"fields": STRINGS}
    JOKER_UNNAMED = (
        "joker_unnamed",
        "The jokers on these fields stand for no letter yet.",
        {"fields": STRINGS},
    )
    BLACK_FIELD = (
        "black_field",
        "A black field may not be covered like this, for these reasons.",
        {"fields": STRINGS, "why": STRINGS},
    )
    NOT_YOUR_TILES = "not_your_tiles", "The hand lacks these tiles.", {"tiles": STRING}
    NOT_IN_LINE = "not_in_line", "The tiles lie in more than one row or column."
    GAP = "gap", "These fields between the tiles have no letter.", {"fields": STRINGS}
    NOT_ON_START = "not_on_start", "The first play begins on this field (M-4).", {"start": STRING}
    OPENING_LENGTH = (
        "opening_length",
        "The first play has 2 to 8 letters, and this one has `length`.",
        {"length": INTEGER},
    )
    TOUCHES_NOTHING = "touches_nothing", "A play joins on to what lies on the board."
    UNKNOWN_WORDS = (
        "unknown_words",
        "These are no words by the list of the table.",
        {"words": STRINGS},
    )


class DiaminoCode(RefusalCode):
    BAD_BOARD = (
        "bad_board",
        "The text is no board; `why` is a code for what is wrong with it, and the others say where.",
        {"why": STRING}
        | dict.fromkeys(("row", "fields", "expected", "width", "height", "starts"), INTEGER)
        | {"character": STRING},
    )
    BAD_DRAFT = "bad_draft", "The draft names no fields and tiles."
    BEING_JUDGED = "being_judged", "A play is being judged; until that is done nothing else goes."
    GIVE_FIRST = "give_first", "Red fields were covered: give tiles back or keep them first (M-21)."
    NOTHING_TO_EXCHANGE = "nothing_to_exchange", "An exchange is of at least one tile (M-13)."
    NOTHING_TO_GIVE = (
        "nothing_to_give",
        "No red field was covered: there is nothing to give or keep.",
    )
    NOTHING_TO_JUDGE = "nothing_to_judge", "No play waits to be judged."
    NOT_HELD = "not_held", "The hand lacks these tiles.", {"tiles": STRING}
    NO_SUCH_WORD_LIST = (
        "no_such_word_list",
        "The server has no such word list; it has `lists`.",
        {"lists": STRINGS},
    )
    ONLY_LAY_OR_PASS = (
        "only_lay_or_pass",
        "After a refused play there is only another one, or a pass (M-12).",
    )
    RESERVE_TOO_SMALL = (
        "reserve_too_small",
        "No more tiles are exchanged than the reserve holds (M-13).",
        {"reserve": INTEGER},
    )
    TOO_MANY = "too_many", "At most `most` tiles are given back (M-21).", {"most": INTEGER}
