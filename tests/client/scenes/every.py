"""All scenes there are."""

from tests.client.scenes import around, at_boards
from tests.client.scenes.stage import SCENES

MODULES = (around, at_boards)
__all__ = ["MODULES", "SCENES"]
