"""What a welcome says of how much may be sent and asked for here."""

from diadem_server.config import Config
from diadem_server.lobby.table_limits import MOST_OWN
from diadem_server.net.websocket import KEEPALIVE_SECONDS
from diadem_server.sessions.answers import MOST_IN_FLIGHT
from diadem_shared.protocol import LONGEST_NAME, MAX_FRAME, MAX_MESSAGE, Limits

BOT_PACE = 2
"""So many times what a person may ask for has a bot whose token the host has made. It is what a connection takes in."""


def limits(config: Config, pace: int = 1) -> Limits:
    return Limits(
        frame=MAX_FRAME,
        message=MAX_MESSAGE,
        commands_at_once=int(pace * config.burst),
        commands_a_second=int(pace * config.commands_a_second),
        in_flight=MOST_IN_FLIGHT,
        name=LONGEST_NAME,
        tables=config.max_tables,
        own_tables=MOST_OWN,
        keepalive=int(KEEPALIVE_SECONDS),
    )
