"""What is said about lists of words."""

from diadem_client.settings import log_file
from diadem_client.wording.word_lists import for_other_tiles, told_left_out, word_list
from diadem_shared.lexicon import left_out
from diadem_shared.lexicon.shelf import WordListLine
from tests.cases import cases


@cases(
    ("line", "words"),
    [
        (WordListLine("de", "de", 573_577), "German, 573 577 words"),
        (WordListLine("The club", "fr", 1), "The club, French, 1 word"),
        (WordListLine("The club", "", 2), "The club, 2 words"),
        (WordListLine("The club", "eo", 2), "The club, eo, 2 words"),
    ],
)
def test_a_word_list_is_called_by_name_language_and_size(line: WordListLine, words: str) -> None:
    assert word_list(line) == words


def test_what_of_a_file_is_left_out_is_told_with_the_first_lines_and_reasons() -> None:
    text = "tor\nGmbH\n3D\ne-mail\nl'eau\n42\nx\n" + "y" * 50
    assert told_left_out("animals", left_out(text)) == (
        "7 lines of animals are left out: GmbH (written like an abbreviation);"
        " 3D, e-mail, l'eau, ... (a sign that is on no tile); x (too short);"
        f" {'y' * 20}... (too long). The log tells more: {log_file()}"
    )
    assert told_left_out("animals", left_out("tor\nx\n")) == (
        f"1 line of animals is left out: x (too short). The log tells more: {log_file()}"
    )
    assert told_left_out("animals", left_out("tor\n")) == ""


@cases(
    ("list_", "tiles", "words"),
    [
        ("de", "fr", "The list club is German, but the tiles are French: choose either to match."),
        ("eo", "en", "The list club is eo, but the tiles are English: choose either to match."),
        ("de", "de", ""),
        ("", "de", ""),
    ],
)
def test_a_list_for_other_tiles_is_told(list_: str, tiles: str, words: str) -> None:
    assert for_other_tiles(WordListLine("club", list_, 2), tiles) == words
