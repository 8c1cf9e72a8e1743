"""What a client remembers of the shuffles that it has opened its part of, and what it says if another is dealt."""

import msgspec
import pytest

from diadem_client.net import shuffle_contribution
from diadem_client.net.shuffle_contribution import Contribution, Memories, ShuffleMemory
from diadem_client.state.shuffle_check import Doubt
from diadem_shared.entries import Entry, Left, Lost, Sealed, Started
from diadem_shared.match import Phase
from diadem_shared.protocol import Open
from tests.client.net.test_shuffle_contribution import (
    OTHER,
    SERVER,
    Hand,
    begun,
    gathering,
    opened,
    replace_log,
    sealed,
    shown,
)


class Kept(Memories):
    """As a file keeps it."""

    def __init__(self) -> None:
        self.of: dict[str, bytes] = {}

    def load(self, table: str) -> ShuffleMemory | None:
        written = self.of.get(table)
        return None if written is None else msgspec.json.decode(written, type=ShuffleMemory)

    def save(self, table: str, memory: ShuffleMemory) -> None:
        self.of[table] = msgspec.json.encode(memory)


def test_what_was_opened_is_never_committed_to_again() -> None:
    """After a restart others may sit there; who knows what was opened could choose theirs by it."""
    hand = Hand()
    committed, opening = opened(hand)
    again = hand.see(gathering(entry=4, happened=Left(1)))
    assert again not in {"", committed}
    assert hand.doubt is Doubt.DROPPED
    assert hand.see(sealed(again, OTHER, entry=5)) not in {"", opening}
    assert len(hand.contribution.memory.opened) == 2


@pytest.mark.parametrize("happened", [None, Lost(1), Sealed((OTHER, OTHER))])
def test_a_seal_that_is_gone_without_an_entry_is_noticed(happened: Entry | None) -> None:
    for entry in (3, 4):
        hand = Hand()
        opened(hand)
        hand.see(gathering(entry=entry, happened=happened))
        assert hand.doubt is Doubt.CHANGED


def test_it_is_opened_again_only_with_the_same_others() -> None:
    hand = Hand()
    committed, opening = opened(hand)
    hand.contribution.connected()
    assert hand.see(sealed(committed, OTHER)) == opening
    assert len(hand.contribution.memory.opened) == 1
    assert hand.see(sealed(committed, SERVER)) == ""
    assert hand.doubt is Doubt.CHANGED


def test_a_list_that_was_opened_is_followed_over_a_gap() -> None:
    for event, doubt in ((Left(1), Doubt.DROPPED), (Lost(1), Doubt.CHANGED)):
        hand = Hand()
        opened(hand)
        gap = gathering(entry=9, happened=None, log_is_whole=False)
        assert hand.see(gap) == ""
        assert hand.doubt is None
        hand.see(replace_log(gap, ((3, Sealed(("", ""))), (9, event))))
        assert hand.doubt is doubt


def test_a_round_that_was_dealt_unseen_is_looked_up_in_the_log() -> None:
    for is_in in (True, False):
        hand = Hand()
        _, opening = opened(hand)
        log = ((3, Sealed(("", ""))), (4, Started((opening if is_in else None,))), (30, Lost(1)))
        hand.see(gathering(entry=30, rounds=1, happened=Lost(1), log=log))
        assert hand.doubt is (None if is_in else Doubt.LEFT_OUT)
    hand = Hand()
    opened(hand)
    hand.see(gathering(entry=900, rounds=1, happened=Lost(1)))
    assert hand.doubt is None  # the log does not go back so far, and the file tells


def test_a_round_that_begins_without_an_entry_is_noticed() -> None:
    hand = Hand()
    opened(hand)
    log = ((3, Sealed(("", ""))), (4, Lost(1)))
    gap = shown(4, Lost(1), Phase.PLAYING, None, log=log, log_is_whole=False)
    hand.see(gap)
    assert hand.doubt is None
    hand.see(replace_log(gap, log))
    assert hand.doubt is Doubt.CHANGED


def test_a_list_that_was_dropped_unseen_before_another_was_dealt_is_noticed() -> None:
    hand = Hand()
    opened(hand)
    log = ((3, Sealed(("", ""))), (4, Left(1)), (5, Sealed(("", OTHER))), (6, Started(("", OTHER))))
    hand.see(shown(6, Started(("", OTHER)), Phase.PLAYING, None, log=log))
    assert hand.doubt is Doubt.DROPPED


def test_while_its_answer_is_awaited_an_opening_is_sent_once() -> None:
    hand = Hand()
    table = sealed(hand.see(gathering()), OTHER)
    wish = hand.contribution.see(table)
    assert wish
    hand.contribution.asked(Open(9, wish[1]), wish[1])
    assert hand.contribution.see(table) is None


# Entries that are taken back


def test_entries_only_grow_and_each_has_one_link() -> None:
    for later in (gathering(entry=1), gathering(chain="ab" * 32)):
        hand = Hand()
        hand.see(gathering())
        hand.see(gathering())
        assert hand.doubt is None
        hand.see(later)
        assert hand.doubt is Doubt.TAKEN_BACK


# What is remembered


def test_a_client_that_is_started_again_goes_on_where_it_was() -> None:
    kept = Kept()
    committed = Hand(kept).see(gathering())
    hand = Hand(kept)
    assert hand.see(gathering(committed, "")) == ""
    opening = hand.see(sealed(committed, OTHER))
    again = Hand(kept)
    assert again.see(sealed(committed, OTHER)) == opening
    put_back = Hand(kept)
    put_back.see(gathering(entry=2))
    assert put_back.doubt is Doubt.TAKEN_BACK
    last = Hand(kept)
    last.see(begun(opening, None))
    assert last.doubt is Doubt.TAKEN_BACK  # which it has not forgotten


def test_what_is_opened_is_written_down_before_it_is_sent() -> None:
    kept = Kept()
    hand = Contribution(kept)
    wish = hand.see(gathering())
    assert wish
    assert hand.see(sealed(wish[1], OTHER))
    written = kept.load("K7QD")
    assert written is not None
    assert written.awaits_deal
    assert written.opened == hand.memory.opened


def test_another_table_is_another_matter_and_the_first_is_not_forgotten_over_it() -> None:
    hand = Hand()
    hand.see(gathering())
    hand.see(gathering(server=OTHER))
    assert hand.see(gathering(server=OTHER, code="ZZZZ"))
    assert hand.doubt is None
    assert hand.contribution.memory.server == OTHER
    hand.see(gathering())
    assert hand.doubt is Doubt.CHANGED
    assert hand.contribution.memory.server == SERVER


def test_only_the_newest_tables_are_remembered() -> None:
    hand, kept = Hand(), 3
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shuffle_contribution, "MOST_TABLES", kept)
        for number in range(kept + 1):
            hand.see(gathering(entry=5, code=f"T{number}"))
        hand.see(gathering(entry=4, code="T1"))
        assert hand.doubt is Doubt.TAKEN_BACK
        hand.see(gathering(entry=4, code="T0"))
        assert hand.doubt is None
