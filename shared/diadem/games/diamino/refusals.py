"""Why a move in Diamino may not be made, besides what any game says."""

from diadem.refusals import RefusalCode


class LayingCode(RefusalCode):
    """What speaks against tiles laid so, and what each is about."""

    NOTHING_LAID = "nothing_laid"
    OFF_BOARD = "off_board"
    """tiles: those that fell beside the board."""
    FIELD_TAKEN = "field_taken"
    """fields."""
    JOKER_UNNAMED = "joker_unnamed"
    """fields."""
    BLACK_FIELD = "black_field"
    """fields, why: some of `verdict.BLACK_REASONS`."""
    NOT_YOUR_TILES = "not_your_tiles"
    """tiles: those that the hand lacks."""
    NOT_IN_LINE = "not_in_line"
    GAP = "gap"
    """fields: those without a letter."""
    NOT_ON_START = "not_on_start"
    """start: its field."""
    OPENING_LENGTH = "opening_length"
    """length."""
    TOUCHES_NOTHING = "touches_nothing"
    UNKNOWN_WORDS = "unknown_words"
    """words."""


class DiaminoCode(RefusalCode):
    BAD_BOARD = "bad_board"
    BAD_DRAFT = "bad_draft"
    BEING_JUDGED = "being_judged"
    GIVE_FIRST = "give_first"
    NOTHING_TO_EXCHANGE = "nothing_to_exchange"
    NOTHING_TO_GIVE = "nothing_to_give"
    NOTHING_TO_JUDGE = "nothing_to_judge"
    NOT_HELD = "not_held"
    NO_SUCH_WORD_LIST = "no_such_word_list"
    ONLY_LAY_OR_PASS = "only_lay_or_pass"  # noqa: S105, a code
    RESERVE_TOO_SMALL = "reserve_too_small"
    TOO_MANY = "too_many"
