"""A half laid word: whatever is pressed, no tile is lost and none appears."""

from collections.abc import Callable
from string import ascii_uppercase

from hypothesis import given
from hypothesis import strategies as st

from diadem_client.games.diamino.draft import Draft, Hitch, Parcel, new_draft
from diadem_shared.games.diamino.board import (
    EMPTY,
    Board,
    empty_board,
    parse_layout,
    standard_layout,
)
from diadem_shared.games.diamino.play import Direction
from diadem_shared.games.diamino.tiles import JOKER, from_hand, sorted_hand

BOARD = empty_board(standard_layout())
START = standard_layout().start


def typed(draft: Draft, text: str) -> Draft:
    """Letters set down one after the other, with a dot before those that are a joker's."""
    for key in text:
        draft, hitch = draft.with_joker() if key == "." else draft.with_letter(key)
        assert hitch is None
    return draft


def on(board: Board, field: str, draft: Draft) -> Draft:
    square = board.layout.square(field)
    assert square is not None
    return draft.at(square)


def lying(**tiles: str) -> Board:
    squares = {BOARD.layout.square(field): tile for field, tile in tiles.items()}
    return BOARD.with_tiles({at: tile for at, tile in squares.items() if at is not None})


# Setting down


def test_a_draft_begins_on_the_start() -> None:
    draft = new_draft(BOARD, "AEIL")
    assert draft.cursor == START
    assert draft.remaining == "AEIL"


def test_letters_go_one_after_the_other() -> None:
    draft = typed(new_draft(BOARD, "AEIL"), "eil")
    assert draft.by_field == {"H8": "E", "I8": "I", "J8": "L"}
    assert draft.remaining == "A"
    assert BOARD.layout.name(draft.cursor) == "K8"


def test_letters_go_down_after_turning() -> None:
    draft = typed(new_draft(BOARD, "AEIL").turned(), "eil")
    assert list(draft.by_field) == ["H8", "H9", "H10"]
    assert draft.turned().direction is Direction.ACROSS


def test_filled_fields_are_skipped() -> None:
    board = lying(I8="N", J8="N")
    assert list(typed(new_draft(board, "AEIL"), "ae").by_field) == ["H8", "K8"]
    assert list(typed(on(board, "I8", new_draft(board, "AEIL")), "a").by_field) == ["K8"]


def test_own_tiles_are_skipped_too() -> None:
    draft = typed(new_draft(BOARD, "AEIL"), "ae").at(START)
    assert list(typed(draft, "i").by_field) == ["H8", "I8", "J8"]


def test_at_the_edge_the_line_ends() -> None:
    draft = typed(on(BOARD, "N8", new_draft(BOARD, "AEIL")), "ae")
    assert draft.with_letter("I") == (draft, Hitch.NO_ROOM)


def test_what_is_not_held_is_not_laid() -> None:
    draft = new_draft(BOARD, "AEIL")
    assert draft.with_letter("Z") == (draft, Hitch.NOT_HELD)
    draft = typed(draft, "a")
    assert draft.with_letter("A")[1] is Hitch.NOT_HELD


# Jokers


def test_a_joker_is_laid_as_a_letter() -> None:
    draft = typed(new_draft(BOARD, "*E"), ".ze")
    assert draft.by_field == {"H8": "z", "I8": "E"}
    assert draft.remaining == ""


def test_a_joker_is_offered_where_only_it_fits() -> None:
    draft, hitch = new_draft(BOARD, "*E").with_letter("z")
    assert hitch is Hitch.JOKER_OFFERED
    assert draft.placed == ()
    assert typed(draft, "z").by_field == {"H8": "z"}


def test_another_letter_forgets_the_offer() -> None:
    draft, _ = new_draft(BOARD, "*E").with_letter("z")
    draft = typed(draft, "e")
    assert draft.with_letter("z")[1] is Hitch.JOKER_OFFERED


def test_without_a_joker() -> None:
    draft = new_draft(BOARD, "E")
    assert draft.with_joker() == (draft, Hitch.NO_JOKER)


def test_a_joker_can_be_put_down_again() -> None:
    draft, _ = new_draft(BOARD, "*E").with_joker()
    draft, _ = draft.with_joker()
    assert typed(draft, "e").by_field == {"H8": "E"}


# Taking back


def test_the_last_tile_comes_back_with_the_cursor() -> None:
    draft, hitch = typed(new_draft(BOARD, "AEIL"), "ae").without_last()
    assert hitch is None
    assert draft.by_field == {"H8": "A"}
    assert BOARD.layout.name(draft.cursor) == "I8"


def test_there_is_nothing_to_take_back() -> None:
    draft = new_draft(BOARD, "AEIL")
    assert draft.without_last()[1] is Hitch.NOTHING_LAID
    assert draft.without_here()[1] is Hitch.NOTHING_HERE


def test_the_tile_here_comes_back() -> None:
    draft, hitch = typed(new_draft(BOARD, "AEIL"), "ae").at(START).without_here()
    assert hitch is None
    assert draft.by_field == {"I8": "E"}


def test_all_come_back() -> None:
    draft = typed(new_draft(BOARD, "*AEIL"), "a.z").emptied()
    assert draft.remaining == "*AEIL"
    assert draft.cursor == START


# The hand


def test_a_hand_keeps_its_arrangement() -> None:
    draft = new_draft(BOARD, "AEIL").arranged("LIEA")
    assert typed(draft, "e").remaining == "LIA"
    assert draft.seen(BOARD, "AELNO").order == "LEANO"


def test_a_sorted_hand_stays_sorted() -> None:
    assert new_draft(BOARD, "ELNZ").seen(BOARD, "AELN").order == "AELN"


def test_an_arrangement_is_of_the_same_tiles() -> None:
    draft = new_draft(BOARD, "AEIL")
    assert draft.arranged("AEIZ") == draft


# Other views


def test_a_draft_survives_a_view() -> None:
    draft = typed(new_draft(BOARD, "AEIL"), "ae")
    assert draft.seen(lying(A1="N"), "AEIL").by_field == draft.by_field


def test_a_tile_whose_field_was_taken_goes_back() -> None:
    draft = typed(new_draft(BOARD, "AEIL"), "ae").seen(lying(I8="N"), "AEIL")
    assert draft.by_field == {"H8": "A"}
    assert sorted_hand(draft.remaining) == "EIL"


def test_what_was_laid_is_no_draft_any_more() -> None:
    draft = typed(new_draft(BOARD, "AEIL"), "ae").seen(lying(H8="A", I8="E"), "ILNN")
    assert draft.placed == ()
    assert draft.remaining == "ILNN"


def test_a_tile_that_left_the_hand_leaves_the_draft() -> None:
    draft = typed(new_draft(BOARD, "AEEL"), "eel").seen(BOARD, "AEL")
    assert draft.by_field == {"H8": "E", "J8": "L"}


def test_on_another_board_all_begins_anew() -> None:
    other = empty_board(parse_layout("S..\n...\n"))
    draft = typed(new_draft(BOARD, "AEIL"), "ae").seen(other, "AEIL")
    assert draft == new_draft(other, "AEIL")


HANDS = st.text(f"{ascii_uppercase}{JOKER}", max_size=40).map(sorted_hand)
BOARDS = st.dictionaries(st.integers(0, 224), st.sampled_from(ascii_uppercase), max_size=80).map(
    BOARD.with_tiles
)
KEYS: st.SearchStrategy[Callable[[Draft], Draft]] = st.one_of(
    st.sampled_from(ascii_uppercase).map(lambda letter: lambda d: d.with_letter(letter)[0]),
    st.integers(0, 224).map(lambda square: lambda d: d.at(square)),
    st.tuples(st.integers(-2, 2), st.integers(-2, 2)).map(lambda by: lambda d: d.moved(*by)),
    st.sampled_from(
        [
            Draft.turned,
            Draft.emptied,
            lambda d: d.with_joker()[0],
            lambda d: d.without_last()[0],
            lambda d: d.without_here()[0],
            lambda d: d.arranged(d.order[::-1]),
        ]
    ),
    st.tuples(BOARDS, HANDS).map(lambda view: lambda d: d.seen(*view)),
)


@given(BOARDS, HANDS, st.lists(KEYS, max_size=40))
def test_tiles_are_conserved(board: Board, hand: str, keys: list[Callable[[Draft], Draft]]) -> None:
    draft = new_draft(board, hand)
    for key in keys:
        draft = key(draft)
        laid = from_hand("".join(draft.tiles.values()))
        assert sorted_hand(draft.remaining + laid) == sorted_hand(draft.hand)
        assert sorted_hand(draft.order) == sorted_hand(draft.hand)
        assert len(draft.tiles) == len(draft.placed)
        assert all(draft.board.letters[at] == EMPTY for at in draft.tiles)
        assert 0 <= draft.cursor < len(draft.board.letters)


# Parcels


def marked(parcel: Parcel, tiles: str) -> Parcel:
    for tile in tiles:
        after = parcel.toggled(tile)
        assert after is not None
        parcel = after
    return parcel


def test_letters_mark_one_tile_after_the_other() -> None:
    assert marked(Parcel("AEEL", 7), "EE").marked == "EE"
    assert marked(Parcel("AEEL", 7), "EEE").marked == ""


def test_no_more_is_marked_than_may_be() -> None:
    assert marked(Parcel("AEEL", 1), "E").toggled("A") is None
    assert marked(Parcel("AEEL", 1), "EE").marked == ""


def test_what_is_not_there_is_not_marked() -> None:
    assert Parcel("AEEL", 7).toggled("Z") is None


def test_marks_are_taken_back() -> None:
    assert marked(Parcel("AEEL", 7), "AE").without_last().marked == "A"


def test_marks_survive_a_view_as_far_as_they_can() -> None:
    for hand, most, kept in (("AEL", 7, "EA"), ("AEEL", 1, "E"), ("", 0, "")):
        assert marked(Parcel("AEEL", 7), "EEA").seen(hand, most) == Parcel(hand, most, kept)
