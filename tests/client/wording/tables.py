"""Tables as a client knows them, for what is said of them."""

from typing import Any

from diadem_client.state.client_state import TableState
from diadem_shared.entries import Setup
from diadem_shared.match import Phase
from diadem_shared.protocol import PlayerLine, TablePublic


def player(name: str, **given: Any) -> PlayerLine:
    """A person who is there, if nothing else is said."""
    said: dict[str, Any] = {"bot": None, "away": False, "present": True, "ready": False} | given
    return PlayerLine(name, **said)


def table(*players: PlayerLine, seat: int | None = 0, **given: Any) -> TableState:
    """Ana's and Bob's while they play, if nothing else is said."""
    of_picture: dict[str, Any] = {
        key: given.pop(key) for key in ("deadline", "muted", "banned", "chat") if key in given
    }
    public: dict[str, Any] = {
        "setup": Setup("diamoniak"),
        "players": players or (player("Ana"), player("Bob")),
        "phase": Phase.PLAYING,
        "maker": 0,
        "actors": (0,),
        "rounds": (),
        "watchers": 0,
        "left": (),
        "deadline": None,
        "game": None,
    } | given
    return TableState(
        code="K7F3",
        entry=1,
        number=1,
        seat=seat,
        resigned=None,
        public=TablePublic(**public),
        view=None,
        happened=(),
        **({"deadline": None} | of_picture),
    )
