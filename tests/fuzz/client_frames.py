"""Whatever a server sends, a client follows it, or ends the line with a sentence."""

import msgspec

from diadem_client.net.session import Answered, ByeReceived, ClientSession, ProtocolViolation
from diadem_client.state.client_state import ClientState, apply_change
from diadem_client.wording.refusals import sentence_for
from diadem_shared import protocol
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import (
    Accepted,
    Bye,
    Checked,
    Gone,
    Happened,
    History,
    LobbyView,
    PlayerLine,
    Refused,
    Replays,
    Said,
    TableLine,
    TablePublic,
    TableView,
    Welcome,
)
from diadem_shared.refusals import Code, Refusal

INSTRUMENTED = ("diadem_shared.frames", "diadem_client", "diadem_shared.games")
LENGTH = 2
"""Bytes before each frame that say how long it is."""


def framed(*messages: msgspec.Struct) -> bytes:
    frames = [protocol.pack(message) for message in messages]
    return b"".join(len(frame).to_bytes(LENGTH) + frame for frame in frames)


WELCOME = Welcome("Ana", "secret", "Home", "0.1.0", "K7F3")
BACK = Accepted(100, 1)
WHO = (PlayerLine("Ana", None, away=False, present=True, ready=True),)
PUBLIC = TablePublic(Setup("diamoniak"), WHO, Phase.GATHERING, 0, (), (), 0, (), None, None)
VIEW = TableView("K7F3", 1, 1, 0, PUBLIC, None, [Happened(1, {"type": "sat", "name": "Ana"})])
LINE = TableLine("K7F3", "diadingo", ("Ana",), 8, Phase.PLAYING, rounds=1, spectators=True)
SEEDS = [
    framed(
        WELCOME,
        BACK,
        VIEW,
        Said("Bob", None, "hello"),
        Gone("K7F3", Refusal(Code.AGAIN, {"table": "ABCD"})),
    ),
    framed(
        WELCOME, Refused(100, Refusal(Code.TOO_FAST, {"seconds": 3})), Bye(Refusal(Code.REPLACED))
    ),
    framed(
        WELCOME, BACK, VIEW, History(101, [Happened(1, {"type": "resigned", "seat": 0})], more=True)
    ),
    framed(
        Welcome("Ana", "t", "s", "v", None), LobbyView([LINE]), Checked(101, {}), Replays(102, [])
    ),
]


def one_input(data: bytes) -> None:
    session = ClientSession("Ana", version="test", first_id=100)
    session.connected()
    client_state = ClientState(name="Ana")
    session.ask(protocol.GetHistory)
    session.ask(protocol.ListReplays)
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + LENGTH])
        frame, at = data[at + LENGTH : at + LENGTH + size], at + LENGTH + size
        for told in session.receive(frame):
            match told:
                case ProtocolViolation(what):
                    assert what
                    return
                case ByeReceived(why) | Answered(answer=Refused(why=why)):
                    assert sentence_for(why)
                case _:
                    pass
            try:
                client_state = apply_change(client_state, told, now=0.0)
            except msgspec.ValidationError:
                return  # which the line takes for something that is not understood
