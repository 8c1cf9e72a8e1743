"""Pictures for the pages: blocks become shapes, whatever font a reader has."""

from tools.pictures.blocks import with_shapes

STYLE = "<style>.t-r1 { fill: #f3dcb0;font-weight: bold }</style>"


def text(letters: str) -> str:
    length = 12.2 * len(letters)
    return f'<text class="t-r1" x="0" y="18.5" textLength="{length}" clip-path="url(#l)">{letters}</text>'


def test_letters_stay_text() -> None:
    assert with_shapes(STYLE + text("Ana")) == STYLE + text("Ana")


def test_blocks_become_shapes_in_the_colour_of_their_text() -> None:
    drawn = with_shapes(STYLE + text("\u2588\u2580"))
    assert drawn.count("<rect") == 2
    assert drawn.count('fill="#f3dcb0"') == 2
    assert "<text" not in drawn


def test_letters_between_blocks_stay_where_they_are() -> None:
    drawn = with_shapes(STYLE + text("\u25844\u2584"))
    assert drawn.count("<rect") == 2
    assert ">\N{NO-BREAK SPACE}4\N{NO-BREAK SPACE}<" in drawn


def test_a_devil_is_drawn_in_quarters() -> None:
    assert with_shapes(STYLE + text("\u2599")).count("<rect") == 3
