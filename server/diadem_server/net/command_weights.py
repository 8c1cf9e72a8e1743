"""What commands weigh against the rate limit: about what each costs the server.

Measured on one core, with the client's share, in microseconds a command: `ping` 100, `ready` 210, `join` 350, `check` 250
and 1,140 at its largest, `get_history` of a full page 480, `list_replays` of 50 matches 370, `watch_lobby` with 200
tables 1,260, `make` 1,200, `get_replay` of 12,300 entries 19,400 (of which none of the loop's turns takes more than 1,100).
A hint costs the loop some 600 in the castles, 3,500 at most. One of Diamino is found in another process, one at a time on the
whole server, and costs that 30,000 to 90,000, 200,000 at most (`python -m tools.bench hints`).
What plays a match weighs 1, so that nobody is kept from playing.
"""

from diadem.protocol import (
    Again,
    AnyCommand,
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
    Join,
    ListReplays,
    LookUp,
    Make,
    SetListed,
    WatchLobby,
)

WEIGHTS: dict[type[Command], int] = {
    Check: 2,
    LookUp: 4,
    Join: 2,
    GetHistory: 4,
    GetMoves: 2,
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


def weight(command: AnyCommand) -> int:
    return WEIGHTS.get(type(command), 1)
