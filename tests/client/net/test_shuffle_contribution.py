"""What a client adds to a shuffle: by itself, once for each list of commitments, and never unnoticed left out."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_client.net import shuffle_contribution
from diadem_client.net.shuffle_contribution import Contribution, Memories
from diadem_client.state.client_state import LogLine, TableState
from diadem_client.state.shuffle_check import Doubt
from diadem_shared.entries import Entry, Left, Lost, Sat, Sealed, Setup, Started
from diadem_shared.match import Phase
from diadem_shared.protocol import (
    Accepted,
    Commit,
    Happened,
    Open,
    PlayerLine,
    Refused,
    ShuffleLine,
    TablePublic,
)
from diadem_shared.refusals import Code, Refusal
from diadem_shared.shuffle import commitment_of_player, opens
from diadem_shared.verification import SeenShuffle

SERVER = "ab" * 32
OTHER = "cd" * 32
BOT = Doubt.ADDED_FOR_BOT


def public(phase: Phase, line: ShuffleLine | None, rounds: int = 0) -> TablePublic:
    players = tuple(
        PlayerLine(name, bot=None, away=False, present=True, ready=False) for name in ("Ana", "Bob")
    )
    given: dict[str, Any] = {"rounds": (None,) * rounds}
    return TablePublic(
        *(Setup("diamoniak"), players, phase, 0, ()), **given, watchers=0, left=(), deadline=None,
        game=None, shuffle=line,
    )  # fmt: skip


def shown(
    entry: int, happened: Entry | None, phase: Phase, line: ShuffleLine | None, **other: Any
) -> TableState:
    """After this entry, at a table whose log has all that has happened; `other` may say otherwise."""
    log = other.pop("log", ((entry, happened),))
    lines = tuple(LogLine(number, event, "") for number, event in log)
    given: dict[str, Any] = {"code": "K7QD", "seat": 0, "chain": f"{entry:064x}"} | other
    rounds = given.pop("rounds", 0)
    events = () if happened is None else (Happened(entry, happened),)
    return TableState(
        entry=entry, number=entry, resigned=None, public=public(phase, line, rounds), view=None,
        happened=events, deadline=None, log=lines, **given,
    )  # fmt: skip


def gathering(*added: str, server: str = SERVER, entry: int = 2, **other: Any) -> TableState:
    line = ShuffleLine(server, added or ("", ""), sealed=False)
    happened = other.pop("happened", Sat("Bob"))
    return shown(entry, happened, Phase.GATHERING, line, **other)


def sealed(*added: str, server: str = SERVER, entry: int = 3, **other: Any) -> TableState:
    line = ShuffleLine(server, added, sealed=True)
    return shown(entry, other.pop("happened", Sealed(added)), Phase.GATHERING, line, **other)


def begun(*openings: str | None, entry: int = 4, **other: Any) -> TableState:
    log = ((3, Sealed(("", ""))), (entry, Started(openings)))
    return shown(entry, Started(openings), Phase.PLAYING, None, log=log, **other)


class Hand:
    """A client's additions, and what a server has said of them."""

    def __init__(self, memories: Memories | None = None) -> None:
        self.contribution = Contribution(memories)
        self._ids = 0

    def see(self, table: TableState) -> str:
        """What is sent after this view, and accepted; empty if nothing is."""
        wish = self.contribution.see(table)
        if wish is None:
            return ""
        kind, said = wish
        self._ids += 1
        command = kind(self._ids, said)
        assert isinstance(command, Commit | Open)
        self.contribution.asked(command, said)
        self.contribution.answered(command, Accepted(self._ids))
        return said

    @property
    def doubt(self) -> Doubt | None:
        return self.contribution.memory.doubt


def opened(hand: Hand) -> tuple[str, str]:
    committed = hand.see(gathering())
    return committed, hand.see(sealed(committed, OTHER))


def test_a_client_commits_opens_and_finds_its_part() -> None:
    hand = Hand()
    committed, opening = opened(hand)
    assert (
        committed
        == commitment_of_player(bytes.fromhex(SERVER), 0, "Ana", bytes.fromhex(opening)).hex()
    )
    assert opens(committed, opening, bytes.fromhex(SERVER), 0, "Ana")
    assert hand.see(begun(opening, None)) == ""
    assert hand.doubt is None
    (seen,) = hand.contribution.memory.opened
    assert seen == SeenShuffle(0, 3, f"{3:064x}", (committed, OTHER), opening)


def test_what_the_server_has_is_not_sent_again_and_what_it_lost_is() -> None:
    hand = Hand()
    committed = hand.see(gathering())
    assert hand.see(gathering(committed, "")) == ""
    assert hand.see(gathering("", "")) == committed
    assert hand.see(gathering(committed, "", entry=9, rounds=1)) not in {"", committed}


def test_while_an_answer_is_awaited_nothing_is_sent_twice() -> None:
    contribution = Contribution()
    wish = contribution.see(gathering())
    assert wish
    contribution.asked(Commit(1, wish[1]), wish[1])
    assert contribution.see(gathering()) is None
    contribution.connected()
    assert contribution.see(gathering()) == wish


def test_who_has_no_seat_adds_nothing() -> None:
    assert Hand().see(gathering(seat=None)) == ""
    assert Hand().see(gathering(seat=7)) == ""


def test_nothing_is_opened_before_it_is_sealed_as_it_was_committed_to() -> None:
    for added in (("", OTHER), (OTHER, ""), (OTHER, OTHER)):
        hand = Hand()
        hand.see(gathering())
        assert hand.see(sealed(*added)) == ""
        assert hand.doubt is Doubt.LEFT_OUT


def test_a_client_that_is_new_here_opens_nothing_and_doubts_nothing() -> None:
    hand = Hand()
    assert hand.see(sealed(OTHER, OTHER)) == ""
    assert hand.see(begun(OTHER, OTHER)) == ""
    assert hand.doubt is None


# What is opened only for a list that an entry has sealed


def test_nothing_is_opened_for_a_list_that_no_entry_has_sealed() -> None:
    for happened in (None, Sat("Cem"), Left(1)):
        hand = Hand()
        committed = hand.see(gathering())
        log = ((1, Sealed((committed, OTHER))), (3, happened))
        assert hand.see(sealed(committed, OTHER, happened=happened, log=log[1:])) == ""
        assert hand.doubt is Doubt.NOT_SEALED


def test_nothing_is_opened_for_another_list_than_the_entry_has() -> None:
    for other, doubt in ((OTHER, Doubt.LEFT_OUT), (None, Doubt.CHANGED)):
        hand = Hand()
        committed = hand.see(gathering())
        entry = Sealed((other or committed, SERVER))
        assert hand.see(sealed(committed, OTHER, happened=entry)) == ""
        assert hand.doubt is doubt


def test_nothing_is_opened_where_the_host_adds_for_a_bot() -> None:
    for bot, away, doubt in ((None, False, None), ("easy", True, None), ("easy", False, BOT)):
        hand = Hand()
        table = sealed(hand.see(gathering()), OTHER)
        ana, bob = table.public.players
        players = ana, replace(bob, bot=bot, away=away)
        said = hand.see(replace(table, public=replace(table.public, players=players)))
        assert (bool(said), hand.doubt) == (doubt is None, doubt)


def test_where_views_were_left_out_it_is_opened_once_the_history_has_come() -> None:
    hand = Hand()
    committed = hand.see(gathering())
    gap = sealed(committed, OTHER, entry=7, happened=Lost(1), log_is_whole=False)
    assert hand.see(gap) == ""
    assert hand.doubt is None
    log = ((6, Sealed((committed, OTHER))), (7, Lost(1)))
    assert hand.see(replace_log(gap, log)) not in {"", committed}
    assert hand.contribution.memory.opened[0].entry == 7


def replace_log(table: TableState, log: Sequence[tuple[int, Entry]]) -> TableState:
    lines = tuple(LogLine(number, event, "") for number, event in log)
    return replace(table, log=lines, log_is_whole=True)


def test_only_so_many_lists_of_a_table_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host could have a client remember without end."""
    monkeypatch.setattr(shuffle_contribution, "MOST_OPENED", 1)
    hand = Hand()
    opened(hand)
    committed = hand.see(gathering(entry=4, happened=Left(1)))
    assert hand.see(sealed(committed, OTHER, entry=5)) == ""
    assert len(hand.contribution.memory.opened) == 1


@pytest.mark.parametrize("others", [(), (OTHER, OTHER), ("ab" * 1_000_000,)])
def test_a_list_that_is_none_is_not_opened_and_not_remembered(others: tuple[str, ...]) -> None:
    hand = Hand()
    committed = hand.see(gathering())
    assert hand.see(sealed(committed, *others)) == ""
    assert hand.contribution.memory.opened == ()


# Rounds that begin without it


def test_it_is_noticed_when_a_round_begins_without_it() -> None:
    missing: Sequence[tuple[str | None, ...]] = [(), (None, OTHER), ("", OTHER), (OTHER, OTHER)]
    for openings in missing:
        hand = Hand()
        opened(hand)
        hand.see(begun(*openings))
        assert hand.doubt is Doubt.LEFT_OUT
    hand = Hand()
    hand.see(gathering())
    hand.see(begun())
    assert hand.doubt is Doubt.LEFT_OUT


def test_a_server_that_was_started_again_is_not_blamed_for_a_round_without_it() -> None:
    """It knows of no commitment then, and who comes late is left out."""
    hand = Hand()
    hand.see(gathering())
    hand.contribution.connected()
    hand.see(begun())
    assert hand.doubt is None


def test_a_commitment_that_was_not_accepted_is_left_out_without_a_doubt() -> None:
    """The file tells how many rounds were without this player's part."""
    for later in (begun(), sealed("", OTHER)):
        hand = Hand()
        wish = hand.contribution.see(gathering())
        assert wish
        hand.contribution.asked(Commit(1, wish[1]), wish[1])
        hand.contribution.answered(Commit(1, wish[1]), Refused(1, Refusal(Code.TOO_FAST)))
        assert hand.see(later) == ""
        assert hand.doubt is None


def test_who_has_resigned_is_left_out_without_a_doubt() -> None:
    hand = Hand()
    hand.see(gathering())
    hand.see(begun(seat=None))
    assert hand.doubt is None


def test_a_server_that_is_bound_to_another_secret_all_at_once_is_noticed() -> None:
    hand = Hand()
    hand.see(gathering())
    hand.see(gathering(server=OTHER))
    assert hand.doubt is Doubt.CHANGED
    assert hand.contribution.memory.server == SERVER
