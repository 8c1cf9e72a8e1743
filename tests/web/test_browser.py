"""The page in a real browser: whole games, broken lines, and every size that people hold in their hands."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from diadem import protocol
from diadem.entries import Setup
from tests.rig.gates import GateHost, until
from tests.rig.wire import Player, play_to_the_end
from tests.server import done
from tests.web.browser import (
    CHROMIUM,
    DESKTOP,
    PATIENCE,
    PHONE,
    PHONE_UPRIGHT,
    SCREEN,
    TABLET,
    Browser,
    Device,
    Window,
    browser,
)
from tests.web.relay import relay
from tests.web.rig import host

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
    pytest.mark.xdist_group("browser"),
]

PICTURES = Path(__file__).parents[2] / "dist" / "browser"
"""What was seen, for whoever wants to look at it."""
ROW = re.compile(r"^ *([A-G]) ")
TURN = re.compile("YOUR TURN|waiting for")
HIDDEN = "document.querySelector('#over')?.hidden"
NUMBERS = count(1)
NOBODY = "0  rob nobody"
PANGRAM = "pack my box with five dozen liquor jugs"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Browser]:
    async with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def chromium(started: Browser) -> AsyncIterator[Browser]:
    """Every test has windows of its own in it, with cookies of their own."""
    yield started
    await started.close_windows()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def at(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[GateHost]:
    async with host(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def bob(at: GateHost) -> AsyncIterator[Player]:
    """They play over the wire."""
    async with Player(at.app.port, f"Bob{next(NUMBERS)}") as player:
        yield player


def address(port: int, table: str = "") -> str:
    return f"http://127.0.0.1:{port}/{table}"


async def come(window: Window) -> None:
    """Through the form, by hand, as somebody whose name nobody else has."""
    await window.until_true("document.activeElement === document.querySelector('#name')")
    await window.inserts(f"Ana{next(NUMBERS)}")
    await window.tap_on("#go")


async def at_a_table(
    chromium: Browser, bob: Player, port: int, game: str, device: Device = DESKTOP
) -> Window:
    """Ana has come to Bob's table, and the round has begun."""
    table = await bob.make(Setup(game))
    window = await chromium.open(address(port, table), device)
    await come(window)
    await window.reads(table)
    await bob.seen(lambda view: len(view.public["players"]) == 2)
    await done(bob, protocol.Start)
    await window.until(TURN.search, "the round")
    return window


async def talk(window: Window) -> None:
    """To the line where one says something; there ? is a letter, and help has another key."""
    await window.press("Tab")
    await window.reads("F5 help")


# A whole game


async def test_a_whole_game_by_fingers_alone(chromium: Browser, at: GateHost, bob: Player) -> None:
    window = await at_a_table(chromium, bob, at.port, "diadingo", PHONE)
    await asyncio.gather(play_to_the_end(bob), play_by_taps(window, bob))
    await window.until(re.compile("won!|share the win!").search, "the result")
    await window.picture(PICTURES / "diadingo-won-phone.png")
    await window.tap("leave")
    await window.reads("Diadem, as Ana")
    assert window.complaints == []


async def play_by_taps(window: Window, bob: Player) -> None:
    """Ana, who tries each diamond once and robs nobody. Bob's view tells when she is on."""
    tried = set()
    while True:
        view = await bob.seen(lambda view: 1 in view.public["actors"] or is_over(view))
        if is_over(view):
            return
        game = view.public["game"]
        if game["phase"] == "steal":
            await tap_until(window, bob, view.entry, NOBODY)
            continue
        spot = next(each for each in game["board"] if each not in tried)
        tried.add(spot)
        await tap_until(window, bob, view.entry, spot)


def is_over(view: Any) -> bool:
    return bool(view.public["phase"] == "over")


async def tap_until(window: Window, bob: Player, entry: int, what: str) -> None:
    """Once points, once more does it; what comes to be shown in between calls for another."""
    row = f" {what[0]} .*\u25ba\\S*{what[1]}"
    pointed = re.compile(f"\u25ba {NOBODY}" if what == NOBODY else row)
    async with asyncio.timeout(PATIENCE):
        while not has_moved(bob, entry):
            text = await window.until(
                lambda text: "YOUR TURN" in text and (what in text or place_of(what, text)), what
            )
            await tap_what(window, what, text)
            await window.until(
                lambda text: pointed.search(text) or has_moved(bob, entry), f"{what} to be aimed at"
            )
            await tap_what(window, what, await window.text())
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await bob.until(lambda: has_moved(bob, entry) or None)


def has_moved(bob: Player, entry: int) -> bool:
    assert bob.view is not None
    return bob.view.entry > entry


async def tap_what(window: Window, what: str, text: str) -> None:
    """What is no longer there has been done meanwhile."""
    if what == NOBODY and what in text:
        await window.tap(what)
    elif place := place_of(what, text):
        await window.tap_cell(*place)


def place_of(spot: str, text: str) -> tuple[int, int] | None:
    for row, line in enumerate(text.split("\n")):
        found = ROW.match(line)
        if found and found[1] == spot[0] and spot[1] in line[:53]:
            return row, line.index(spot[1])
    return None


# Lines that break


async def test_a_reload_finds_the_seat(chromium: Browser, at: GateHost, bob: Player) -> None:
    window = await at_a_table(chromium, bob, at.port, "diamoniak")
    await window.reload()
    await window.until(TURN.search, "the board")
    assert bob.view is not None
    assert len(bob.view.public["players"]) == 2
    await bob.seen(lambda view: view.public["players"][1]["present"])


async def test_a_cut_line_is_said_and_comes_back_to_the_same_client(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    async with relay(at.port) as line:
        window = await at_a_table(chromium, bob, line.port, "diamoniak")
        await talk(window)
        await window.types("half a sen")
        await window.reads("half a sen")
        line.cut()
        await window.told("The line is lost.")
        await window.picture(PICTURES / "line-lost-desktop.png")
        line.to = at.port
        await window.until_true(HIDDEN)
        await window.reads("half a sen")
        await window.types("tence")
        await window.press("Enter")
        await until(lambda: bob.chat, "what Ana says")
        assert bob.chat[0].text == "half a sentence"


async def test_it_comes_back_at_once_when_it_is_looked_at_again(
    chromium: Browser, at: GateHost
) -> None:
    async with relay(at.port) as line:
        window = await chromium.open(address(line.port))
        await come(window)
        await window.reads("Diadem, as Ana")
        line.cut()
        await window.told("The line is lost.")
        line.to = at.port
        await window.run("dispatchEvent(new Event('online'))")
        await window.until_true(HIDDEN)


async def test_a_server_that_is_started_again_is_found(tmp_path: Path, chromium: Browser) -> None:
    async with relay(None) as line:
        async with host(tmp_path) as at, Player(at.app.port, "Bob") as bob:
            line.to = at.port
            window = await at_a_table(chromium, bob, line.port, "piratatak")
        await window.told("The server starts anew.")
        async with host(tmp_path) as at:
            line.to = at.port
            await window.until_true(HIDDEN)
            await window.reads("Piratatak", "Ana", "Bob")


async def test_a_second_window_takes_over_and_the_first_may_take_back(
    chromium: Browser, at: GateHost
) -> None:
    first = await chromium.open(address(at.port))
    await come(first)
    await first.reads("Diadem, as Ana")
    second = await chromium.open_beside(first.context, address(at.port), DESKTOP)
    await second.reads("Diadem, as Ana")
    await first.told("You play in another window now.")
    await first.come_forward()
    await first.tap_on("#offer")
    await first.until_true(HIDDEN)
    await first.reads("Diadem, as Ana")
    await second.told("You play in another window now.")


async def test_who_leaves_is_asked_whether_to_come_again(chromium: Browser, at: GateHost) -> None:
    window = await chromium.open(address(at.port))
    await come(window)
    await window.reads("Diadem, as Ana")
    await window.press("q", ctrl=True)
    await window.told("Goodbye!")
    await window.tap_on("#go")
    await window.until_true(HIDDEN)
    await window.reads("Diadem, as Ana")


# Keys


async def test_letters_that_come_at_once_are_all_heard_in_their_order(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    window = await at_a_table(chromium, bob, at.port, "diamoniak")
    await talk(window)
    await window.types(PANGRAM)
    await window.press("Enter")
    await until(lambda: bob.chat, "what Ana says")
    assert bob.chat[0].text == PANGRAM


async def test_what_is_composed_put_right_or_pasted_is_typed(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    window = await at_a_table(chromium, bob, at.port, "diamoniak")
    await talk(window)
    await window.ask("Input.imeSetComposition", text="nai", selectionStart=3, selectionEnd=3)
    await window.ask("Input.imeSetComposition", text="naï", selectionStart=3, selectionEnd=3)
    await window.inserts("naïve 日")
    await window.run(
        "(data => { data.setData('text', 'pasted\\x1b[31m'); document.querySelector('#field')"
        ".dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })) })"
        "(new DataTransfer())"
    )
    await window.reads("naïve 日")
    await window.press("Backspace")
    await window.press("Enter")
    await until(lambda: bob.chat, "what Ana says")
    assert bob.chat[0].text == "naïve 日pasted[31"


NOTING_WHAT_IS_SENT = """
const sent = [], { send } = WebSocket.prototype;
WebSocket.prototype.send = function (data) {
  sent.push(typeof data === "string" ? data : new TextDecoder().decode(data));
  send.call(this, data);
};
"""


async def test_the_page_answers_who_measures_the_line(chromium: Browser, at: GateHost) -> None:
    window = await chromium.open(address(at.port))
    await window.ask("Page.addScriptToEvaluateOnNewDocument", source=NOTING_WHAT_IS_SENT)
    await window.reload()
    await come(window)
    await window.reads("Diadem, as Ana")
    await window.until_true(r"sent.some(each => /^\x1b\[\d+;\d+R$/.test(each))")


# What is seen


@pytest.mark.parametrize(
    "game", ["diamoniak", "piratatak", "diadingo", "diamino-rummy", "diamino-bonus"]
)
async def test_every_size_shows_the_board(
    chromium: Browser, at: GateHost, bob: Player, game: str
) -> None:
    window = await at_a_table(chromium, bob, at.port, game)
    devices = {"phone": PHONE}
    if game == "diadingo":
        devices |= {"tablet": TABLET, "desktop": DESKTOP, "phone-upright": PHONE_UPRIGHT}
    cells = {}
    for name, device in devices.items():
        await window.hold(device)
        await window.reload()
        await window.until(TURN.search, "the board")
        await window.settled()
        await window.picture(PICTURES / f"{game}-{name}.png")
        data = f"{SCREEN}.dataset"
        cells[name] = await window.run(f"[+{data}.columns, +{data}.rows]")
    assert cells["phone"] == [80, 24]
    if game == "diadingo":
        assert min(cells["tablet"][0], cells["desktop"][0]) >= 110
        assert await window.run("getComputedStyle(turn).display") == "block"
        assert await window.run("turn.innerText.includes(document.title)")
    assert window.complaints == []


@pytest.mark.parametrize(
    ("language", "asked", "shown"),
    [("de", "Wie heißt du?", "verbunden"), ("fr", "Comment t’appelles-tu ?", "connecté")],  # noqa: RUF001
)
async def test_it_speaks_the_browsers_language(
    chromium: Browser, at: GateHost, language: str, asked: str, shown: str
) -> None:
    window = await chromium.open(address(at.port), PHONE, language=language)
    await window.told(asked)
    await window.picture(PICTURES / f"name-{language}.png")
    await come(window)
    await window.reads(shown)


async def test_the_policy_allows_nothing_that_the_page_did_not_bring(
    chromium: Browser, at: GateHost
) -> None:
    window = await chromium.open(address(at.port))
    await come(window)
    await window.reads("Diadem, as Ana")
    assert window.complaints == []
    for evil in (
        "document.body.innerHTML = '<b>x</b>'",
        "setTimeout('1')",
        "new Function('return 1')",
    ):
        tried = await window.run(
            f"(() => {{ try {{ {evil}; return 'done' }} catch {{ return 'refused' }} }})()",
            allowUnsafeEvalBlockedByCSP=False,
        )
        assert tried == "refused"
