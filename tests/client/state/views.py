"""What a server sends of a match among bots, who are shown as people."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from diadem_server.table import views
from diadem_server.table.views import Logged
from diadem_shared.entries import Setup
from diadem_shared.game import Viewer
from diadem_shared.protocol import TableView
from tests.playouts import playout

SEAT = 0
NAMES = ("Ana", "Bob", "Cem", "Dee")


def views_of(setup: Setup, levels: Sequence[str], seat: Viewer = SEAT) -> Iterator[TableView]:
    for step in playout(setup, levels, b"shown"):
        players = tuple(
            replace(player, name=name, bot=None)
            for player, name in zip(step.match.players, NAMES, strict=False)
        )
        match = replace(step.match, players=players)
        everybody = [True] * len(players)
        lines = views.player_lines(players, present=everybody, ready=everybody)
        presence = views.Presence(lines, maker=SEAT, onlookers=[])
        view = TableView(
            table="K7F3",
            number=match.entries,
            entry=match.entries,
            seat=seat,
            public=msgspec.to_builtins(views.public(match, presence, deadline=None, blocked=None)),
            private=msgspec.to_builtins(views.private(match, seat)),
            happened=msgspec.to_builtins(
                Logged(match.entries, step.entry, step.told).told_to(seat)
            ),
        )
        yield msgspec.convert(msgspec.to_builtins(view), TableView)
