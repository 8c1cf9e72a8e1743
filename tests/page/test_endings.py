"""What the page does about each code with which its websocket closes, as docs/web.md has it."""

import re

from diadem_server.gates.web.messages import Close
from tests.cases import cases
from tests.page.engine import Engine
from tests.pages import ROOT

ROW = re.compile(r"^\| (\d{4}(?:, \d{4})*) \| .* \| (.*) \|$", re.MULTILINE)
ENDINGS = {
    int(code): comes_back
    for codes, comes_back in ROW.findall((ROOT / "docs" / "web.md").read_text())
    for code in codes.split(", ")
}
OFFERS: dict[str, set[str | None]] = {
    "by itself": {None},
    "when it is asked to": {"again", "here"},
    "when it is loaded again": {"reload"},
    "never": {""},
}


def test_every_code_that_the_gate_says_is_told() -> None:
    assert {each.value for each in Close} < ENDINGS.keys()


@cases("code", ENDINGS)
@cases("had_screen", ["true", "false"])
def test_the_page_comes_back_as_it_is_told(code: int, had_screen: str) -> None:
    ending = Engine("line.mjs").ask(f"ending({code}, {had_screen})")
    assert ending.get("offers") in OFFERS[ENDINGS[code]]
