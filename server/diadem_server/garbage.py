"""How seldom the garbage collector looks for what nobody refers to any more."""

import gc

NEW_OBJECTS = 10_000
"""Made, and not gone, before the collector looks through them."""


def collect_seldom() -> None:
    """What is there by now stays: to look through it again and again would take some 10 ms. And nearly all
    that is made while people play is freed by counting; only lost connections leave cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
