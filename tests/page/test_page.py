"""What the page is made of, and when it comes back."""

import re

import pytest
import quickjs

from diadem_server.gates.web import page_files
from diadem_server.gates.web.page_files import FOLDER
from diadem_shared.protocol import LONGEST_NAME
from tests.cases import cases
from tests.page.engine import Engine

MODULES = sorted(FOLDER.glob("*.mjs"))
BUDGET = 12_200
"""Bytes of the page and all its files, as they are sent."""


def test_the_whole_page_is_small() -> None:
    assert sum(len(each.gzipped) for each in page_files.load().values()) < BUDGET


def test_nothing_is_inline_and_all_is_its_own() -> None:
    """The policy that it is served with allows no more."""
    page = (FOLDER / "index.html").read_text()
    assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=", page)
    for address in re.findall(r"(?:src|href)=\"([^\"]*)\"", page):
        assert address.removeprefix("/") in page_files.load()
    assert f'maxlength="{LONGEST_NAME}"' in page


def test_a_page_whose_script_does_not_come_is_not_blank() -> None:
    """The script puts its own words in that place."""
    page, style = ((FOLDER / name).read_text() for name in ("index.html", "page.css"))
    said = re.search('id="over">\n<p id="words" role="status"><span>(.*)</span>', page)
    assert said is not None
    assert said[1].count("JavaScript") == len(Engine("texts.mjs").ask("Object.keys(TEXTS)"))
    assert "#words span { animation: late " in style  # a moment's wait is no trouble yet


@cases("module", [each.name for each in MODULES])
def test_no_module_makes_markup_or_code_of_text(module: str) -> None:
    text = (FOLDER / module).read_text()
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval",
        "Function(",
    ):
        assert word not in text
    for name in re.findall(r"from \"\./([^\"]*)\"", text):
        assert (FOLDER / name).is_file()


def test_two_fingers_zoom() -> None:
    page, style = ((FOLDER / name).read_text() for name in ("index.html", "page.css"))
    assert not re.search("user-scalable|maximum-scale", page)
    assert set(re.findall(r"touch-action: ([^;}]*)", style)) <= {
        "pinch-zoom ",
        "pan-x pan-y pinch-zoom ",
        "manipulation",
    }


def test_all_modules_together_are_one_script() -> None:
    """A name that two of them have at their top would break it."""
    script = page_files.load()["page.mjs"].content.decode()
    with pytest.raises(quickjs.JSException, match="ReferenceError"):  # there is no browser here
        quickjs.Context().eval(script)


def test_every_text_is_there_in_every_language() -> None:
    engine = Engine("texts.mjs")
    english = engine.ask("TEXTS.en")
    for language in ("de", "fr"):
        texts = engine.ask(f"TEXTS.{language}")
        assert texts.keys() == english.keys()
        assert len(texts["keys"]) == len(english["keys"]) == 12
        assert "{table}" in texts["table"]
    line = Engine("line.mjs")
    for code in (1000, 1001, 1006, 1012, 1013, 4001, 4002, 4003, 4004):
        for had_screen in ("true", "false"):
            assert line.ask(f"ending({code}, {had_screen})")["says"] in english


@cases(
    ("wished", "found"),
    [(["de-AT", "en"], "de"), (["it", "fr-CH"], "fr"), (["FR"], "fr"), (["pt"], "en"), ([], "en")],
)
def test_it_speaks_the_first_language_that_it_knows(wished: list[str], found: str) -> None:
    assert Engine("texts.mjs").ask(f"language({wished})") == found


@cases("code", [1001, 1006, 1012, 1013])
def test_of_itself_it_comes_back(code: int) -> None:
    assert "offers" not in Engine("line.mjs").ask(f"ending({code}, true)")


@cases("code", [1000, 4001, 4002, 4003, 4004])
def test_it_stays_away(code: int) -> None:
    assert "offers" in Engine("line.mjs").ask(f"ending({code}, true)")


def test_ever_later_but_never_later_than_that() -> None:
    line = Engine("line.mjs")
    soonest = line.ask("Array.from({ length: 40 }, (_, tries) => pause(tries, 0))")
    latest = line.ask("Array.from({ length: 40 }, (_, tries) => pause(tries, 1))")
    assert soonest == sorted(soonest)
    assert latest[0] <= 250
    assert max(latest) == 10_000
    assert [(low, high) for low, high in zip(soonest, latest, strict=True) if low != high / 2] == []
