"""Whatever a stranger sends is read as a command or refused, and the refusal can be sent."""

from diadem_shared import protocol
from diadem_shared.entries import GameClock, Setup, TurnClock
from diadem_shared.protocol import BadFrame, Refused

INSTRUMENTED = (
    "diadem_shared.frames",
    "diadem_shared.protocol",
    "diadem_shared.entries",
    "msgspec",
    "msgpack",
)
SEEDS = [
    protocol.pack(message)
    for message in (
        protocol.Hello("Ana", "0.1.0", token="t", password="p"),
        protocol.Make(1, Setup("diamoniak", {"youngest": 0}, clock=TurnClock(60))),
        protocol.Change(2, Setup("numbers", rounds=2, clock=GameClock(600, 5), patience=None)),
        protocol.Join(3, "K7QD"),
        protocol.Ready(4, ready=True),
        protocol.Play(5, "buy from 2"),
        protocol.Check(6, {"H8": "A"}),
        protocol.Say(7, "hello"),
        protocol.GetHistory(8, before=5),
        protocol.WatchLobby(9, on=True),
        protocol.AddBot(10, "zombie"),
        protocol.SetPause(11, 0),
    )
]


def one_input(data: bytes) -> None:
    try:
        command = protocol.read_command(data)
    except BadFrame as bad:
        answer = Refused(bad.id, bad.refusal)
        assert protocol.read_message(protocol.pack(answer)) == answer
    else:
        assert protocol.read_command(protocol.pack(command)) == command
