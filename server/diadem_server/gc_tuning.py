"""Makes the garbage collector run seldom."""

import gc

NEW_OBJECTS = 10_000
"""Objects that are allocated, less those freed, before the collector runs."""


def collect_seldom() -> None:
    """Freeze what is loaded, since each pass over it would take some 10 ms. Nearly all that is allocated
    while people play is freed by reference counting; only lost connections leave cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
