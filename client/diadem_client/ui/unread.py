"""Which lines of a chat are new to whoever has read it up to some line."""

from collections.abc import Sequence

from diadem_shared.protocol import Said


def unread(chat: Sequence[Said], read: Sequence[Said]) -> Sequence[Said]:
    """What follows the lines that were read. Of those the oldest may be gone; and a server may send all again."""
    if list(chat) == list(read[: len(chat)]):
        return ()
    for known in range(min(len(chat), len(read)), 0, -1):
        if list(read[-known:]) == list(chat[:known]):
            return chat[known:]
    return chat
