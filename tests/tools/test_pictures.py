"""Pictures of screens: a terminal that reads what the client writes, and shapes whatever font a reader has."""

import re
from pathlib import Path

import pytest

from tools.pictures.blocks import parts_of
from tools.pictures.shots import PlayerFailed, shots
from tools.pictures.svg import svg
from tools.pictures.terminal import Cell, Terminal, UnknownSequence

INK, GROUND = (235, 229, 217), (26, 25, 29)
SNAPSHOTS = Path(__file__).parents[1] / "client" / "scenes" / "snapshots"
PAGES = Path(__file__).parents[2] / "docs" / "pictures"


def row(letters: str) -> list[Cell]:
    return [Cell(letter, INK, GROUND) for letter in letters]


def drawn(letters: str) -> str:
    return svg([row(letters), row(" " * len(letters)), row(" " * len(letters))], "a test")


def text_of(terminal: Terminal) -> list[str]:
    return ["".join(cell.letter for cell in each).rstrip() for each in terminal.rows]


def test_blocks_become_shapes_and_letters_stay_text() -> None:
    picture = drawn("Ana \u2588\u2580")
    assert ">Ana</text>" in picture
    assert picture.count("<rect") == 1 + 2
    assert "\u2588" not in picture


def test_letters_that_not_every_font_has_stand_alone() -> None:
    assert len(re.findall("<text", drawn("a\u03c8\u2726b"))) == 4


def test_words_far_apart_are_not_stretched_together() -> None:
    assert ">You</text>" in drawn("You     20")


def test_equal_blocks_beside_each_other_are_one_shape() -> None:
    assert drawn("\u2588" * 20).count("<rect") == 2


def test_a_devil_is_drawn_in_quarters() -> None:
    assert len(parts_of("\u2599")) == 3
    assert parts_of("x") == ()


def test_a_terminal_shows_what_is_written_on_it() -> None:
    terminal = Terminal((8, 3))
    data = "\x1b[?1049h\x1b[2;3H\x1b[1;38;5;196;48;2;1;2;3mAb\x1b[mc\x1b]2;here\x1b\\"
    assert [*terminal.read(data[:20]), *terminal.read(data[20:])] == ["here"]
    assert text_of(terminal) == ["", "  Abc", ""]
    assert terminal.rows[1][2] == Cell("A", (255, 0, 0), (1, 2, 3), bold=True)
    assert terminal.rows[1][4].bold is False


def test_what_a_terminal_would_not_know_is_a_fault() -> None:
    with pytest.raises(UnknownSequence):
        list(Terminal((8, 3)).read("\x1b[5X"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "snapshot"), [("true", "small"), ("256", "small"), ("16", "small"), ("none", "plain")]
)
def test_what_stands_on_the_terminal_is_what_the_client_draws(kind: str, snapshot: str) -> None:
    names = ["lobby", "diadingo"]
    seen = {shot.scene: shot.rows for shot in shots(names, kind, ["dark", "contrast"], "80x24")}
    assert list(seen) == names
    for name in names:
        kept = (SNAPSHOTS / f"{name}-{snapshot}.txt").read_text(encoding="utf-8").split("\n")
        lines = ["".join(cell.letter for cell in each).rstrip() for each in seen[name]]
        assert lines == kept[:24]
        inks = {cell.ink for each in seen[name] for cell in each}
        assert any(max(ink) - min(ink) > 40 for ink in inks) is (kind != "none")


@pytest.mark.slow
def test_a_scene_that_fails_is_told() -> None:
    with pytest.raises(PlayerFailed, match="no such scene"):
        list(shots(["no such scene"], "256", ["dark"], "80x24"))


def test_pictures_of_the_pages_ask_no_other_site_for_anything() -> None:
    pictures = list(PAGES.glob("*.svg"))
    assert len(pictures) > 3
    for path in pictures:
        picture = re.sub(">[^<]*<", "><", path.read_text(encoding="utf-8"))  # but for what is shown
        assert re.findall("http[^\"']*", picture) == ["http://www.w3.org/2000/svg"]
        assert "url(" not in picture
