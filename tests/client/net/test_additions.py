"""What a client adds to a shuffle: by itself, once for each list of commitments, and never unnoticed left out."""

from collections.abc import Sequence
from typing import Any

from diadem.entries import Setup, Started
from diadem.match import Phase
from diadem.protocol import Accepted, Commit, Happened, Open, PlayerLine, ShuffleLine, TablePublic
from diadem.shuffle import commitment_of_player, opens
from diadem_client.net.additions import Additions
from diadem_client.state.picture import TablePicture
from diadem_client.state.shuffle_check import Doubt

SERVER = "ab" * 32
OTHER = "cd" * 32


def public(phase: Phase, line: ShuffleLine | None, rounds: int = 0) -> TablePublic:
    players = tuple(
        PlayerLine(name, bot=None, away=False, present=True, ready=False) for name in ("Ana", "Bob")
    )
    given: dict[str, Any] = {"rounds": (None,) * rounds}
    return TablePublic(
        *(Setup("diamoniak"), players, phase, 0, ()), **given, watchers=0, left=(), deadline=None,
        game=None, shuffle=line,
    )  # fmt: skip


def gathering(
    *added: str,
    sealed: bool = False,
    server: str = SERVER,
    table: str = "K7QD",
    seat: int | None = 0,
    rounds: int = 0,
) -> TablePicture:
    line = ShuffleLine(server, added or ("", ""), sealed)
    return TablePicture(
        table, 2, 2, seat, None, public(Phase.GATHERING, line, rounds), None, (), None
    )


def begun(*openings: str | None, table: str = "K7QD") -> TablePicture:
    happened = (Happened(4, Started(openings)),)
    return TablePicture(table, 4, 4, 0, None, public(Phase.PLAYING, None), None, happened, None)


class Hand:
    """A client's additions, and what a server has said of them."""

    def __init__(self) -> None:
        self.additions = Additions()
        self._ids = 0

    def see(self, table: TablePicture) -> str:
        """What is sent after this view, and accepted; empty if nothing is."""
        wish = self.additions.see(table)
        if wish is None:
            return ""
        kind, said = wish
        self._ids += 1
        command = kind(self._ids, said)
        assert isinstance(command, Commit | Open)
        self.additions.asked(command, said)
        self.additions.answered(command, Accepted(self._ids))
        return said

    @property
    def doubt(self) -> Doubt | None:
        return self.additions.doubt


def opened(hand: Hand) -> tuple[str, str]:
    committed = hand.see(gathering())
    return committed, hand.see(gathering(committed, OTHER, sealed=True))


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
    assert hand.additions.opened[0].opening == opening


def test_what_the_server_has_is_not_sent_again_and_what_it_lost_is() -> None:
    hand = Hand()
    committed = hand.see(gathering())
    assert hand.see(gathering(committed, "")) == ""
    assert hand.see(gathering("", "")) == committed
    assert hand.see(gathering(committed, "", rounds=1)) not in {"", committed}


def test_while_an_answer_is_awaited_nothing_is_sent_twice() -> None:
    additions = Additions()
    wish = additions.see(gathering())
    assert wish
    additions.asked(Commit(1, wish[1]), wish[1])
    assert additions.see(gathering()) is None
    additions.connected()
    assert additions.see(gathering()) == wish


def test_who_has_no_seat_adds_nothing() -> None:
    assert Hand().see(gathering(seat=None)) == ""
    assert Hand().see(gathering(seat=7)) == ""


def test_nothing_is_opened_before_it_is_sealed_as_it_was_committed_to() -> None:
    for added in (("", OTHER), (OTHER, ""), (OTHER, OTHER)):
        hand = Hand()
        hand.see(gathering())
        assert hand.see(gathering(*added, sealed=True)) == ""
        assert hand.doubt is Doubt.LEFT_OUT


def test_a_client_that_is_new_here_opens_nothing_and_doubts_nothing() -> None:
    hand = Hand()
    assert hand.see(gathering(OTHER, OTHER, sealed=True)) == ""
    assert hand.see(begun(OTHER, OTHER)) == ""
    assert hand.doubt is None


def test_what_was_opened_is_never_committed_to_again() -> None:
    """After a restart others may sit there; who knows what was opened could choose theirs by it."""
    hand = Hand()
    committed, opening = opened(hand)
    again = hand.see(gathering())
    assert again not in {"", committed}
    assert hand.see(gathering(again, OTHER, sealed=True)) not in {"", opening}


def test_it_is_opened_again_only_with_the_same_others() -> None:
    hand = Hand()
    committed, opening = opened(hand)
    hand.additions.connected()
    assert hand.see(gathering(committed, OTHER, sealed=True)) == opening
    assert hand.see(gathering(committed, SERVER, sealed=True)) == ""
    assert hand.doubt is Doubt.CHANGED


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


def test_a_server_that_is_bound_to_another_secret_all_at_once_is_noticed() -> None:
    hand = Hand()
    hand.see(gathering())
    hand.see(gathering(server=OTHER))
    assert hand.doubt is Doubt.CHANGED
    assert hand.additions.server == SERVER


def test_another_table_is_another_matter() -> None:
    hand = Hand()
    hand.see(gathering())
    hand.see(gathering(server=OTHER))
    assert hand.see(gathering(server=OTHER, table="ZZZZ"))
    assert hand.doubt is None
    assert hand.additions.server == OTHER
