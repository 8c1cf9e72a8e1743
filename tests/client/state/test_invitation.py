"""What others type or open, whatever a server says of itself."""

import shlex
from urllib.parse import urlsplit

from hypothesis import given
from hypothesis import strategies as st

from diadem_client.net.address import Address, read_address
from diadem_client.state.invitation import page_door, ways
from diadem_shared.invitation import page_as_code
from diadem_shared.protocol import CLIENT, SSH, WEB, Door
from tests.cases import cases

OPEN = (Door(CLIENT, 7453), Door(SSH, 7422), Door(WEB, 7480))
PUBLIC = (
    Door(CLIENT, 443, "games.example", secure=True),
    Door(SSH, 22, "games.example"),
    Door(WEB, 443, "games.example", secure=True),
)
HOSTED = Address("192.0.2.7", port=0)
"""As a client knows it that a gate runs: not the port of the game."""


def told(*doors: Door, at: Address, table: str = "K7F3") -> list[str]:
    return [way.text for way in ways(doors, at, table)]


def test_a_server_that_names_no_host_is_found_where_this_client_found_it() -> None:
    assert told(*OPEN, at=Address("192.0.2.7", 7000)) == [
        "http://192.0.2.7:7480/K7F3",
        "ssh -t -p 7422 192.0.2.7 K7F3",
        ".venv/bin/game-client --host 192.0.2.7:7000 --table K7F3",
    ]


def test_a_host_s_own_name_comes_first_and_usual_ports_are_left_out() -> None:
    assert told(*PUBLIC, at=Address("10.0.0.1", 7000)) == [
        "https://games.example/K7F3",
        "ssh -t games.example K7F3",
        ".venv/bin/game-client --host wss://games.example:443 --table K7F3",
    ]


def test_to_the_server_itself_no_table_is_named() -> None:
    assert told(*OPEN, at=Address("192.0.2.7"), table="") == [
        "http://192.0.2.7:7480",
        "ssh -t -p 7422 192.0.2.7",
        ".venv/bin/game-client --host 192.0.2.7",
    ]


def test_an_address_of_ipv6_stands_in_brackets_where_a_port_follows() -> None:
    assert told(*OPEN, at=Address("2001:db8::7", 7000)) == [
        "http://[2001:db8::7]:7480/K7F3",
        "ssh -t -p 7422 2001:db8::7 K7F3",
        ".venv/bin/game-client --host [2001:db8::7]:7000 --table K7F3",
    ]


def test_an_address_with_a_zone_means_nothing_to_others() -> None:
    assert told(*OPEN, at=Address("fe80::7%eth0")) == []


def test_a_hosted_player_is_told_the_port_of_the_game_by_its_door() -> None:
    assert told(*OPEN, at=HOSTED)[-1] == ".venv/bin/game-client --host 192.0.2.7 --table K7F3"
    assert told(OPEN[1], at=HOSTED) == ["ssh -t -p 7422 192.0.2.7 K7F3"]


def test_where_nobody_knows_the_address_there_is_nothing_to_type() -> None:
    assert told(*OPEN, at=Address("", port=0)) == []
    assert told(*PUBLIC, at=Address("", port=0)) != []


def test_a_server_that_tells_of_no_doors_is_found_by_its_address() -> None:
    assert told(at=Address("games.example")) == [
        ".venv/bin/game-client --host games.example --table K7F3"
    ]


def test_a_name_in_other_letters_is_written_as_others_can_type_it() -> None:
    assert "xn--mbel-5qa.example" in told(*OPEN, at=Address("möbel.example"))[0]


def test_kinds_of_doors_that_are_not_known_are_passed_over() -> None:
    assert told(Door("carrier pigeon", 1), at=Address("games.example", 7000)) == [
        ".venv/bin/game-client --host games.example:7000 --table K7F3"
    ]


def test_the_first_door_of_a_kind_counts() -> None:
    assert told(Door(SSH, 1), Door(SSH, 2), at=HOSTED) == ["ssh -t -p 1 192.0.2.7 K7F3"]


@cases(
    "host",
    [
        "$(reboot)",
        "`reboot`",
        "a;reboot",
        "a b",
        "a\nreboot",
        "-oProxyCommand=reboot",
        "ana@games.example",
        "games.example/evil",
        "games.example:80",
        "games.example?x",
        "\x1b]52;c;AAAA\x07",
        "[::1",
        "::1]x",
        "x" * 254,
        "a..ü",
    ],
)
def test_nothing_is_passed_on_that_means_more_than_a_host(host: str) -> None:
    hostile = (Door(CLIENT, 1, host), Door(SSH, 1, host), Door(WEB, 1, host))
    assert told(*hostile, at=Address("", port=0)) == []
    assert told(*OPEN, at=Address(host)) == []


@cases("code", ["$(reboot)", "K7 F3", "-v", "K7F3;ls", "../x", "K7F3\n", "Ä" * 4])
def test_what_is_no_code_of_a_table_is_left_out(code: str) -> None:
    assert told(*OPEN, at=HOSTED, table=code) == told(*OPEN, at=HOSTED, table="")


@cases("port", [0, -1, 65536, 10**12])
def test_a_door_without_a_real_port_is_none(port: int) -> None:
    assert told(Door(SSH, port), Door(WEB, port), at=HOSTED) == []


TEXTS = st.text(max_size=30) | st.sampled_from(["games.example", "192.0.2.7", "2001:db8::7"])


@given(st.lists(st.builds(Door, TEXTS, st.integers(), TEXTS, st.booleans())), TEXTS, TEXTS)
def test_a_shell_takes_a_line_for_words_and_a_browser_an_address_for_one(
    doors: list[Door], host: str, table: str
) -> None:
    kinds = [Door(kind, each.port, each.host, each.secure) for each in doors for kind in KINDS]
    for way in ways(kinds, Address(host), table):
        assert way.text.isascii()
        assert way.text.isprintable()
        if way.kind == WEB:
            assert urlsplit(way.text).scheme in {"http", "https"}
            assert urlsplit(way.text).username is None
        else:
            assert shlex.split(way.text, comments=True) == way.text.split(" ")
            assert not set("$`;&|<>(){}*?~!#\\'\"") & set(way.text)


KINDS = (CLIENT, SSH, WEB)


@given(st.sampled_from(["games.example", "192.0.2.7", "2001:db8::7"]), st.integers(1, 65535))
def test_what_is_typed_leads_back_there(host: str, port: int) -> None:
    (typed,) = told(at=Address(host, port), table="")
    assert read_address(typed.removeprefix(".venv/bin/game-client --host ")) == Address(host, port)


def test_a_browser_tells_where_its_page_is() -> None:
    assert page_door("https://games.example") == (Door(WEB, 443, "games.example", secure=True),)
    assert page_door("http://[2001:db8::7]:7480") == (Door(WEB, 7480, "2001:db8::7"),)


@cases("origin", ["", "null", "file:///x", "https://", "http://a:b", "http://[::1"])
def test_of_other_origins_there_is_no_door(origin: str) -> None:
    assert page_door(origin) == ()


def test_a_code_holds_capitals_if_they_mean_the_same() -> None:
    assert page_as_code("http://games.example:7480/K7F3") == "HTTP://GAMES.EXAMPLE:7480/K7F3"
    assert page_as_code("http://[2001:db8::7]/K7F3") == "http://[2001:db8::7]/K7F3"
