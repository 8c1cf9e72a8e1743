"""What commands weigh against the rate limit: about what each costs the server.

Measured on one core, with the client's share, in microseconds a command: `ping` 100, `ready` 210, `join` 350, `check` 250
and 1,500 at its largest, `get_history` of a full page 480, `list_replays` of 50 matches 370, `watch_lobby` with 200
tables 1,260, `make` 1,200, `get_replay` of 12,300 entries 19,400 (of which none of the loop's turns takes more than 1,100).
A hint costs the loop some 600 in the castles, 3,500 at most. One of Diamino is found in another process, one at a time on the
whole server, and costs that 30,000 to 90,000, 200,000 at most (`python -m tools.bench hints`).
`moves` costs 6,000 in Diamino, once for each state of a table. What changes a table (`ready`, `sit`, `hand_over`) costs 300 to
500, and as much again where forty look on: all are sent a view.
What plays a match weighs 1, so that nobody is kept from playing.
"""

from diadem_shared.protocol import (
    AddBot,
    Again,
    AnyCommand,
    Ban,
    Change,
    Check,
    Command,
    Describe,
    Explain,
    Export,
    GetHint,
    GetHistory,
    GetMoves,
    GetReplay,
    GetStandings,
    GetStatistics,
    HandOver,
    Join,
    Kick,
    ListReplays,
    LookUp,
    Make,
    Mute,
    Part,
    Ready,
    Remove,
    Resign,
    SetListed,
    Sit,
    Stand,
    Start,
    TakeBack,
    WatchLobby,
)

WEIGHTS: dict[type[Command], int] = {
    **dict.fromkeys((AddBot, Ban, Change, HandOver, Kick, Mute, Ready), 4),
    **dict.fromkeys((Remove, Resign, Sit, Stand, Start, TakeBack), 4),
    Check: 2,
    LookUp: 4,
    Join: 4,
    Part: 4,
    GetHistory: 4,
    GetMoves: 10,
    Describe: 5,
    ListReplays: 5,
    WatchLobby: 5,
    Again: 10,
    Make: 10,
    GetReplay: 20,
    GetHint: 20,
    Explain: 4,
    Export: 5,
    GetStatistics: 10,
    GetStandings: 5,
    SetListed: 5,
}


USUAL_TILES, TILES_A_TOKEN = 15, 5
"""A draft of so many tiles, which is a row of the board, weighs no more than any; beyond them so many weigh 1 each."""


def weight(command: AnyCommand) -> int:
    of_kind = WEIGHTS.get(type(command), 1)
    if isinstance(command, Check):
        return of_kind + max(0, len(command.draft) - USUAL_TILES) // TILES_A_TOKEN
    return of_kind
