"""Keys, letters and taps go to the client as a terminal sends them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import cases
from tests.page.engine import Engine

FREE = {"shiftKey": False, "altKey": False, "ctrlKey": False, "altGraph": False}


@pytest.fixture(scope="module")
def keys() -> Engine:
    return Engine("input.mjs")


def coded(keys: Engine, key: str, **held: bool) -> str:
    code: str = keys.ask(f"coded({json.dumps(FREE | {'key': key} | held)})")
    return code


@cases(
    ("key", "code"),
    [
        ("ArrowUp", "\x1b[A"),
        ("ArrowDown", "\x1b[B"),
        ("ArrowRight", "\x1b[C"),
        ("ArrowLeft", "\x1b[D"),
        ("Home", "\x1b[H"),
        ("End", "\x1b[F"),
        ("Insert", "\x1b[2~"),
        ("Delete", "\x1b[3~"),
        ("PageUp", "\x1b[5~"),
        ("PageDown", "\x1b[6~"),
        ("Enter", "\r"),
        ("Escape", "\x1b"),
        ("Backspace", "\x7f"),
        ("Tab", "\t"),
        *zip(("F1", "F2", "F3", "F4"), ("\x1bOP", "\x1bOQ", "\x1bOR", "\x1bOS"), strict=True),
        *((f"F{at}", f"\x1b[{code}~") for at, code in enumerate((17, 18, 19, 20, 21), 6)),
        ("a", "a"),
        ("É", "É"),
        (" ", " "),
    ],
)
def test_a_key_is_sent_as_xterm_sends_it(keys: Engine, key: str, code: str) -> None:
    assert coded(keys, key) == code


def test_keys_held_with_others(keys: Engine) -> None:
    assert coded(keys, "Tab", shiftKey=True) == "\x1b[Z"
    assert coded(keys, "ArrowLeft", ctrlKey=True) == "\x1b[1;5D"
    assert coded(keys, "Delete", ctrlKey=True) == "\x1b[3;5~"
    assert coded(keys, "p", ctrlKey=True) == "\x10"
    assert coded(keys, "@", ctrlKey=True, altKey=True, altGraph=True) == "@"


@cases("key", ["p", "o", "q", "a", "e", "k", "u"])
def test_what_the_client_has_with_ctrl_is_its_own(keys: Engine, key: str) -> None:
    assert coded(keys, key, ctrlKey=True) == chr(ord(key) - 96)
    assert coded(keys, key, ctrlKey=True, shiftKey=True) == ""


@cases("key", [*"rRtwncvxlfdsjhgzby+-0", "F5", "Tab"])
def test_what_people_use_in_a_browser_is_left_to_it(keys: Engine, key: str) -> None:
    assert coded(keys, key, ctrlKey=True) == ""


@cases("key", ["ArrowLeft", "ArrowRight", "Home", "d", "F4", "Enter", "å"])
def test_what_is_held_with_alt_is_left_to_it(keys: Engine, key: str) -> None:
    """One goes back so, or writes letters that have no key of their own."""
    assert coded(keys, key, altKey=True) == ""


@cases("key", ["F5", "F11", "F12", "Shift", "Control", "Dead", "AudioVolumeUp"])
def test_what_the_game_has_no_use_for_is_left_to_the_browser(keys: Engine, key: str) -> None:
    assert coded(keys, key) == ""


@given(st.text(max_size=12), st.text(max_size=12))
def test_a_field_that_was_put_right_is_typed_again(keys: Engine, before: str, after: str) -> None:
    before, after = ("".join(filter(str.isprintable, each)) for each in (before, after))
    typed = keys.ask(f"difference({json.dumps(before)}, {json.dumps(after)})")
    letters = list(before)
    for key in typed:
        if key == "\x7f":
            letters.pop()
        else:
            letters.append(key)
    assert "".join(letters) == after


@given(st.text(max_size=40))
def test_what_is_pasted_cannot_end_early(keys: Engine, text: str) -> None:
    sent = keys.ask(f"pasted({json.dumps(text + 'a')})")
    inside = sent.removeprefix("\x1b[200~").removesuffix("\x1b[201~")
    assert len(inside) == len(sent) - 12
    assert inside.endswith("a")
    assert [
        each for each in inside if not (each.isprintable() or each not in "\x00\x1b\x7f\x9b")
    ] == []


def test_a_paste_is_cut(keys: Engine) -> None:
    assert len(keys.ask("pasted('a'.repeat(100000))")) == 2000 + 12
    assert keys.ask("pasted('\\x1b\\x00')") == ""


def test_a_tap_is_a_press_and_a_release(keys: Engine) -> None:
    assert keys.ask("tapped(110, 36)") == "\x1b[<0;110;36M\x1b[<0;110;36m"


# What a browser tells of fingers and mice, in the order it does


LISTENING = """
var sent = [], heard = {}, addEventListener = () => {};
var place = { addEventListener: (kind, does) => heard[kind] = does };
listen(place, place, event => [event.clientX, event.clientY], keys => sent.push(keys));
var told = (kind, pointerType, clientX, clientY, timeStamp, isPrimary) =>
  heard[kind]({ pointerType, clientX, clientY, timeStamp, isPrimary });
"""
TAPPED = ["\x1b[<0;50;40M\x1b[<0;50;40m"]


def sent(*told: tuple[str, str, int, int, int, bool]) -> list[str]:
    """What a page sends that is told so: what happened, by what, where, when, and whether it was the first finger."""
    engine = Engine("input.mjs")
    engine.run(LISTENING)
    for each in told:
        engine.run(f"told(...{json.dumps(each)})")
    keys: list[str] = engine.ask("sent")
    return keys


def finger(happened: str, x: int, y: int, at: int, *, first: bool = True) -> Any:
    return (f"pointer{happened}", "touch", x, y, at, first)


CLICK = ("click", "touch", 50, 40, 200, True)


@pytest.mark.parametrize("clicks", [(), (CLICK,)])
def test_a_finger_taps_once_whether_or_not_the_browser_makes_a_click_of_it(clicks: Any) -> None:
    assert sent(finger("down", 50, 40, 100), finger("up", 50, 40, 180), *clicks) == TAPPED


def test_a_mouse_clicks() -> None:
    down, up = (f"pointer{each}" for each in ("down", "up"))
    mouse = [(each, "mouse", 50, 40, 100, True) for each in (down, up, "click")]
    assert sent(*mouse) == TAPPED
    assert sent(finger("down", 9, 9, 0), finger("cancel", 9, 9, 9), *mouse) == TAPPED


def test_what_is_no_tap() -> None:
    down, up = finger("down", 50, 40, 100), finger("up", 50, 40, 200)
    assert sent(down, finger("up", 50, 40, 700)) == []
    assert sent(down, finger("cancel", 50, 40, 150), CLICK) == []
    assert sent(down, finger("down", 90, 40, 110, first=False), up) == []
    away = sent(down, finger("move", 50, 90, 140), finger("move", 50, 40, 180), up)
    assert away
    assert not set(away) & set(TAPPED)
