"""How each command is answered where it is not refused."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from diadem_shared import protocol
from diadem_shared.protocol import AnyCommand

ANSWERS: Mapping[type[Any], type[Any]] = {
    protocol.Check: protocol.Checked,
    protocol.Describe: protocol.Described,
    protocol.Explain: protocol.Explained,
    protocol.Export: protocol.Exported,
    protocol.GetHint: protocol.Advised,
    protocol.GetHistory: protocol.History,
    protocol.GetMoves: protocol.LegalMoves,
    protocol.GetReplay: protocol.Replay,
    protocol.GetStandings: protocol.Standings,
    protocol.GetStatistics: protocol.OwnStatistics,
    protocol.ListReplays: protocol.Replays,
    protocol.LookUp: protocol.LookedUp,
    protocol.Ping: protocol.Pong,
}
"""All others are accepted."""


def table() -> Iterator[str]:
    yield from ("| command | answer |", "|---|---|")
    for command in sorted(get_args(AnyCommand), key=_tag):
        if command in ANSWERS:
            yield f"| {_link(command)} | {_link(ANSWERS[command])} |"
    yield f"| any other | {_link(protocol.Accepted)} |"


def _link(kind: type[Any]) -> str:
    return f"[`{_tag(kind)}`](#{_tag(kind)})"


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
