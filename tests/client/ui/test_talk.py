"""Log and chat: read by keys, searched, counted while they are not in sight, and safe from what is said."""

from pathlib import Path

import pytest

from diadem_client.net.sanitize import read_sanitized
from diadem_client.ui.widgets.log import Log
from diadem_shared.entries import Sat, Setup, Started
from diadem_shared.protocol import Said, pack
from tests.client.scenes.stage import settle, show, started
from tests.client.ui.screens.rig import Seen, client
from tests.client.ui.screens.staged import Sitting, at_server, stop_the_clock

pytestmark = pytest.mark.slow

ATTACKS = (
    "x" * 2_000,
    "word " * 400,
    "\x1b[2J\x1b[31mred\x07\x9b5m",
    "\u202egnp.exe\u2066 \u200f\u200e\u2069",
    "[bold red]markup[/] [link=https://evil.example]here[/link] [@click=app.quit]go[/]",
    "a\u0301\u0302" * 300,
    "日本" * 250,
    "\n\n\r\t",
)


def at_the_table() -> Sitting:
    sitting = Sitting(Setup("diamoniak", {"youngest": 0}))
    sitting.enter(Sat("Ana"), Sat("Bob"), Started())
    return sitting


def say(sitting: Sitting, text: str) -> None:
    """As it comes from a server."""
    said = read_sanitized(pack(Said("Bob", None, text)))
    assert isinstance(said, Said)
    sitting.says(said.name, said.text)


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_the_clock(monkeypatch)


def log_of(seen: Seen, id_: str = "log") -> Log:
    return seen.app.screen.query_one(f"#{id_}", Log)


async def test_chat_is_shown_as_it_comes_and_counted_until_it_is_read(tmp_path: Path) -> None:
    sitting = at_the_table()
    async with client(tmp_path) as seen:
        await started(seen)
        await show(seen, sitting.client_state)
        await seen.reads("Draw a card: D.")
        say(sitting, "hello")
        await show(seen, sitting.client_state)
        await seen.reads("Bob: hello")
        await seen.reads("1 unread (Tab)")
        say(sitting, "are you there?")
        await show(seen, sitting.client_state)
        await seen.reads("2 unread (Tab)")
        await seen.press("tab")
        await seen.until(lambda: "unread" not in seen.screen_text)
        assert seen.screen_text.count("are you there?") == 1
        await seen.press("escape")
        await seen.reads("Draw a card: D.")
        assert "unread" not in seen.screen_text


async def test_a_warning_is_not_covered_by_chat(tmp_path: Path) -> None:
    sitting = at_the_table()
    async with client(tmp_path) as seen:
        await started(seen)
        await show(seen, sitting.client_state)
        await seen.reads("Draw a card: D.")
        seen.app.base_screen.show_notice("Something that has to be read.")
        say(sitting, "hello")
        await show(seen, sitting.client_state)
        await seen.reads("1 unread (Tab)")
        await seen.reads("Something that has to be read.")


async def test_the_log_scrolls_by_keys_and_is_searched(tmp_path: Path) -> None:
    client_state = Sitting(Setup("diamoniak", {"youngest": 0})).play_out(
        ["easy"] * 3, lambda match: match.entries > 90 and 0 in match.actors
    )
    async with client(tmp_path) as seen:
        await started(seen)
        await show(seen, client_state)
        await settle(seen)
        await seen.press("pageup")
        await seen.until(lambda: log_of(seen).display and log_of(seen).max_scroll_y > 20)
        await settle(seen)
        log = log_of(seen)
        assert log.scroll_offset.y == log.max_scroll_y
        await seen.press("pageup")
        assert log.scroll_offset.y < log.max_scroll_y
        await seen.press("home")
        assert log.scroll_offset.y == 0
        await seen.press("pagedown")
        assert log.scroll_offset.y > 0
        await seen.press("end")
        assert log.scroll_offset.y == log.max_scroll_y
        await seen.types("/sits DOWN")
        await seen.press("enter")
        sat = [line for line in log.text.split("\n") if "sits down" in line]
        for line in (*reversed(sat), sat[-1]):
            await finds(seen, line)
            await seen.press("enter")
        await seen.fill("say", "/no such words")
        await seen.press("enter")
        await seen.reads("no such words is in no line")


async def finds(seen: Seen, line: str) -> None:
    await seen.until(lambda: reversed_words(seen) == [line])


def reversed_words(seen: Seen) -> list[str]:
    found = (
        segment.text.strip()
        for strip in seen.strips
        for segment in strip
        if segment.style and segment.style.reverse
    )
    return [words for words in found if len(words) > 1]


async def test_whatever_is_said_is_only_said(tmp_path: Path) -> None:
    async with client(tmp_path) as seen:
        await started(seen)
        for attack in ATTACKS:
            await show(seen, at_server())
            sitting = at_the_table()
            await show(seen, sitting.client_state)
            await seen.reads("Draw a card: D.")
            say(sitting, attack)
            await show(seen, sitting.client_state)
            await seen.reads("1 unread (Tab)")
            lines = seen.screen_text.split("\n")
            assert len(lines) == 24
            assert sum("Bob:" in line for line in lines) <= 1
            assert "Bob" in lines[-2]
            await seen.press("tab")
            await seen.until(lambda: "unread" not in seen.screen_text)
            await seen.press("up", "down", "pageup", "pagedown")
            text = seen.screen_text
            assert [each for each in text.replace("\n", "") if not each.isprintable()] == []
            assert len(text.split("\n")) == 24
            assert seen.app.is_running
