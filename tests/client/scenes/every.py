"""All scenes there are."""

from tests.client.scenes import around, at_boards, looking_back
from tests.client.scenes.stage import MORE, SCENES, SHOWN

MODULES = (around, at_boards, looking_back)
__all__ = ["MODULES", "MORE", "SCENES", "SHOWN"]
