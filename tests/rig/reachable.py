"""Counts the objects that can be reached from a server, and their bytes, to find what grows."""

import asyncio
import gc
import logging
import sys
import weakref
from collections import Counter
from collections.abc import Iterator
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    ModuleType,
)
from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.rig.wire import Player

NOT_ITS_OWN = (
    type,
    ModuleType,
    FunctionType,
    BuiltinFunctionType,
    CodeType,
    GetSetDescriptorType,
    asyncio.AbstractEventLoop,
    logging.Logger,
    weakref.ReferenceType,
    Player,
    ClientConnection,
)
"""Objects that exist once, and clients in this process, which do not count."""

LARGEST = 1 << 30
"""Bytes of one object that are believed."""
NUMBERS = int, float
"""Types of which each object is part of another one."""


def held_by(root: object) -> Counter[str]:
    """The number of objects of each type."""
    return Counter(
        type(each).__name__ for each in _reachable(root) if not isinstance(each, NUMBERS)
    )


def bytes_held_by(root: object) -> int:
    """Of all objects, as the interpreter counts them; some of C count nonsense."""
    sizes = map(sys.getsizeof, _reachable(root))
    return sum(size for size in sizes if size < LARGEST)


def _reachable(root: object) -> Iterator[Any]:
    gc.collect()
    seen = {id(module.__dict__) for module in list(sys.modules.values())} | {id(sys.modules)}
    todo: list[Any] = [root]
    while todo:
        each = todo.pop()
        if id(each) in seen or isinstance(each, NOT_ITS_OWN):
            continue
        seen.add(id(each))
        todo += gc.get_referents(each)
        yield each
