"""One press, one move, whatever a keyboard repeats; and nobody who looks is kept waiting."""

from itertools import product

from diadem_client.board.held_keys import LOOK, REPEAT, HeldKeys


def moves(presses: list[tuple[str, float]]) -> list[float]:
    """When a move was made, if each press that is heeded makes one."""
    keys, made = HeldKeys(), []
    for key, at in presses:
        if not keys.is_held(key, at):
            keys.moved()
            made.append(at)
    return made


def test_a_key_held_down_makes_one_move() -> None:
    """Keyboards wait before they repeat a key, and then do so evenly."""
    for each in product((0.0, 0.2, 0.5, 0.66), (0.01, 0.03, 0.1, 0.19)):
        delay, interval = each
        repeated = [("d", 5 + delay + interval * number) for number in range(100)]
        assert (each, moves([("d", 5.0), *repeated])) == (each, [5.0])


def test_a_key_let_go_makes_another_move() -> None:
    held = [("d", 5 + 0.03 * number) for number in range(50)]
    assert moves([*held, ("d", 5 + 0.03 * 49 + REPEAT)]) == [5.0, 5 + 0.03 * 49 + REPEAT]


def test_who_presses_again_soon_need_not_wait_anew() -> None:
    assert moves([("d", 5 + 0.5 * number) for number in range(5)]) == [5.0, 6.0, 7.0]


def test_other_keys_are_heeded_at_once() -> None:
    assert moves([("d", 5.0), ("p", 5.01), ("d", 5.02), ("d", 5.02 + LOOK)]) == [
        *(5.0, 5.01, 5.02),
        5.02 + LOOK,
    ]


def test_a_key_that_made_no_move_may_be_held() -> None:
    keys = HeldKeys()
    assert not any(keys.is_held("right", 5 + 0.03 * number) for number in range(50))


def test_what_was_refused_may_be_tried_again_at_once() -> None:
    keys = HeldKeys()
    assert not keys.is_held("d", 5.0)
    keys.moved()
    keys.refused()
    assert not keys.is_held("d", 5.01)
