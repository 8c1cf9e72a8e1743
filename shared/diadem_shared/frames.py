"""Encodes and decodes messages as msgpack, and writes the same messages as JSON."""

from functools import lru_cache
from typing import Any, Generic, TypeVar, cast, get_args

import msgpack
import msgspec

from diadem_shared.lenient import convert_known
from diadem_shared.refusals import Code, Refusal

M = TypeVar("M")

pack = msgspec.msgpack.Encoder().encode

OFTEN_SENT = 16
"""Frames that are written as JSON once for all whom they are sent to, as those of the lobby are."""
SHORT = 64 * 1024
"""Bytes of a frame that may be kept for that."""


def as_json(frame: bytes) -> bytes:
    """A packed message as JSON. Binary is base64, as msgspec writes it."""
    return _as_json_once(frame) if len(frame) <= SHORT else _as_json(frame)


def _as_json(frame: bytes) -> bytes:
    return msgspec.json.encode(msgspec.msgpack.decode(frame))


_as_json_once = lru_cache(OFTEN_SENT)(_as_json)


class NoJson(str):
    """Why a text is no JSON, and where; it stands for a frame that is refused."""

    __slots__ = ()


def from_json(text: bytes | str) -> bytes | NoJson:
    """What is written there as JSON, packed, be it a message or not."""
    try:
        return pack(msgspec.json.decode(text))
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        return NoJson(error)


class BadFrame(Exception):
    """A frame is no message of this protocol. `id` names the command, if one was found."""

    def __init__(self, what: str, id_: int = 0) -> None:
        super().__init__(what)
        self.refusal = Refusal(Code.BAD_FRAME, {"what": what})
        self.id = id_


class BadValue(BadFrame):
    """A command whose type and id are known has a value that it may not have, or lacks one."""

    def __init__(self, what: str, id_: int) -> None:
        super().__init__(what, id_)
        reason, field = _field_in(what)
        self.refusal = Refusal(Code.BAD_VALUE, {"field": field, "what": reason})


class UnknownType(BadFrame):
    """A message of a type that only later servers have, to be skipped."""

    def __init__(self, type_: str) -> None:
        super().__init__(f"a message of the type {type_}")
        self.type = type_


class FrameReader(Generic[M]):
    """Decodes messages of a union of types, up to a length in bytes."""

    def __init__(self, union: Any, most: int) -> None:
        self._union = union
        self._most = most
        self._kinds = {kind.__struct_config__.tag: kind for kind in get_args(union)}
        """The types by tag: msgspec analyses a union at each call, which costs more than to decode the message."""

    def __call__(self, frame: bytes | str) -> M:
        if isinstance(frame, NoJson):
            raise BadFrame(f"no JSON: {frame}")
        if isinstance(frame, str):
            raise BadFrame("a text frame, where msgpack is spoken")
        if len(frame) > self._most:
            raise BadFrame("a frame too large")
        try:
            found = msgpack.unpackb(frame)
        except (ValueError, msgpack.exceptions.UnpackException, RecursionError) as error:
            raise BadFrame(f"no msgpack: {error}") from None
        kind, id_ = self._kind_of(found), _id_in(found)
        try:
            return cast("M", self._convert(found, kind))
        except msgspec.ValidationError as error:
            is_command = id_ and kind is not self._union
            raise (BadValue if is_command else BadFrame)(str(error), id_) from None
        except RecursionError as error:
            raise BadFrame(str(error), id_) from None

    def _convert(self, found: Any, kind: Any) -> Any:
        return msgspec.convert(found, kind, builtin_types=(bytes,))

    def _kind_of(self, found: Any) -> Any:
        """The type that its tag names; otherwise the union, for which msgspec words the error."""
        tag = found.get("type") if isinstance(found, dict) else None
        return self._kinds.get(tag, self._union) if isinstance(tag, str) else self._union


class MessageReader(FrameReader[M]):
    """Leaves out fields that are not known. Of commands none is left out, which might be done otherwise than it was meant."""

    def _kind_of(self, found: Any) -> Any:
        kind = super()._kind_of(found)
        if kind is self._union and isinstance(found, dict) and isinstance(found.get("type"), str):
            raise UnknownType(found["type"])
        return kind

    def _convert(self, found: Any, kind: Any) -> Any:
        return convert_known(found, kind)


class CommandReader(FrameReader[M]):
    """Decodes in a tenth of the time what is valid. What is not is decoded again by FrameReader, which finds
    the words for what is wrong, and the command's id."""

    def __init__(self, union: Any, most: int) -> None:
        super().__init__(union, most)
        self._decode = msgspec.msgpack.Decoder(union).decode

    def __call__(self, frame: bytes | str) -> M:
        if isinstance(frame, str) or len(frame) > self._most:
            return super().__call__(frame)
        try:
            return cast("M", self._decode(frame))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return super().__call__(frame)


def _id_in(found: Any) -> int:
    id_ = found.get("id") if isinstance(found, dict) else None
    return id_ if type(id_) is int and 0 < id_ < 2**53 else 0


def _field_in(what: str) -> tuple[str, str]:
    """What msgspec says is wrong, and the field that it says it of: "setup.rounds"."""
    reason, _, path = what.partition(" - at `$")
    fields = [path.strip("`.")]
    if reason.startswith(("Object contains unknown field", "Object missing required field")):
        fields.append(reason.split("`")[1])
    return reason, ".".join(filter(None, fields))
