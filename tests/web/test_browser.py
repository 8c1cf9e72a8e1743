"""The page in a real browser: broken and slow lines, keys, and every size that people hold in their hands."""

from functools import partial
from pathlib import Path

import pytest

from diadem_shared.entries import Setup
from diadem_shared.protocol import TableView
from tests.rig.gates import GateHost, until
from tests.rig.wire import Player
from tests.web.browser import (
    CHROMIUM,
    COARSE_PHONE,
    DESKTOP,
    PHONE,
    PHONE_UPRIGHT,
    SCREEN,
    TABLET,
    Browser,
)
from tests.web.fingers import ANA, LETTERS_KEY, Fingers, as_a_bot
from tests.web.relay import relay
from tests.web.rig import host
from tests.web.visiting import BOARDS, PICTURES, TURN, address, at_a_table, come, talk

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium"),
    pytest.mark.xdist_group("browser"),
]

HIDDEN = "document.querySelector('#over')?.hidden"
PANGRAM = "pack my box with five dozen liquor jugs"


# Lines that break


async def test_a_reload_finds_the_seat(chromium: Browser, at: GateHost, bob: Player) -> None:
    window = await at_a_table(chromium, bob, at.port, Setup("diamoniak"))
    await window.reload()
    await window.until(TURN.search, "the board")
    assert bob.view is not None
    assert len(bob.view.public["players"]) == 2
    await bob.seen(lambda view: view.public["players"][1]["present"])


async def test_a_cut_line_is_said_and_comes_back_to_the_same_client(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    async with relay(at.port) as line:
        window = await at_a_table(chromium, bob, line.port, Setup("diamoniak"))
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
            window = await at_a_table(chromium, bob, line.port, Setup("piratatak"))
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


@pytest.mark.parametrize("path", ["", "K7F3"])
async def test_a_page_of_another_site_takes_over_no_window_without_a_click(
    chromium: Browser, at: GateHost, foreign_page: str, path: str
) -> None:
    """It opens the page of this gate, at a table or not, in the browser of somebody who plays."""
    first = await chromium.open(address(at.port))
    await come(first)
    await first.reads("Diadem, as Ana")
    second = await chromium.open_beside(
        first.context, foreign_page + address(at.port, path), DESKTOP
    )
    await second.told("table K7F3" if path else "Another page has opened Diadem.")
    assert await first.run(HIDDEN)
    await second.tap_on("#go")
    await second.until_true(HIDDEN)
    await first.told("You play in another window now.")


async def test_who_leaves_is_asked_whether_to_come_again(chromium: Browser, at: GateHost) -> None:
    window = await chromium.open(address(at.port))
    await come(window)
    await window.reads("Diadem, as Ana")
    await window.press("q", ctrl=True)
    await window.told("Goodbye!")
    await window.tap_on("#go")
    await window.until_true(HIDDEN)
    await window.reads("Diadem, as Ana")


async def test_over_a_slow_line_no_key_is_lost_or_comes_twice(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    async with relay(at.port, delay=0.3) as line:
        window = await at_a_table(chromium, bob, line.port, Setup("diamoniak"))
        await talk(window)
        for _ in range(3):
            await window.types(PANGRAM)
            await window.press("Enter")
        await until(lambda: len(bob.chat) == 3, "what Ana says")
        assert [each.text for each in bob.chat] == [PANGRAM] * 3
    assert line.most_waiting < 64 << 10


# Keys


async def test_letters_that_come_at_once_are_all_heard_in_their_order(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    window = await at_a_table(chromium, bob, at.port, Setup("diamoniak"))
    await talk(window)
    await window.types(PANGRAM)
    await window.press("Enter")
    await until(lambda: bob.chat, "what Ana says")
    assert bob.chat[0].text == PANGRAM


async def test_what_is_composed_put_right_or_pasted_is_typed(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    window = await at_a_table(chromium, bob, at.port, Setup("diamoniak"))
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


@pytest.mark.parametrize("game", BOARDS)
async def test_every_size_shows_the_board(
    chromium: Browser, at: GateHost, bob: Player, game: str
) -> None:
    window = await at_a_table(chromium, bob, at.port, Setup(game), PHONE)
    devices = {"phone": PHONE}
    if game == "diadingo":
        devices |= {"tablet": TABLET, "desktop": DESKTOP, "phone-upright": PHONE_UPRIGHT}
    cells = {}
    for name, device in devices.items():
        await window.hold(device)
        await window.reload()
        await window.reads(BOARDS[game])
        await window.picture(PICTURES / f"{game}-{name}.png")
        data = f"{SCREEN}.dataset"
        cells[name] = await window.run(f"[+{data}.columns, +{data}.rows]")
    assert cells["phone"] == [80, 24]
    if game == "diadingo":
        assert min(cells["tablet"][0], cells["desktop"][0]) >= 110
    assert window.complaints == []


async def test_on_its_side_a_phone_has_keys_left_and_right_and_letters_below(
    chromium: Browser, at: GateHost
) -> None:
    window = await chromium.open(address(at.port), PHONE)
    await come(window)
    await window.reads("Diadem, as Ana")
    boxes = "(id => (({ left, top, right, bottom }) => [left, top, right, bottom])(document.querySelector(id).getBoundingClientRect()))"
    left, right = [await window.run(f"{boxes}('#{side}')") for side in ("left", "right")]
    screen = await window.run(f"{boxes}('#screen')")
    assert left[2] <= screen[0] < screen[2] <= right[0]
    assert await window.run("abc.clientHeight") == 0
    sizes = await window.run(
        "[...document.querySelectorAll('#left button, #right button')].map(each => [each.clientWidth, each.clientHeight])"
    )
    assert len(sizes) == 12
    assert min(map(min, sizes)) >= 44, "too small for a finger"
    await window.tap_on(LETTERS_KEY)
    await window.until_true("abc.clientHeight > 0")
    await window.reads("Diadem, as Ana")
    letters, screen = await window.run(f"{boxes}('#abc')"), await window.run(f"{boxes}('#screen')")
    assert screen[3] <= letters[1]
    assert await window.run(f"+{SCREEN}.dataset.rows") == 24
    await window.picture(PICTURES / "letters-phone.png")


async def test_upright_a_phone_says_to_turn_it_and_whose_turn_it_is(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    setup = Setup("diamoniak", options={"youngest": 0})
    window = await at_a_table(chromium, bob, at.port, setup, PHONE_UPRIGHT)
    assert await window.run("getComputedStyle(turn).display") == "block"
    said = f"Diamoniak: waiting for {bob.name}"
    await window.until_true(
        f"turn.innerText === 'Turn your phone: Diadem is wider than tall.\\n{said}'"
    )
    assert await window.run("[document.title, news.textContent]") == [said, said]
    await window.picture(PICTURES / "waiting-phone-upright.png")
    play = Fingers(window, bob, "diamoniak").play
    zombie = as_a_bot("diamoniak", "zombie", "Bob")
    await play(zombie, zombie, partial(is_on, ANA))
    await window.until_true("turn.innerText.endsWith('\\nYour turn: Diamoniak')")
    await window.picture(PICTURES / "your-turn-phone-upright.png")
    await window.hold(PHONE)
    await window.until_true("getComputedStyle(turn).display === 'none'")


def is_on(seat: int, view: TableView) -> bool:
    return seat in view.public["actors"]


async def test_ones_turn_is_heard(chromium: Browser, at: GateHost, bob: Player) -> None:
    setup = Setup("diamoniak", options={"youngest": 0})
    window = await at_a_table(chromium, bob, at.port, setup, COARSE_PHONE)
    await window.run(
        "window.rung = 0; (sounds => { const start = sounds.start;"
        " sounds.start = function () { window.rung++; return start.apply(this) } })(OscillatorNode.prototype)"
    )
    play = Fingers(window, bob, "diamoniak").play
    zombie = as_a_bot("diamoniak", "zombie", "Bob")
    await play(zombie, zombie, partial(is_on, ANA))
    await window.reads("YOUR TURN")
    await window.until_true("rung === 1")


async def test_people_and_settings_are_reached_by_touch_and_two_fingers_zoom(
    chromium: Browser, at: GateHost, bob: Player
) -> None:
    window = await at_a_table(chromium, bob, at.port, Setup("diamoniak"), COARSE_PHONE)
    await window.tap("people")
    await window.tap(f"{bob.name}  (plays)")
    await window.tap("mute: read no more")
    await window.reads(f"{bob.name} is muted.")
    await window.tap("^P all", 3)
    await window.reads("What do you want to do?")
    await window.picture(PICTURES / "palette-phone.png")
    while "settings  (F9)" not in await window.settled():
        await window.drag((400, 300), (400, 100))
    await window.tap("settings  (F9)")
    await window.tap("Language")
    await window.reads("\u258c Language")
    await window.tap("Right change")
    await window.tap("\u2039 English", 3)
    await window.reads("\u2039 Deutsch")
    await window.tap("Enter done")
    await window.reads("Leute")
    await window.spread((400, 200), 60, 240)
    await window.until_true("visualViewport.scale > 1.5 && place.className === 'zoomed'")
    assert await window.run(f"+{SCREEN}.dataset.columns") == 80
    await window.picture(PICTURES / "zoomed-phone.png")
    await window.spread((400, 200), 300, 40)
    await window.until_true("visualViewport.scale === 1 && place.className === ''")


@pytest.mark.parametrize(
    ("language", "asked", "shown"),
    [("de", "Wie heißt du?", "verbunden"), ("fr", "Comment t’appelles-tu ?", "connecté")],  # noqa: RUF001
)
async def test_it_speaks_the_browsers_language(
    chromium: Browser, at: GateHost, language: str, asked: str, shown: str
) -> None:
    window = await chromium.open(address(at.port), PHONE, language=language)
    await window.told(asked)
    assert await window.run("document.documentElement.lang") == language
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
