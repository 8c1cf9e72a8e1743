"""A welcome tells what the server can do, and how much it takes."""

from pathlib import Path

from diadem_shared import protocol
from diadem_shared.protocol import Welcome
from tests.rig.wire import Player, server


def welcome(player: Player) -> Welcome:
    return next(each for each in player.messages if isinstance(each, Welcome))


async def test_a_welcome_tells_features_and_limits(tmp_path: Path) -> None:
    async with (
        server(tmp_path, commands_a_second=7.0, burst=31, max_tables=12, name="Home") as app,
        Player(app.port) as ana,
    ):
        told = welcome(ana)
        assert told.server == "Home"
        assert "describe" in told.features
        assert told.limits is not None
        assert (told.limits.commands_a_second, told.limits.commands_at_once) == (7, 31)
        assert told.limits.tables == 12
        for _ in range(told.limits.commands_at_once):
            assert isinstance(await ana.ask(protocol.Ping), protocol.Pong)
