"""What is new in a chat, also if its beginning is gone or it is sent again."""

import pytest

from diadem.protocol import Said
from diadem_client.ui.unread import unread


def chat(words: str) -> list[Said]:
    return [Said("Bob", None, word) for word in words]


@pytest.mark.parametrize(
    ("now", "read", "new"),
    [
        ("", "", ""),
        ("ab", "", "ab"),
        ("abc", "ab", "c"),
        ("bcd", "abc", "d"),
        ("xyz", "abc", "xyz"),
        ("aaa", "aa", "a"),
        ("", "abc", ""),
        ("ab", "abc", ""),
    ],
)
def test_what_follows_the_lines_that_were_read_is_new(now: str, read: str, new: str) -> None:
    assert list(unread(chat(now), chat(read))) == chat(new)
