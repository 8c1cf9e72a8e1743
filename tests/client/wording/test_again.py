"""What is said of playing again: to whom, and of whom."""

import re
from typing import Any

from diadem_client.ui.widgets.result import Result
from diadem_client.wording import again
from diadem_shared.match import Phase
from diadem_shared.refusals import Code, Refusal
from tests.cases import cases
from tests.client.wording.tables import player, table

ANA, BOB = player("Ana"), player("Bob")
WILLING = player("Ana", ready=True)
ALSO = player("Bob", ready=True)
BOT = player("Zirko", bot="easy", ready=True)
PLAYED_FOR = player("Bob", bot="easy", away=True)
GONE = player("Bob", present=False)


@cases(
    ("players", "given", "said"),
    [
        ((ANA, BOT), {}, "Press g to play again with the same terms"),
        ((ANA, ALSO), {}, "Bob would like to play again. Press g if you would, too."),
        ((WILLING, BOB), {}, "Waiting for Bob. Press s to begin without them."),
        ((WILLING, BOB), {"maker": 1}, "You would like to play again. Waiting for Bob."),
        ((WILLING, PLAYED_FOR), {}, "Waiting for Bob. Press s to begin without them."),
        ((WILLING, GONE), {}, "Waiting for who may come back. Press s"),
        ((WILLING, BOB), {"again": "NEXT"}, "at table NEXT. Press g to follow them."),
        ((ANA, BOB), {"seat": None}, "You look on."),
        ((ANA, BOB), {"seat": None, "again": "NEXT"}, "Press g to follow them."),
        (
            (WILLING, ALSO),
            {"blocked": Refusal(Code.TOO_MANY_TABLES, {"most": 7})},
            "All want to play again, but it cannot begin yet. The server has room for 7 tables.",
        ),
    ],
)
def test_who_would_play_again_is_told(players: Any, given: dict[str, Any], said: str) -> None:
    sentence = again.next_match(table(*players, phase=Phase.OVER, **given))
    assert said in sentence
    keys = {
        key for action in Result.ACTIONS if action.id in {"again", "start"} for key in action.keys
    }
    assert keys.issuperset(re.findall(r"Press (\w)\b", sentence))


def test_only_who_had_a_seat_says_so_and_others_may_follow() -> None:
    assert again.may_ask_again(table(phase=Phase.OVER))
    assert not again.may_ask_again(table(phase=Phase.BETWEEN))
    assert not again.may_ask_again(table(phase=Phase.OVER, seat=None))
    assert again.may_ask_again(table(phase=Phase.OVER, seat=None, again="NEXT"))


def test_the_maker_begins_once_somebody_wants_to() -> None:
    assert not again.may_begin_again(table(ANA, BOB, phase=Phase.OVER))
    assert again.may_begin_again(table(ANA, ALSO, phase=Phase.OVER))
    assert not again.may_begin_again(table(ANA, ALSO, phase=Phase.OVER, maker=1))
    assert not again.may_begin_again(table(ANA, ALSO, phase=Phase.OVER, again="NEXT"))
