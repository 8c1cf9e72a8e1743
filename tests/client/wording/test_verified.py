"""What was found out of a match is told in sentences, whole in each language."""

import pytest
from msgspec.structs import replace

from diadem_client import i18n
from diadem_client.wording.verified import shown, what_does_not, what_holds
from diadem_shared.match_file import Fault, Untrue, read
from diadem_shared.refusals import Code, Refusal
from diadem_shared.verification import RoundFact, verify_whole
from tests.shared.match_files import file_of, played

VERIFIED = verify_whole(read(file_of(*played())))
DOUBTFUL = replace(
    VERIFIED,
    rounds=(RoundFact(("Ana",), ("Bob",)), RoundFact()),
    is_chained=False,
    dropped=2,
    unheard=1,
)


def test_what_holds_and_what_is_left_open_is_told() -> None:
    told = " ".join(what_holds("K7QD", DOUBTFUL))
    for said in (
        "K7QD holds",
        "Round 1: shuffled by the server, Ana; Bob did not answer in time.",
        "Round 2: nobody added to the shuffle; its chance is the host's alone.",
        "an older server wrote it",
        "2 shuffles were given up",
        "1 play has words",
    ):
        assert said in told


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_no_sentence_lacks_anything(language: str) -> None:
    i18n.set_language(language)
    try:
        sentences = [
            *what_holds("K7QD", DOUBTFUL),
            *what_holds("K7QD", VERIFIED),
            *(what_does_not("K7QD", Untrue(fault, 7)) for fault in Fault),
        ]
    finally:
        i18n.set_language("en")
    assert [each for each in sentences if not (each.endswith((".", ":")) and "{" not in each)] == []


def test_a_refusal_is_named_by_its_code() -> None:
    untrue = Untrue(Fault.ILLEGAL, 7, Refusal(Code.NOT_YOUR_TURN))
    assert what_does_not("x", untrue).endswith("rules (not_your_turn).")


def test_a_name_is_no_longer_than_a_name() -> None:
    assert shown("\x1b" + "a" * 100) == shown("\x1b" + "a" * 100)[:20]
