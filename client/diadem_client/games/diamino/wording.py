"""What Diamino calls its options and refusals."""

from diadem_client.games.client_game import Wording
from diadem_client.i18n import N_
from diadem_client.i18n import gettext as _
from diadem_client.wording.values import duration
from diadem_shared.games.diamino.refusals import DiaminoCode, LayingCode


def _judging_time(value: int | str) -> str:
    return duration(value) if isinstance(value, int) else value


WORDING = Wording(
    options={
        "language": N_("Language"),
        "judging": N_("Who judges words"),
        "judging_time": N_("Time to judge"),
        "open_hands": N_("Open hands"),
        "word_list": N_("Another word list"),
        "board": N_("Board"),
        "board-file": N_("Its file"),
        "look_up": N_("Words may be looked up"),
        "words_score": N_("Words score"),
    },
    helps={
        "language": N_("Of the tiles, and of the words that may be laid."),
        "judging": N_("A list refuses at once and costs nothing; players object, and vote."),
        "judging_time": N_("Whoever says nothing for so long accepts the word."),
        "open_hands": N_("Everybody sees all tiles: good for learning together."),
        "word_list": N_("A list of the server's, in place of the usual one."),
        "board": N_("On the usual one the first word begins in the middle, and has less room."),
        "board-file": N_("A text: dots, # for black, g and R for devils, S for the start."),
        "look_up": N_("Whether words may be looked up in the list during the match."),
        "words_score": N_("Words count the values of their letters, besides the devils."),
    },
    highlights={
        "word": (N_("best word"), "{text} ({value})"),
        "tiles": (N_("most tiles in a play"), "{value}"),
        "round": (N_("most points in a round"), "{value}"),
    },
    tempers={
        "easy": N_("carefree"),
        "light": N_("playful"),
        "mild": N_("curious"),
        "fair": N_("down-to-earth"),
        "even": N_("attentive"),
        "firm": N_("practised"),
        "keen": N_("ambitious"),
        "normal": N_("calculating"),
        "sharp": N_("cunning"),
        "strong": N_("far-sighted"),
        "master": N_("masterly"),
    },
    habits={
        "zombie": N_("passes"),
        "easy": N_("short everyday words"),
        "light": N_("finds a good move once in a while"),
        "mild": N_("a good move in one turn of ten"),
        "fair": N_("a good move in one turn of five"),
        "even": N_("a good move in one turn of three"),
        "firm": N_("a good move in every other turn"),
        "keen": N_("a good move in three turns of four"),
        "normal": N_("any word, counts tiles and points"),
        "sharp": N_("thinks of the next turn now and then"),
        "strong": N_("any word, thinks of the next turn"),
        "master": N_("plays its best moves on in thought"),
    },
    values={
        ("language", "de"): N_("German"),
        ("language", "fr"): N_("French"),
        ("language", "en"): N_("English"),
        ("judging", "dictionary"): N_("the word list"),
        ("judging", "table"): N_("the players"),
        ("board", ""): N_("the usual one"),
        ("board", "leaflet"): N_("one for long words"),
    },
    formats={"judging_time": _judging_time, "board": lambda _layout: _("one of its own")},
    refusals={
        DiaminoCode.BAD_BOARD: N_(
            "That board cannot be read ({why}). Leave it out for the standard one."
        ),
        DiaminoCode.BAD_DRAFT: N_(
            "You can't try that out. Take the tiles back and lay them again."
        ),
        DiaminoCode.BEING_JUDGED: N_("The last play is being judged. Accept it or object first."),
        LayingCode.BLACK_FIELD: N_("{fields} is black: {why}. Lay around it."),
        LayingCode.FIELD_TAKEN: N_("{fields} is taken already. Lay beside it, or skip it."),
        LayingCode.GAP: N_("There is a gap at {fields}. Fill it, or lay closer together."),
        DiaminoCode.GIVE_FIRST: N_("First say what you give back for the red fields, or keep all."),
        LayingCode.JOKER_UNNAMED: N_(
            "The joker on {fields} has no letter yet. Lay it again and name one."
        ),
        DiaminoCode.NO_SUCH_WORD_LIST: N_("The server has no such word list. It has: {lists}."),
        DiaminoCode.NOT_HELD: N_("You do not hold {tiles}. Choose from what lies before you."),
        LayingCode.NOT_IN_LINE: N_("Tiles go in one line, across or down. Take some back."),
        LayingCode.NOT_ON_START: N_("The first word has to begin on {start}. Lay it there."),
        LayingCode.NOT_YOUR_TILES: N_("You do not hold {tiles}. Use the tiles of your hand."),
        LayingCode.NOTHING_LAID: N_("Nothing is laid yet. Lay a word, exchange, or pass."),
        DiaminoCode.NOTHING_TO_EXCHANGE: N_("No tile is chosen yet. Mark those to exchange first."),
        DiaminoCode.NOTHING_TO_GIVE: N_(
            "There is nothing to give back now. Lay, exchange or pass."
        ),
        DiaminoCode.NOTHING_TO_JUDGE: N_("There is nothing to judge now. Wait for the next play."),
        LayingCode.OFF_BOARD: N_("{tiles} would lie beside the board. Begin further back."),
        DiaminoCode.ONLY_LAY_OR_PASS: N_("Exchanging is over. Lay a word, or pass."),
        LayingCode.OPENING_LENGTH: N_("The first word has 2 to 8 letters. Yours has {length}."),
        DiaminoCode.RESERVE_TOO_SMALL: N_(
            "The reserve has {reserve} tiles left. Exchange no more than that."
        ),
        DiaminoCode.TOO_MANY: N_("That is too much. Give back {most} at the most."),
        LayingCode.TOUCHES_NOTHING: N_(
            "The word has to touch one that lies there. Lay it against another."
        ),
        LayingCode.UNKNOWN_WORDS: N_("The list does not know {words}. Try another word."),
    },
    reasons={
        # a black field
        "hand_not_emptied": N_("only a word that lays your whole hand may cover one"),
        "more_than_one": N_("only one tile may lie on black"),
        "reserve_not_empty": N_("black is barred until the reserve is empty"),
        "green_draws": N_("a green devil would bring you another tile"),
        # a board of one's own
        "no_fields": N_("it has no fields"),
        "unknown_kind": N_("a letter in it stands for no kind of field"),
        "uneven_rows": N_("its rows are not equally long"),
        "too_large": N_("it is too large"),
        "too_small": N_("it is too small"),
        "walled_start": N_("no word can be laid from its start"),
        "not_one_start": N_("it needs exactly one start"),
    },
)
