"""What is said of a shuffle: nothing, a quiet word, or clearly what is wrong."""

import pytest

from diadem_client import i18n
from diadem_client.state.shuffle_check import Doubt, ShuffleCheck
from diadem_client.wording.shuffle import UNDECIDED, doubt, praise, what_is_wrong
from diadem_shared.match_file import Fault
from tests.cases import cases


def test_nothing_is_said_of_what_is_not_known() -> None:
    for check in (ShuffleCheck(), *(ShuffleCheck(fault=fault) for fault in UNDECIDED)):
        assert (doubt(check), praise(check)) == ("", "")


def test_what_was_verified_is_praised_in_two_words() -> None:
    assert praise(ShuffleCheck(is_verified=True)) == "Shuffle verified."
    assert doubt(ShuffleCheck(is_verified=True)) == ""


def test_what_was_verified_without_the_players_part_is_not_praised_as_if_it_were_in() -> None:
    for is_verified in (True, False):  # whether or not others have added to each round
        said = praise(ShuffleCheck(is_verified=is_verified, without=2))
        assert said == "Match verified; 2 rounds were shuffled without your part."


def test_a_host_who_gives_no_record_is_not_passed_over() -> None:
    withheld = ShuffleCheck(is_withheld=True)
    assert "gave no record" in doubt(withheld)
    assert praise(withheld) == ""


@cases(
    "check",
    [
        *(ShuffleCheck(each, is_verified=True) for each in Doubt),
        *(
            ShuffleCheck(fault=each, is_verified=True, entry=7)
            for each in Fault
            if each not in UNDECIDED
        ),
    ],
    ids=str,
)
def test_what_speaks_against_a_shuffle_is_said_and_nothing_is_praised(check: ShuffleCheck) -> None:
    assert doubt(check)
    assert "{" not in doubt(check)
    assert praise(check) == ""


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_fault_has_a_sentence(language: str) -> None:
    i18n.set_language(language)
    try:
        sentences = {what_is_wrong(fault, 1234) for fault in Fault}
    finally:
        i18n.set_language("en")
    assert len(sentences) == len(Fault)
    assert [each for each in sentences if not each.endswith(".")] == []
