"""Counts the objects that can be reached from a server, to find what grows."""

import asyncio
import gc
import logging
import sys
import weakref
from collections import Counter
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

NUMBERS = int, float
"""Types of which each object is part of another one."""


def held_by(root: object) -> Counter[str]:
    """The number of objects of each type."""
    gc.collect()
    seen = {id(module.__dict__) for module in list(sys.modules.values())} | {id(sys.modules)}
    found: Counter[str] = Counter()
    todo: list[Any] = [root]
    while todo:
        each = todo.pop()
        if id(each) in seen or isinstance(each, NOT_ITS_OWN):
            continue
        seen.add(id(each))
        if not isinstance(each, NUMBERS):
            found[type(each).__name__] += 1
        todo += gc.get_referents(each)
    return found
