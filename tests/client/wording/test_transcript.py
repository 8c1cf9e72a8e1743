"""A whole match as a text: what happened, round by round, and how it ended."""

import pytest

from diadem_client import i18n
from diadem_client.wording.transcript import transcript
from diadem_shared.entries import Sat, Setup
from diadem_shared.match_file import read
from diadem_shared.verification import play
from tests.shared.match_files import TABLE, file_of, played


@pytest.mark.parametrize(
    ("language", "begins", "won"),
    [("en", "A round begins.", "has won: "), ("de", "Eine Runde beginnt.", "hat gewonnen: ")],
)
def test_it_is_told_from_the_first_round_to_the_result(
    language: str, begins: str, won: str
) -> None:
    match, entries = played(Setup("diadingo", rounds=2))
    i18n.set_language(language)
    try:
        lines = list(transcript(TABLE, play(read(file_of(match, entries)))))
    finally:
        i18n.set_language("en")
    assert [word for word in ("Diadingo", TABLE, "Ana", "Bob") if word not in lines[0]] == []
    assert lines.count(begins) == lines[1:].count("") - 1 == 2
    assert any(won in line for line in lines)
    scores = f"{match.totals.scores[0]:,}".replace(",", " ")
    assert f"Ana {scores}" in lines[-1]


def test_no_name_paints_on_a_terminal() -> None:
    match, entries = played(Setup("diamoniak"), names=("A\x1b[31m", "B\nob"))
    assert isinstance(entries[0], Sat)
    text = list(transcript("K\x1b7", play(read(file_of(match, entries)))))
    assert [line for line in text if ("\x1b" in line or "\n" in line)] == []
