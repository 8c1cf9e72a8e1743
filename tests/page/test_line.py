"""The page's line: when it comes back, and that it collects no keys."""

import pytest

from tests.page.engine import Engine

BROWSER = """
var sockets = [], heard = {}, later = [], said = [], now = 0;
var addEventListener = (kind, does) => heard[kind] = does;
var document = { hidden: false, addEventListener };
var location = { origin: "http://kitchen:1" };
var setTimeout = does => later.push(does), clearTimeout = at => { if (at) later[at - 1] = () => {}; };
Date.now = () => now;
class WebSocket {
  static OPEN = 1;
  readyState = 0; bufferedAmount = 0; sent = [];
  constructor(url) { this.url = url; sockets.push(this); }
  send(data) { this.sent.push(data); }
  close() { this.readyState = 3; }
}
var opened = () => { const last = sockets.at(-1); last.readyState = 1; last.onopen(); };
var cut = code => sockets.at(-1).onclose({ code });
"""
LINE = """
var line = new Line({
  hello: hadScreen => ({ hadScreen }), begins() {}, hears() {}, welcomed() {}, ended: end => said.push(end.says),
});
line.open(); opened(); sockets[0].onmessage({ data: new ArrayBuffer(1) });
"""


@pytest.fixture
def page() -> Engine:
    engine = Engine("line.mjs")
    engine.run(BROWSER)
    engine.run(LINE)
    return engine


@pytest.mark.parametrize("event", ["online", "pageshow", "visibilitychange"])
def test_a_lost_line_comes_back_at_once_when_there_is_reason_to_hope(
    page: Engine, event: str
) -> None:
    page.run("cut(1006)")
    assert page.ask("[sockets.length, said]") == [1, ["lost"]]
    page.run(f"heard.{event}()")
    assert page.ask("sockets.length") == 2
    page.run("opened()")
    assert page.ask("sockets[1].sent") == ['{"hadScreen":true}']
    page.run("sockets[1].onmessage({ data: new ArrayBuffer(1) })")
    page.run("later.forEach(does => does())")
    assert page.ask("[sockets.length, said]") == [2, ["lost"]], "it came back twice"


@pytest.mark.parametrize("event", ["online", "pageshow", "visibilitychange"])
def test_a_line_that_holds_is_kept(page: Engine, event: str) -> None:
    page.run(f"heard.{event}()")
    assert page.ask("sockets.length") == 1


def test_a_page_that_was_hidden_for_long_trusts_its_line_no_more(page: Engine) -> None:
    page.run("document.hidden = true; heard.visibilitychange(); now = 20000")
    page.run("document.hidden = false; heard.visibilitychange()")
    assert page.ask("sockets.length") == 1
    page.run("document.hidden = true; heard.visibilitychange(); now = 60000")
    page.run("document.hidden = false; heard.visibilitychange()")
    assert page.ask("[sockets.length, sockets[0].readyState]") == [2, 3]
    page.run("sockets[0].onclose({ code: 1006 })")  # of the old one nothing is heard any more
    assert page.ask("said") == []


def test_keys_for_nobody_are_not_collected(page: Engine) -> None:
    assert page.ask("line.send('a')") is True
    page.run("sockets[0].bufferedAmount = 16385")
    assert page.ask("line.send('b')") is False
    page.run("sockets[0].bufferedAmount = 0")
    assert page.ask("line.send('c')") is True
    page.run("sockets[0].readyState = 3")
    assert page.ask("line.send('d')") is False
    assert page.ask("sockets[0].sent") == ['{"hadScreen":false}', "a", "c"]


def test_a_line_that_paints_nothing_is_given_up_for_another_client(page: Engine) -> None:
    page.run("cut(1006); heard.online(); opened()")
    assert page.ask("sockets[1].sent") == ['{"hadScreen":true}']
    page.run("sockets[1].onmessage({ data: '{}' })")  # the gate answers, and the client does not
    page.run("later.at(-1)()")
    assert page.ask("[sockets[1].readyState, said]") == [3, ["lost", "lost"]]
    page.run("later.at(-1)(); opened()")
    assert page.ask("sockets[2].sent") == ['{"hadScreen":false}']
    page.run("sockets[1].onclose({ code: 1000 })")
    assert page.ask("[sockets.length, said.length]") == [3, 2]


def test_a_line_that_never_opens_is_tried_again(page: Engine) -> None:
    page.run("line.open(); cut(1006); heard.online()")
    for tries in range(2, 6):
        page.run("later.at(-1)()")  # nothing came
        assert page.ask("sockets.length") == tries
        page.run("later.at(-1)()")  # the pause is over
        assert page.ask("sockets.length") == tries + 1
    waits = page.ask("Array.from({ length: 9 }, (_, tries) => patience(tries))")
    assert waits == sorted(waits)
    assert 15_000 <= waits[0] <= waits[-1] <= 90_000
