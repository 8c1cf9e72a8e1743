"""Messages between the server and a gate are decoded as they were encoded."""

from pathlib import Path

import msgspec
import pytest

from diadem_server.config import SshConfig
from diadem_server.gates.messages import (
    Counted,
    Failed,
    FromGate,
    GateLogLine,
    GateUser,
    KeepFile,
    Listening,
    SessionCount,
    SshSettings,
    WantFiles,
    encoded,
    read_from_gate,
    read_settings,
)

SETTINGS = SshSettings(
    7,
    Path("/var/lib/diadem"),
    None,
    ssh=SshConfig(2222, keys=Path("keys"), guests=True),
    password="pass\nword",  # noqa: S106, nobody's
    user=GateUser("nobody", 65534, 65534, is_wish=True),
)


def test_settings_are_read_as_they_were_written() -> None:
    assert read_settings(encoded(SETTINGS), SshSettings) == SETTINGS


MESSAGES: tuple[FromGate, ...] = (
    Listening(2222, "SHA256:abc"),
    Failed("no room\nfor it", 28),
    SessionCount(3),
    Counted("sessions", {"192.0.2.1": 1.5}, {"2001:db8::/64": 0}),
    GateLogLine(40, "a fault", "Traceback\n  of two lines"),
    WantFiles("a" * 32),
    KeepFile("a" * 32, "client.json", b"{\n}"),
)


def test_each_message_is_one_line() -> None:
    for message in MESSAGES:
        said = encoded(message)
        assert said.count(b"\n") == 1, message
        assert said.endswith(b"\n"), message
        assert read_from_gate(said) == message


NO_MESSAGES = (
    b'{"type":"WantFiles","player":"../../../etc/aaaaaaaaaaaaaaaaaaaa"}\n',
    b'{"type":"KeepFile","player":"%s","name":"../x","content":""}\n' % (b"a" * 32),
    b"",
    b"{}\n",
    b'{"type":"Bought"}\n',
    b"\xff\n",
    b'{"type":"Counted","limit":"sessions","used":{},"counts":{"a":-1}}\n',
    b'{"type":"Counted","limit":"sessions","used":{"a":-1.5},"counts":{}}\n',
    b'{"type":"Counted","limit":"sessions","used":{},"counts":{"%s":1}}\n' % (b"a" * 65),
)


def test_nothing_else_is_a_message() -> None:
    for said in NO_MESSAGES:
        with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
            read_from_gate(said)
