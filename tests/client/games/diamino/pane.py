"""What tests of the Diamino pane share."""

from typing import Any

from diadem_client.games.diamino.pane import DiaminoPane
from diadem_shared.games.diamino.table import State
from tests.client.board.host import Host
from tests.shared.games.diamino.positions import position


def pane_of(host: Host) -> DiaminoPane:
    assert isinstance(host.pane, DiaminoPane)
    return host.pane


def small(*hands: str, **given: Any) -> State:
    return position(*hands, **given)
