"""A client on a stage: what it knows is given, no server is asked, and no clock runs."""

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from diadem_client.net.address import Address
from diadem_client.net.client import Client
from diadem_client.net.session import ClientSession, Welcomed
from diadem_client.net.transport import Connected, Link
from diadem_client.state.client_state import ClientState, apply_change
from diadem_client.ui.screens import lobby, table
from diadem_server.table import views
from diadem_server.table.views import Logged
from diadem_shared.entries import Entry, Setup, TurnClock
from diadem_shared.match import Match, Phase, Told, apply, open_match
from diadem_shared.protocol import (
    Answer,
    Check,
    Command,
    LobbyView,
    Said,
    TableLine,
    TableView,
    Welcome,
    pack,
)
from tests.playouts import playout

NOW = 1000.0
SEED = b"staged"
CODE = "K7F3"
WELCOME = Welcomed(Welcome("Ana", "token", "Diadem at Dee's", "0.1.0", None), again=False)

TABLES = [
    TableLine(*line)
    for line in (
        (
            *(
                "K7F3",
                "diamino-rummy",
                ("Bartholomea Fitzroya", "Cem"),
                8,
                Phase.GATHERING,
                20,
                True,
            ),
            *((), (), TurnClock(60), {"language": "fr"}),
        ),
        ("M2PX", "diadingo", ("Bob", "perfect 1", "perfect 2"), 4, Phase.PLAYING, 3, False),
        ("QQ4T", "piratatak", ("[red]Dee[/]",), 4, Phase.BETWEEN, 1, True),
    )
]


Judge = Callable[[dict[str, str]], Answer]


class StagedClient(Client):
    """Asks nobody anything, but what a game's judge says of a draft."""

    def __init__(self, client_state: ClientState, judge: Judge | None = None) -> None:
        session = ClientSession("Ana", version="0.1.0", first_id=1)
        super().__init__(Address("games.example"), session, lambda _picture: None)
        self.client_state = client_state
        self.arrived = True
        self._judge = judge

    def ask(
        self, kind: Callable[..., Command], *given: Any, **_named: Any
    ) -> asyncio.Future[Answer]:
        answer = asyncio.get_running_loop().create_future()
        if kind is Check and self._judge is not None:
            answer.set_result(self._judge(*given))
        return answer


def stop_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lobby, table):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: NOW))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def at_server(*, tables: list[TableLine] | None = None, link: Link | None = None) -> ClientState:
    client_state = apply_change(ClientState(link=link or Connected()), WELCOME, NOW)
    return apply_change(client_state, LobbyView(tables or []), NOW)


class Sitting:
    """A match that Ana follows from the first seat."""

    def __init__(self, setup: Setup, *, link: Link | None = None, secret: bytes = SEED) -> None:
        self.secret = secret
        self.match: Match = open_match(setup)
        self.session = ClientSession("Ana", version="0.1.0", first_id=1)
        self.session.table = CODE
        self.client_state = at_server(link=link)

    def enter(self, *entries: Entry, ready: tuple[int, ...] = ()) -> ClientState:
        for entry in entries:
            self.match, told = apply(self.match, entry, self.secret)
            self._show(self.match, entry, told, ready)
        return self.client_state

    def play_out(self, levels: list[str], until: Callable[[Match], bool]) -> ClientState:
        """Let bots play, but show them as the people they are called for."""
        names = ("Ana", "Bob", "Cem", "Dee", "Eve", "Flo", "Gus", "Ida")
        for step in playout(self.match.setup, levels, SEED):
            players = tuple(
                replace(player, name=name, bot=None)
                for player, name in zip(step.match.players, names, strict=False)
            )
            self._show(replace(step.match, players=players), step.entry, step.told, ())
            if until(step.match):
                return self.client_state
        return self.client_state

    def says(self, name: str, text: str) -> None:
        self.client_state = apply_change(self.client_state, Said(name, None, text), NOW)

    def _show(self, match: Match, entry: Entry, told: Told, ready: tuple[int, ...]) -> None:
        players = views.player_lines(
            match.players,
            present=[True] * len(match.players),
            ready=[seat in ready for seat in range(len(match.players))],
        )
        presence = views.Presence(players, maker=0, onlookers=["Eve"])
        public = views.public(match, presence, deadline=None, blocked=None)
        view = TableView(
            table=CODE,
            number=match.entries,
            entry=match.entries,
            seat=0,
            public=public,
            private=views.private(match, 0),
            happened=Logged(match.entries, entry, told).told_to(0),
        )
        (shown,) = self.session.receive(pack(view))
        self.client_state = apply_change(self.client_state, shown, NOW)
