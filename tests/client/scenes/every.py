"""All scenes there are."""

from tests.client.scenes import around, at_boards, looking_back, weighing
from tests.client.scenes.stage import MORE, SCENES, SHOWN

MODULES = (around, at_boards, looking_back, weighing)
__all__ = ["MODULES", "MORE", "SCENES", "SHOWN"]
