"""Messages as JSON, made of packed ones. What is public in the views of a table is written once for all who are sent them."""

from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import fields, replace

from diadem_shared import frames
from diadem_shared.protocol.messages import TableView

START = b"\xa4type\xa4view"
"""Of a packed view, behind the size of the map."""

_View: Any = msgspec.defstruct(
    "_View",
    [
        (field.name, Raw if field.name == "public" else Any, field.default)
        for field in fields(TableView)
    ],
    tag="view",
    omit_defaults=True,
    frozen=True,
)
"""A TableView of which the public part is left as it is."""
_read_view = msgspec.msgpack.Decoder(_View).decode


def as_json(frame: bytes) -> bytes:
    """Binary is base64, as msgspec writes it."""
    if not frame.startswith(START, 1):
        return frames.as_json(frame)
    view = _read_view(frame)
    return msgspec.json.encode(replace(view, public=Raw(frames.as_json(bytes(view.public)))))
