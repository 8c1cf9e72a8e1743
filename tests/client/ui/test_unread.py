"""What is new in a chat, also if its beginning is gone or it is sent again."""

from diadem_client.ui.unread import unread
from diadem_shared.protocol import Said


def chat(words: str) -> list[Said]:
    return [Said("Bob", None, word) for word in words]


CHATS = (
    ("", "", ""),
    ("ab", "", "ab"),
    ("abc", "ab", "c"),
    ("bcd", "abc", "d"),
    ("xyz", "abc", "xyz"),
    ("aaa", "aa", "a"),
    ("", "abc", ""),
    ("ab", "abc", ""),
)
"""What is said now, what was read of it, and what is new."""


def test_what_follows_the_lines_that_were_read_is_new() -> None:
    found = [(now, read, list(unread(chat(now), chat(read)))) for now, read, _ in CHATS]
    assert found == [(now, read, chat(new)) for now, read, new in CHATS]
