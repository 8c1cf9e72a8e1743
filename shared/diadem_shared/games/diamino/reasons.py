"""Why a move in Diamino is made, as bots say it."""

from diadem_shared.advice import ReasonCode
from diadem_shared.refusals import INTEGER, STRING, STRINGS


class DiaminoReason(ReasonCode):
    """What is said of a rule set alone is marked with its clause."""

    WORD = "word", "The play lays this word, as it is read.", {"word": STRING}
    SCORES = (
        "scores",
        "The play brings `points` at once, for red fields and, where they score, words (M-26, M-28).",
        {"points": INTEGER},
    )
    OTHERS_SCORE = (
        "others_score",
        "Each opponent gets `points` for green fields (M-27).",
        {"points": INTEGER},
    )
    LAYS = "lays", "`tiles` tiles are laid.", {"tiles": INTEGER}
    GOES_OUT = "goes_out", "The last tile is laid, which ends the round."
    GOES_OUT_ON_BLACK = (
        "goes_out_on_black",
        "The last tile is laid on a black field, which ends the round (M-22, M-30).",
    )
    KEEPS = (
        "keeps",
        "These tiles stay in the hand; a hand is `light`, `even` or `heavy` by how easily it is laid.",
        {"tiles": STRING, "hand": STRING},
    )
    DRAWS = "draws", "Green fields make `tiles` tiles be drawn (M-20).", {"tiles": INTEGER}
    GIVES_BACK = (
        "gives_back",
        "Red fields let `tiles` tiles be given back (M-21).",
        {"tiles": INTEGER},
    )
    NEXT_MAY_GET = (
        "next_may_get",
        "Whoever plays next may get some `points` on the board as it is then.",
        {"points": INTEGER},
    )
    MAY_LAY_NEXT = (
        "may_lay_next",
        "With what is kept, some `tiles` tiles can be laid in the next turn.",
        {"tiles": INTEGER},
    )
    MAY_GO_OUT_NEXT = (
        "may_go_out_next",
        "With what is kept, the last tile can be laid in the next turn, in `places` places.",
        {"places": INTEGER},
    )
    NOTHING_FITS = "nothing_fits", "No word of the list can be laid."
    NOTHING_WORTH_IT = (
        "nothing_worth_it",
        "What can be laid is worth less than a better hand.",
    )
    GIVES_UP = "gives_up", "These tiles are the hardest to lay.", {"tiles": STRING}
    NOTHING_TO_SWAP = "nothing_to_swap", "No tiles can be exchanged."
    ENDS_AHEAD = "ends_ahead", "The pass ends the round, and this seat is likely ahead (M-17)."
    PLAYED_ON = (
        "played_on",
        "With the unseen tiles dealt somehow, again and again, and the round played on, this seat wins with a chance of some `percent`.",
        {"percent": INTEGER},
    )
    PLAYED_OUT = (
        "played_out",
        "All hands are known, and no answer was found that makes another move better.",
    )
    IN_LIST = "in_list", "Every word of the play is in the list."
    NOT_IN_LIST = "not_in_list", "These words of the play are not in the list.", {"words": STRINGS}

    # habits of the simpler levels
    COMES_TO_MIND = (
        "comes_to_mind",
        "The everyday `word` fits where the bot looked.",
        {"word": STRING},
    )
    SPELT_OUT = "spelt_out", "No everyday word fits; the bot found `word`.", {"word": STRING}
    NO_WORD_SEEN = "no_word_seen", "The bot saw no word."
    STANDS_IN = "stands_in", "The bot sits in for somebody: it passes, and lets all words stand."
