"""The few words in which a table, a connection and a player are always in sight."""

import pytest
from msgspec.structs import replace

from diadem_client.net.transport import Closed, Connected, Connecting, Link, Reconnecting, Silent
from diadem_client.refusals import ClientCode
from diadem_client.state.client_state import ReactionNote
from diadem_client.wording import state
from diadem_shared.entries import Setup
from diadem_shared.game import Outcome
from diadem_shared.match import Phase
from diadem_shared.protocol import PlayerLine, TableLine
from diadem_shared.refusals import Refusal
from tests.cases import cases
from tests.client.refused import received
from tests.client.wording.tables import player, table

NOW = 1000.0
CLOSED = Closed(Refusal(ClientCode.CONNECTION_LOST))
THREE_ROUNDS = Setup("diamoniak", rounds=3)
ONE = Outcome((1, 0), (0, 0))


@cases(
    ("link", "words"),
    [
        (Connecting(), "connecting"),
        (Connected(), "connected"),
        (Silent(NOW - 7.4), "server heard 7 s ago"),
        (Reconnecting(NOW + 2.1), "reconnecting in 3 s"),
        (Reconnecting(NOW - 1), "reconnecting in 0 s"),
        (CLOSED, "not connected"),
    ],
)
def test_how_the_connection_stands(link: Link, words: str) -> None:
    assert state.link_state(link, NOW) == words


def test_time_alone_changes_a_clock_and_a_connection_that_is_waited_for() -> None:
    assert state.changes_by_itself(Connected(), table(deadline=NOW))
    assert state.changes_by_itself(Silent(NOW), None)
    assert state.changes_by_itself(Reconnecting(NOW), table())
    assert not state.changes_by_itself(Connected(), table())
    assert not state.changes_by_itself(CLOSED, None)


def test_the_title_says_when_it_is_ones_turn() -> None:
    assert state.title(None) == state.title(table(actors=(1,))) == "Diadem"
    assert state.title(table()) == "Your turn: Diamoniak"


def test_our_own_page_is_told_whose_turn_it_is() -> None:
    assert state.title(None, tells_all=True) == "Diadem"
    assert state.title(table(), tells_all=True) == "Your turn: Diamoniak"
    assert state.title(table(actors=(1,)), tells_all=True) == "Diamoniak: waiting for Bob"
    over = table(phase=Phase.OVER, actors=())
    assert state.title(over, tells_all=True) == "Diamoniak: the match is over"


def test_whose_turn_it_is() -> None:
    assert state.turn(table()) == "YOUR TURN"
    assert state.turn(table(actors=(1,))) == "waiting for Bob"
    assert state.turn(table(seat=None, actors=(0, 1))) == "waiting for Ana, Bob"


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        (Phase.GATHERING, "before the start"),
        (Phase.BETWEEN, "between two rounds"),
        (Phase.OVER, "the match is over"),
    ],
)
def test_what_is_waited_for_when_nobody_plays(phase: Phase, words: str) -> None:
    assert state.turn(table(phase=phase)) == words


def test_who_is_played_for_is_asked_nothing_and_told_how_they_come_back() -> None:
    played_for = table(player("Ana", away=True), player("Bob"), actors=(0,))
    assert not played_for.my_turn
    assert state.turn(played_for) == "waiting for Ana"
    assert "Press F2 to take your seat back." in state.standing_in(played_for)
    assert state.standing_in(table(actors=(0,))) == ""


def test_which_round_of_how_many() -> None:
    assert state.place(table()) == ""
    assert state.place(table(setup=THREE_ROUNDS, phase=Phase.GATHERING)) == ""
    assert state.place(table(setup=THREE_ROUNDS)) == "round 1/3"
    assert state.place(table(setup=THREE_ROUNDS, rounds=(ONE,))) == "round 2/3"
    between = table(setup=THREE_ROUNDS, rounds=(ONE,), phase=Phase.BETWEEN)
    assert state.place(between) == "round 1/3"


@cases(
    ("deadline", "words"),
    [(None, ""), (NOW + 61, "1:01"), (NOW + 0.2, "0:01"), (NOW - 5, "0:00")],
)
def test_the_clock_never_shows_less_than_nothing(deadline: float | None, words: str) -> None:
    assert state.clock(table(deadline=deadline), NOW) == words


def test_why_no_round_is_dealt() -> None:
    assert state.blocked(table()) == ""
    why = received("no_such_seat", {"seat": 3, "seats": 2})
    assert state.blocked(table(blocked=why)).startswith(
        "All are ready, but the round cannot begin."
    )


def test_people_are_waited_for_and_bots_are_not() -> None:
    players = (
        player("Ana", ready=True),
        player("Bob"),
        player("Cem", ready=True, present=False),
        player("Zirko", bot="easy"),
    )
    assert state.waited_for(table(*players)) == ["Bob", "Cem"]


def test_who_looks_on_is_told_so_and_players_how_many_do() -> None:
    assert state.company(table()) == ""
    assert state.company(table(watchers=1)) == "1 looks on"
    assert state.company(table(watchers=2)) == "2 look on"
    assert state.company(table(watchers=2, phase=Phase.GATHERING)) == ""
    assert state.company(table(watchers=2, seat=None)) == "you look on"
    assert state.company(table(watchers=2, seat=None, phase=Phase.GATHERING)) == ""


def test_what_somebody_says_stands_beside_the_name_for_a_moment() -> None:
    said = replace(
        table(player("Ana"), player("Bob", present=False)),
        reactions=(ReactionNote(1, "Wow!", until=10.0),),
    )
    assert state.notes(said, 9.0) == ("", "Wow!")
    assert state.notes(said, 10.0) == ("", "line lost")


@cases(
    ("line", "phase", "words"),
    [
        (player("Bob"), Phase.PLAYING, ""),
        (player("Bob", bot="easy"), Phase.PLAYING, "bot: cautious"),
        (player("Bob", bot="easy", away=True), Phase.PLAYING, "away, bot: cautious"),
        (player("Bob", present=False), Phase.PLAYING, "line lost"),
        (player("Bob", ready=True), Phase.PLAYING, ""),
        (player("Bob", ready=True), Phase.BETWEEN, "ready"),
        (player("Eve", ready=True), Phase.GATHERING, "ready, muted"),
    ],
)
def test_how_a_player_stands(line: PlayerLine, phase: Phase, words: str) -> None:
    assert state.player_state(table(line, phase=phase, muted=("Eve",)), line) == words


def line(phase: Phase, *names: str, spectators: bool = True) -> TableLine:
    return TableLine("K7F3", "diamoniak", names, 2, phase, 1, spectators)


@cases(
    ("shown", "words"),
    [
        (line(Phase.GATHERING, "Ana"), "gathering"),
        (line(Phase.GATHERING, "Ana", "Bob"), "full"),
        (line(Phase.PLAYING, "Ana", "Bob"), "playing"),
        (line(Phase.BETWEEN, "Ana", "Bob", spectators=False), "playing, closed"),
        (line(Phase.OVER, "Ana", "Bob"), "over"),
    ],
)
def test_how_a_table_stands_in_the_lobby(shown: TableLine, words: str) -> None:
    assert state.table_state(shown) == words


def test_who_looks_on_is_counted_and_named() -> None:
    assert state.watchers(table(watchers=1)) == "1 looks on"
    shown = table(watchers=2, onlookers=("Cem", "Eve"), muted=("Eve",))
    assert state.watchers(shown) == "2 look on: Cem, Eve (muted)"
