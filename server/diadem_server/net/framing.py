"""Frames of the websocket protocol, where the library's own way takes long.

websockets is ready for extensions, fragments and control frames, which takes six to nine times as long as is needed for
the head of a message, or for one short command. Both are written and read here, in the common case; all else is the library's.
"""

from websockets.frames import Frame, Opcode

FIN_TEXT, FIN_BINARY, MASKED = 0x81, 0x82, 0x80
MASK_AT, HEAD = 2, 6
"""Bytes before the mask, and before the payload, of a short frame from a client."""
SHORT = 125
"""Bytes, the longest payload whose length fits into the second byte."""
LENGTH_16, LENGTH_64 = 126, 127
"""Stand there for a length of two bytes, or of eight, that follows."""

_HEAD_16, _HEAD_64 = bytes((FIN_BINARY, LENGTH_16)), bytes((FIN_BINARY, LENGTH_64))


def head(size: int, *, is_text: bool = False) -> bytes:
    """What comes before the payload of a frame from the server."""
    if is_text:
        return bytes((FIN_TEXT,)) + head(size)[1:]
    if size <= SHORT:
        return bytes((FIN_BINARY, size))
    if size < 2**16:
        return _HEAD_16 + size.to_bytes(2)
    return _HEAD_64 + size.to_bytes(8)


def short_message(data: bytes) -> bytes | None:
    """The message in one short binary frame from a client; None if these bytes are anything else."""
    size = len(data) - HEAD
    if not 0 <= size <= SHORT or data[0] != FIN_BINARY or data[1] != MASKED | size:
        return None
    mask = (data[MASK_AT:HEAD] * (size // 4 + 1))[:size]
    return (int.from_bytes(data[HEAD:]) ^ int.from_bytes(mask)).to_bytes(size)


def size_from_client(frame: Frame) -> int:
    """Bytes that such a frame takes at least when a client sends it without extensions."""
    size = len(frame.data)
    if size <= SHORT:
        return HEAD + size
    return HEAD + size + (2 if size < 2**16 else 8)


class Messages:
    """Puts the fragments of messages together. How long a message may be is the parser's to say."""

    def __init__(self) -> None:
        self._begun: bytearray | None = None
        self._is_text = False

    @property
    def has_begun(self) -> bool:
        """Whether there are fragments of a message that is not complete."""
        return self._begun is not None

    def add(self, frame: Frame) -> bytes | str | None:
        """The message that this frame completes, if it does; UnicodeDecodeError if it is no text."""
        if frame.opcode is Opcode.CONT:
            assert self._begun is not None  # noqa: S101, the parser sees to it
            self._begun += frame.data
        elif frame.opcode in {Opcode.TEXT, Opcode.BINARY}:
            self._begun = bytearray(frame.data)
            self._is_text = frame.opcode is Opcode.TEXT
        else:
            return None
        if not frame.fin:
            return None
        message, self._begun = bytes(self._begun), None
        return message.decode() if self._is_text else message
