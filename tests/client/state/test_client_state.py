"""What a client knows after each message: a picture is followed, nothing else."""

from typing import Any

import msgspec

from diadem_client.net.session import Answered, Welcomed
from diadem_client.net.transport import Closed, Connected, Reconnecting
from diadem_client.state.client_state import (
    REACTION_SECONDS,
    ClientState,
    TableState,
    apply_change,
    without_notice,
)
from diadem_client.state.shuffle_check import Doubt, ShuffleCheck
from diadem_shared import protocol
from diadem_shared.entries import Sat, Setup
from diadem_shared.games import GAMES
from diadem_shared.games.castles.table import Drew
from diadem_shared.match import Match, Phase
from diadem_shared.playout import play_out
from diadem_shared.protocol import (
    Accepted,
    Gone,
    Happened,
    History,
    Join,
    LobbyView,
    PlayerLine,
    Reacted,
    Said,
    TablePublic,
    TableView,
    Welcome,
)
from diadem_shared.refusals import Code, Refusal
from tests.cases import cases

NOW = 1000.0


def told(client_state: ClientState, *changes: Any) -> ClientState:
    for change in changes:
        client_state = apply_change(client_state, change, NOW)
    return client_state


def player(name: str) -> PlayerLine:
    return PlayerLine(name, bot=None, away=False, present=True, ready=False)


def gathering(
    *names: str, entry: int = 1, number: int = 1, happened: tuple[Any, ...] = (), **given: Any
) -> TableView:
    public = TablePublic(
        setup=given.pop("setup", Setup("diamoniak")),
        phase=Phase.GATHERING,
        players=tuple(map(player, names)),
        maker=0 if names else None,
        actors=(),
        rounds=(),
        watchers=0,
        left=(),
        deadline=given.pop("deadline", None),
        game=None,
    )
    return TableView(
        table="K7F3",
        number=number,
        entry=entry,
        seat=0,
        public=msgspec.to_builtins(public),
        private=None,
        happened=[Happened(entry, event) for event in happened],
    )


def played(match: Match, number: int, events: list[Any]) -> TableView:
    """What a server sends of a match, to its first seat."""
    public = TablePublic(
        setup=match.setup,
        phase=match.phase,
        players=tuple(player(each.name) for each in match.players),
        maker=0,
        actors=match.actors,
        rounds=match.rounds,
        watchers=0,
        left=(),
        deadline=None,
        game=None if match.state is None else match.game.public(match.state),
    )
    happened = [Happened(match.entries, msgspec.to_builtins(event)) for event in events]
    builtins = msgspec.to_builtins(public)
    return TableView("K7F3", number, match.entries, 0, builtins, None, happened)


def table_of(client_state: ClientState) -> TableState:
    assert client_state.table is not None
    return client_state.table


def test_it_starts_with_nothing() -> None:
    assert ClientState().table is None
    assert ClientState().lobby is None


def test_the_line_is_in_the_picture() -> None:
    links = [Connected(), Reconnecting(NOW + 3), Closed(Refusal(Code.REPLACED))]
    for link in links:
        assert told(ClientState(), link).link == link


def test_a_welcome_names_the_server() -> None:
    client_state = told(
        ClientState(), Welcomed(Welcome("Ana", "t", "Home", "0.1.0", None), again=False)
    )
    assert (client_state.name, client_state.server, client_state.version) == (
        "Ana",
        "Home",
        "0.1.0",
    )
    assert client_state.welcomed


def test_the_lobby_is_the_last_one_told() -> None:
    line = protocol.TableLine("A", "diadingo", ("Ana",), 8, Phase.GATHERING, 1, spectators=True)
    client_state = told(ClientState(), LobbyView([line]), LobbyView([]))
    assert told(ClientState(), LobbyView([line])).lobby == (line,)
    assert client_state.lobby == ()


def test_a_view_makes_a_table() -> None:
    table = table_of(told(ClientState(), gathering("Ana", "Bob", deadline=1500)))
    assert table.names == ("Ana", "Bob")
    assert table.is_maker
    assert table.deadline == NOW + 1.5
    assert table.view is None


def test_what_happens_is_told_and_stays() -> None:
    first = gathering("Ana", entry=1, happened=({"type": "sat", "name": "Ana", "bot": None},))
    second = gathering(
        "Ana", "Bob", entry=2, number=2, happened=({"type": "sat", "name": "Bob", "bot": None},)
    )
    table = table_of(told(ClientState(), first, second))
    assert [line.text for line in table.log] == ["Ana sits down.", "Bob sits down."]
    assert table.log_is_whole


def test_who_leaves_is_named_by_who_sat_there() -> None:
    left = gathering("Ana", entry=3, number=2, happened=({"type": "left", "seat": 1},))
    table = table_of(told(ClientState(), gathering("Ana", "Bob", entry=2), left))
    assert table.log[-1].text == "Bob gives up the seat."


def test_a_view_of_the_same_entry_keeps_the_log() -> None:
    sat = ({"type": "sat", "name": "Ana", "bot": None},)
    table = table_of(
        told(ClientState(), gathering("Ana", happened=sat), gathering("Ana", number=2))
    )
    assert len(table.log) == 1


def test_a_gap_is_noticed_and_filled_by_history() -> None:
    client_state = told(ClientState(), gathering("Ana", entry=1))
    bob = {"type": "sat", "name": "Bob", "bot": None}
    cem = {"type": "sat", "name": "Cem", "bot": None}
    client_state = told(
        client_state, gathering("Ana", "Bob", "Cem", entry=3, number=5, happened=(cem,))
    )
    assert not table_of(client_state).log_is_whole
    history = History(9, [Happened(2, bob)], more=False)
    client_state = told(client_state, Answered(protocol.GetHistory(9), history))
    assert [line.text for line in table_of(client_state).log] == [
        "Bob sits down.",
        "Cem sits down.",
    ]
    assert table_of(client_state).log_is_whole


def test_one_entry_missed_while_the_line_was_down_is_a_gap() -> None:
    """The view that greets whoever comes back does not tell how its last entry was made."""
    sat = {"type": "sat", "name": "Ana", "bot": None}
    client_state = told(ClientState(), gathering("Ana", entry=1, happened=(sat,)))
    assert table_of(client_state).log_is_whole
    client_state = told(client_state, gathering("Ana", "Bob", entry=2, number=1))
    assert not table_of(client_state).log_is_whole


def test_a_page_of_history_does_not_end_what_was_known_before() -> None:
    ana, bob, cem = ({"type": "sat", "name": name, "bot": None} for name in ("Ana", "Bob", "Cem"))
    client_state = told(ClientState(), gathering("Ana", entry=1, happened=(ana,)))
    client_state = told(client_state, gathering("Ana", "Bob", "Cem", entry=3, number=2))
    page = History(9, [Happened(2, bob), Happened(3, cem)], more=True)
    table = table_of(told(client_state, Answered(protocol.GetHistory(9), page)))
    assert [line.entry for line in table.log] == [1, 2, 3]


def test_history_is_told_by_the_names_of_its_time() -> None:
    """Cem sits where Bob sat, and did not leave."""
    happened = [
        Happened(1, {"type": "sat", "name": "Ana", "bot": None}),
        Happened(2, {"type": "sat", "name": "Bob", "bot": None}),
        Happened(3, {"type": "left", "seat": 1}),
        Happened(4, {"type": "sat", "name": "Cem", "bot": None}),
    ]
    client_state = told(ClientState(), gathering("Ana", "Cem", entry=4))
    for known, name in ((happened, "Bob"), (happened[2:], "Somebody")):
        page = History(9, known, more=False)
        table = table_of(told(client_state, Answered(protocol.GetHistory(9), page)))
        assert table.log[-2].text == f"{name} gives up the seat."


def test_coming_late_leaves_the_log_to_be_asked_for() -> None:
    assert not table_of(told(ClientState(), gathering("Ana", entry=7))).log_is_whole


def test_chat_before_the_first_view_is_kept() -> None:
    said = Said("Bob", 1, "hello")
    table = table_of(told(ClientState(), said, gathering("Ana", "Bob"), said))
    assert table.chat == (said, said)


def test_chat_is_not_doubled_by_coming_back() -> None:
    said = Said("Bob", 1, "hello")
    client_state = told(ClientState(), gathering("Ana"), said)
    client_state = told(client_state, Answered(Join(5, "K7F3"), Accepted(5)), said)
    assert table_of(client_state).chat == (said,)


def test_leaving_and_being_sent_off_end_the_table() -> None:
    client_state = told(ClientState(), gathering("Ana"))
    assert told(client_state, Answered(protocol.Part(5), Accepted(5))).table is None
    why = Refusal(Code.TABLE_BROKEN)
    gone = told(client_state, Gone("K7F3", why))
    assert (gone.table, gone.sent_off) == (None, why)
    assert without_notice(gone).sent_off is None
    assert told(client_state, Gone("ELSE", why)).table is not None


def test_losing_the_line_keeps_the_table() -> None:
    client_state = told(ClientState(), gathering("Ana"))
    assert told(client_state, Reconnecting(NOW)).table == client_state.table


def test_a_game_nobody_knows_here_is_looked_at_as_it_comes() -> None:
    client_state = told(ClientState(), gathering("Ana", setup=Setup("chess")))
    assert client_state.table is not None
    assert client_state.table.game.name == "chess"


@cases("name", GAMES)
def test_a_whole_match_is_followed(name: str) -> None:
    *_, best = GAMES[name].bots
    level = "zombie" if name.startswith("diamino") else best
    client_state = ClientState()
    for number, step in enumerate(play_out(Setup(name), [level] * 2, b"followed"), start=1):
        entry = [] if msgspec.to_builtins(step.entry)["type"] == "moved" else [step.entry]
        events = [*entry, *(happening.told(0) for happening in step.told)]
        client_state = told(client_state, played(step.match, number, events))
    table = table_of(client_state)
    assert table.log_is_whole
    assert table.public.phase is Phase.OVER
    assert table.scores == table.public.rounds[0].scores
    assert any("won" in line.text or "share" in line.text for line in table.log[-3:])


def test_events_come_in_their_own_types_and_those_of_the_game_apart() -> None:
    sat = {"type": "sat", "name": "Ana", "bot": None}
    drew = {"type": "drew", "seat": 0, "card": "blue2"}
    table = table_of(told(ClientState(), gathering("Ana", entry=2, happened=(sat, drew))))
    assert [each.event for each in table.happened] == [Sat("Ana"), Drew(0, "blue2")]
    assert table.game_events == (Drew(0, "blue2"),)
    assert [line.event for line in table.log] == [Sat("Ana"), Drew(0, "blue2")]


def test_in_memory_play_the_log_forgets_where_a_try_failed() -> None:
    """D-12."""
    client_state = ClientState()
    setup = Setup("diadingo", options={"play": "memory"})
    for number, step in enumerate(play_out(setup, ["zombie"] * 2, b"forget"), start=1):
        events = [happening.told(0) for happening in step.told]
        client_state = told(client_state, played(step.match, number, events))
        failed = [line for line in table_of(client_state).log if "does not move" in line.text]
        assert [line for line in failed if line.entry != step.match.entries] == []
    assert any("stayed empty" in line.text for line in table_of(client_state).log)


def test_a_reaction_is_chat_and_stands_beside_the_name_until_it_is_over() -> None:
    seen = told(ClientState(), gathering("Ana", "Bob"), Reacted("Bob", 1, "wow"))
    assert seen.table is not None
    assert seen.table.chat == (Said("Bob", 1, "Wow!"),)
    (note,) = seen.table.reactions
    assert (note.seat, note.words, note.until) == (1, "Wow!", NOW + REACTION_SECONDS)
    seen = told(seen, gathering("Ana", "Bob", number=2), Reacted("Bob", 1, "thanks"))
    assert seen.table is not None
    assert [note.words for note in seen.table.reactions] == ["Thanks!"]


def test_reactions_without_a_seat_or_of_a_newer_server_are_bounded() -> None:
    seen = told(ClientState(), gathering("Ana"), Reacted("Cem", None, "hello"))
    seen = told(seen, Reacted("Bob", 7, "hello"), Reacted("Bob", 0, "cartwheel"))
    assert seen.table is not None
    assert [said.name for said in seen.table.chat] == ["Cem", "Bob"]
    assert seen.table.reactions == ()


def test_what_speaks_against_a_shuffle_is_told_in_the_log_once_and_stays_known() -> None:
    client_state = told(ClientState(), gathering("Ana", "Bob"))
    assert client_state.table is not None
    lines = len(client_state.table.log)
    check = ShuffleCheck(Doubt.LEFT_OUT)
    client_state = told(client_state, check, check, gathering("Ana", "Bob", number=2))
    assert client_state.table is not None
    assert client_state.table.shuffle == check
    assert len(client_state.table.log) == lines + 1
    assert "without your part" in client_state.table.log[-1].text
    assert told(ClientState(), check) == ClientState()
