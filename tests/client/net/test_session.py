"""The client's side of the protocol, by hand: frames in, frames out, no sockets."""

from typing import Any

import pytest
from msgspec import Struct

from diadem_client.net.session import (
    Answered,
    ByeReceived,
    ClientSession,
    ProtocolViolation,
    SessionPhase,
    Welcomed,
)
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import (
    Accepted,
    Bye,
    Command,
    Gone,
    Hello,
    LobbyView,
    Said,
    TableLine,
    TableView,
    Welcome,
)
from diadem_shared.refusals import Code, Refusal

WELCOME = Welcome("Ana", "secret", "Home", "0.1.0", None)
SETUP = Setup("diamoniak")


def view(table: str = "K7F3", number: int = 1) -> TableView:
    return TableView(table, number, 1, 0, {}, None, [])


class Line:
    """A session and the frames it has sent."""

    def __init__(self, **given: Any) -> None:
        self.session = ClientSession("Ana", version="test", first_id=100, **given)

    def sent(self) -> list[Any]:
        return [protocol.read_command(frame) for frame in iter(self.session.next_frame, None)]

    def hear(self, message: Struct) -> list[Any]:
        return self.session.receive(protocol.pack(message))

    def greet(self, table: str | None = None) -> None:
        self.session.connected()
        self.hear(Welcome("Ana", "secret", "Home", "0.1.0", table))

    def back(self) -> None:
        """The answer to the way back to a table, if it was asked for."""
        for command in self.sent():
            if isinstance(command, protocol.Join):
                self.hear(Accepted(command.id, 1))


@pytest.fixture
def line() -> Line:
    line = Line()
    line.greet()
    line.sent()
    return line


def at_table(line: Line) -> Line:
    join = line.session.ask(protocol.Join, "K7F3")
    line.hear(Accepted(join.id, 1))
    line.sent()
    return line


def test_it_says_hello_first_with_all_it_knows() -> None:
    line = Line(token="old", password="pass")  # noqa: S106
    line.session.connected()
    assert line.sent() == [Hello("Ana", "test", "old", "pass", wants=("shuffle",))]


def test_a_welcome_is_told_and_its_token_kept() -> None:
    line = Line()
    line.session.connected()
    assert line.hear(WELCOME) == [Welcomed(WELCOME, again=False)]
    assert (line.session.token, line.session.phase) == ("secret", SessionPhase.READY)
    line.session.disconnected()
    line.session.connected()
    assert line.sent() == [Hello("Ana", "test", "secret", wants=("shuffle",))]
    assert line.hear(WELCOME) == [Welcomed(WELCOME, again=True)]


def test_commands_wait_for_the_welcome() -> None:
    line = Line()
    asked = line.session.ask(protocol.Ping)
    assert line.sent() == []
    line.session.connected()
    assert [type(each) for each in line.sent()] == [Hello]
    line.hear(WELCOME)
    assert [type(each) for each in line.sent()] == [protocol.Ping]
    assert asked.id == 100


def test_ids_never_repeat(line: Line) -> None:
    asked = [line.session.ask(protocol.Ping).id for _ in range(5)]
    line.session.disconnected()
    line.greet()
    again = [each.id for each in line.sent() if isinstance(each, Command)]
    more = [line.session.ask(protocol.Ping).id for _ in range(5)]
    assert len({*asked, *again, *more}) == 15


def test_an_answer_finds_its_command(line: Line) -> None:
    first, second = (line.session.ask(protocol.Play, "draw") for _ in range(2))
    assert line.hear(Accepted(second.id, 8)) == [Answered(second, Accepted(second.id, 8))]
    assert line.session.pending == (first,)


def test_an_answer_to_nothing_is_ignored(line: Line) -> None:
    assert line.hear(Accepted(7)) == []
    assert line.hear(protocol.Refused(0, Refusal(Code.BAD_FRAME))) == []


def test_a_move_that_was_not_answered_is_repeated_under_its_id(line: Line) -> None:
    at_table(line)
    played = line.session.ask(protocol.Play, "draw")
    line.sent()
    line.session.disconnected()
    line.session.connected()
    hello = line.sent()
    assert [type(each) for each in hello] == [Hello]
    line.hear(WELCOME)
    (join,) = line.sent()
    assert isinstance(join, protocol.Join)
    assert join.table == "K7F3"
    line.hear(Accepted(join.id, 4))
    assert line.sent() == [played]


def test_a_move_that_was_never_sent_is_not_made_later(line: Line) -> None:
    at_table(line)
    played = line.session.ask(protocol.Play, "draw")
    assert line.session.disconnected() == [played]
    assert line.session.pending == ()
    line.session.connected()
    line.hear(WELCOME)
    line.back()
    assert line.sent() == []


def test_a_move_stays_sent_however_often_the_line_breaks(line: Line) -> None:
    at_table(line)
    played = line.session.ask(protocol.Play, "draw")
    line.sent()
    for _ in range(3):
        assert line.session.disconnected() == []
        line.session.connected()
        line.hear(WELCOME)
        line.back()
    assert line.sent() == [played]


def test_what_is_about_the_line_is_asked_anew(line: Line) -> None:
    """The server would only repeat its answer, and not do it for the new connection."""
    joined = line.session.ask(protocol.Join, "K7F3")
    line.sent()
    line.session.disconnected()
    line.greet()
    (again,) = (each for each in line.sent() if isinstance(each, protocol.Join))
    assert again.id != joined.id
    (told,) = line.hear(Accepted(again.id, 1))
    assert told.command == joined
    assert line.session.table == "K7F3"


def test_it_goes_back_to_the_seat_that_the_server_names() -> None:
    line = Line(token="secret")  # noqa: S106
    line.greet(table="K7F3")
    *_, join = line.sent()
    assert isinstance(join, protocol.Join)
    asked = line.session.ask(protocol.Play, "draw")
    assert line.sent() == []
    line.hear(Accepted(join.id, 9))
    assert line.sent() == [asked]
    assert line.hear(view()) == [view()]


def test_a_table_that_is_gone_is_told_on_the_way_back(line: Line) -> None:
    at_table(line)
    played = line.session.ask(protocol.Play, "draw")
    line.sent()
    line.session.disconnected()
    line.greet()
    *_, join = line.sent()
    why = Refusal(Code.NO_SUCH_TABLE, {"table": "K7F3"})
    told = line.hear(protocol.Refused(join.id, why))
    assert told[-1] == Gone("K7F3", why)
    assert line.session.table is None
    assert line.sent() == [played]


def test_the_first_view_says_which_table_was_made(line: Line) -> None:
    made = line.session.ask(protocol.Make, SETUP)
    assert line.hear(view("ELSE")) == []
    line.hear(Accepted(made.id, 1))
    assert line.hear(view("K7F3")) == [view("K7F3")]
    assert line.session.table == "K7F3"
    assert line.hear(view("ELSE")) == []


@pytest.mark.parametrize("accepted", [True, False])
def test_a_table_made_while_the_line_broke_is_found_again(line: Line, *, accepted: bool) -> None:
    made = line.session.ask(protocol.Make, SETUP)
    line.sent()
    if accepted:
        line.hear(Accepted(made.id, 1))
    line.session.disconnected()
    line.greet(table="K7F3")
    _, join = line.sent()
    line.hear(Accepted(join.id, 1))
    assert line.sent() == ([] if accepted else [made])
    assert line.hear(view("K7F3")) == [view("K7F3")]


def test_views_of_a_table_that_was_left_are_ignored(line: Line) -> None:
    at_table(line)
    assert line.hear(view()) == [view()]
    part = line.session.ask(protocol.Part)
    line.hear(Accepted(part.id))
    assert line.hear(view(number=2)) == []


def test_the_lobby_is_watched_again_after_a_lost_line(line: Line) -> None:
    watch = line.session.ask(protocol.WatchLobby, on=True)
    line.hear(Accepted(watch.id))
    line.sent()
    line.session.disconnected()
    line.greet()
    assert [type(each) for each in line.sent()] == [Hello, protocol.WatchLobby]


def test_nothing_is_watched_that_was_turned_off(line: Line) -> None:
    for on in (True, False):
        watch = line.session.ask(protocol.WatchLobby, on=on)
        line.hear(Accepted(watch.id))
    line.sent()
    line.session.disconnected()
    line.greet()
    assert [type(each) for each in line.sent()] == [Hello]


def test_being_sent_away_ends_at_the_table(line: Line) -> None:
    at_table(line)
    why = Refusal(Code.TABLE_BROKEN)
    assert line.hear(Gone("K7F3", why)) == [Gone("K7F3", why)]
    assert line.session.table is None


@pytest.mark.parametrize(
    ("code", "for_good"),
    [(Code.REPLACED, True), (Code.PASSWORD_WRONG, True), (Code.SERVER_CLOSING, False)],
)
def test_a_good_bye_says_whether_to_try_again(line: Line, code: Code, *, for_good: bool) -> None:
    (told,) = line.hear(Bye(Refusal(code)))
    assert told == ByeReceived(Refusal(code))
    assert told.for_good is for_good


def test_what_is_not_understood_is_told(line: Line) -> None:
    assert isinstance(line.session.receive(b"\xc1")[0], ProtocolViolation)
    assert isinstance(line.session.receive("text")[0], ProtocolViolation)


def test_what_others_write_is_harmless(line: Line) -> None:
    (said,) = line.hear(Said("\x1b[31mBob", 1, "a\u202eb\x07\n[@click=app.quit]x[/]"))
    assert said == Said(" [31mBob", 1, "a b  [@click=app.quit]x[/]")
    table = TableLine("A\x00", "x", ("\u2066Ana",), 4, Phase.GATHERING, 1, spectators=True)
    (lobby,) = line.hear(LobbyView([table]))
    assert (lobby.tables[0].table, lobby.tables[0].names) == ("A ", (" Ana",))


def test_who_comes_back_too_fast_keeps_the_table_and_takes_another_line_later(line: Line) -> None:
    at_table(line).session.disconnected()
    line.greet()
    (back,) = (each for each in line.sent() if isinstance(each, protocol.Join))
    refusal = Refusal(Code.TOO_FAST, {"seconds": 7})
    (dismissed,) = line.hear(protocol.Refused(back.id, refusal))
    assert dismissed == ByeReceived(refusal)
    assert not dismissed.for_good
    assert dismissed.wait == 7
    assert line.session.table == "K7F3"
