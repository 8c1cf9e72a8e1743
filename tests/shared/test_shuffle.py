"""The hashes of a fair shuffle, and the chance that is made of them."""

from collections.abc import Sequence

import pytest

from diadem_shared.chance import Chance
from diadem_shared.entries import (
    Entry,
    Left,
    Lost,
    Moved,
    Returned,
    Sat,
    Sealed,
    Setup,
    Started,
    TakenOver,
)
from diadem_shared.game import digest
from diadem_shared.match import Match, Phase, apply, open_match, replay
from diadem_shared.refusals import Code, RefusalError
from diadem_shared.shuffle import (
    commitment_of_player,
    commitment_of_server,
    hashed,
    opens,
    seed_of_round,
)
from tests.cases import cases

SECRET = bytes(range(32))
SERVER = commitment_of_server(SECRET)
ADDED = (b"a" * 32, b"b" * 32)
SEATED: Sequence[Entry] = (Sat("Ana"), Sat("Bob"))


def sealed(*added: bytes, round_: int = 0) -> Sealed:
    names = ("Ana", "Bob")
    pairs = zip(names, added, strict=True)
    return Sealed(
        tuple(
            commitment_of_player(SERVER, round_, *pair).hex() if pair[1] else "" for pair in pairs
        )
    )


def started(*added: bytes | None) -> Started:
    return Started(tuple(None if each is None else each.hex() for each in added))


def after(*entries: Entry, setup: Setup | None = None, version: int | None = None) -> Match:
    setup = setup or Setup("diamoniak", {"youngest": 0})
    return replay(setup, (*SEATED, *entries), SECRET, version)


def refused(match: Match, entry: Entry) -> str:
    with pytest.raises(RefusalError) as told:
        apply(match, entry, SECRET)
    return told.value.refusal.code


def test_values_that_are_hashed_do_not_run_into_one_another() -> None:
    lists = [(b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), (b"", b"abc")]
    assert len({hashed("label", *values) for values in lists}) == len(lists)
    assert hashed("label", b"a") != hashed("labe", b"la")


def test_a_commitment_tells_of_one_secret_alone() -> None:
    secrets = [bytes(32), bytes(31), bytes([*[0] * 31, 1])]
    assert len({commitment_of_server(secret) for secret in secrets}) == 3


def test_a_commitment_is_of_one_player_in_one_round_at_one_table() -> None:
    mine = SERVER, 0, "Ana", ADDED[0]
    others = [
        (commitment_of_server(b"x"), *mine[1:]),
        (SERVER, 1, "Ana", ADDED[0]),
        (SERVER, 0, "Bob", ADDED[0]),
        (SERVER, 0, "Ana", ADDED[1]),
    ]
    committed = commitment_of_player(*mine).hex()
    assert opens(committed, ADDED[0].hex(), *mine[:3])
    for server, round_, name, added in others:
        assert not opens(committed, added.hex(), server, round_, name)


@cases("opening", ["", "61", "zz" * 32, "61" * 33, " " + "61" * 32, ("61" * 32).upper() + " "])
def test_what_is_no_opening_opens_nothing(opening: str) -> None:
    committed = commitment_of_player(SERVER, 0, "Ana", ADDED[0]).hex()
    assert not opens(committed, opening, SERVER, 0, "Ana")


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_what_was_committed_to_in_another_length_cannot_be_opened(length: int) -> None:
    added = b"a" * length
    committed = commitment_of_player(SERVER, 0, "Ana", added).hex()
    assert not opens(committed, added.hex(), SERVER, 0, "Ana")


def test_the_chance_of_a_round_follows_from_everything_that_was_added() -> None:
    plain = after(Started())
    deals = [
        plain,
        after(sealed(*ADDED), started(*ADDED)),
        after(sealed(*ADDED), started(ADDED[0], None)),
        after(sealed(*ADDED), started(None, None)),
        after(sealed(ADDED[0], b""), started(ADDED[0], b"")),
        after(sealed(b"c" * 32, ADDED[1]), started(b"c" * 32, ADDED[1])),
    ]
    assert len({digest(each.state) for each in deals}) == len(deals)
    assert after(sealed(*ADDED), started(*ADDED)) == deals[1]


def test_nothing_but_a_move_changes_the_chance_of_what_comes() -> None:
    """A player whom the host tells the deck cannot wait for a better one by going and coming."""
    begun = (sealed(*ADDED), started(*ADDED))
    straight = after(*begun, Moved(0, "draw"))
    around = after(*begun, Lost(1), Returned(1), TakenOver(1, "easy"), Moved(0, "draw"))
    assert straight.chance == around.chance
    assert straight.chance != after(*begun).chance


def test_two_moves_of_a_round_that_draw_have_different_chance() -> None:
    begun = after(sealed(*ADDED), started(*ADDED), setup=Setup("diamino-bonus"))
    assert begun.chance
    for number in range(2):
        seat, state = begun.actors[0], begun.state
        gives = state.hands[seat][:3]
        stream, reserve = Chance(begun.chance.seed, f"move {number}"), list(state.reserve)
        takes = [reserve.pop(stream.below(len(reserve))) for _ in gives]
        begun, _ = apply(begun, Moved(seat, f"exchange {gives}"), SECRET)
        hand = sorted([*state.hands[seat][3:], *takes])
        assert [*begun.state.hands[seat]] == hand


def test_a_match_to_which_nobody_adds_is_as_it_was_before_anybody_could() -> None:
    match = after(Started(), Moved(0, "draw"), version=1)
    assert digest(match) == "d9d488aa71207e290f3fc141a2ceb46b"


@cases(
    "openings",
    [
        *[(), ("",), ("", "", ""), ("", None), ("x", None)],
        *[(ADDED[1].hex(), None), (ADDED[0].hex(), ADDED[0].hex())],
    ],
)
def test_a_round_is_dealt_with_what_was_committed_to_or_not_at_all(
    openings: tuple[str | None, ...],
) -> None:
    assert refused(after(sealed(*ADDED)), Started(openings)) == Code.BAD_SHUFFLE


def test_openings_of_nothing_are_refused() -> None:
    assert refused(after(), started(*ADDED)) == Code.BAD_SHUFFLE
    for openings in (ADDED, (ADDED[0], None)):
        assert refused(after(sealed(ADDED[0], b"")), started(*openings)) == Code.BAD_SHUFFLE


@cases("commitments", [(), ("",), ("", ""), ("a", "b", "c")])
def test_what_is_sealed_is_of_those_who_sit_there(commitments: tuple[str, ...]) -> None:
    assert refused(after(), Sealed(commitments)) == Code.BAD_SHUFFLE


def test_nobody_adds_for_a_bot() -> None:
    """The host could, and choose between two deals by opening it or not."""
    match = replay(Setup("diamoniak"), (Sat("Ana"), Sat("Bob", "zombie")), SECRET)
    assert refused(match, sealed(*ADDED)) == Code.BAD_SHUFFLE
    assert apply(match, sealed(ADDED[0], b""), SECRET)[0].sealed


def test_what_is_sealed_is_not_sealed_anew() -> None:
    assert refused(after(sealed(*ADDED)), sealed(*ADDED)) == Code.BAD_SHUFFLE
    assert refused(after(Started()), sealed(*ADDED)) == Code.ALREADY_STARTED


@pytest.mark.parametrize("entry", [Left(1), Sat("Cem")])
def test_nothing_is_left_of_what_was_sealed_once_others_sit_there(entry: Entry) -> None:
    match = after(sealed(*ADDED), entry)
    assert not match.sealed
    assert match.phase is Phase.GATHERING
    assert refused(match, started(*ADDED)) in {Code.BAD_SHUFFLE, Code.TOO_FEW_PLAYERS}


def test_the_next_round_has_a_chance_of_its_own_again() -> None:
    setup = Setup("diadingo", rounds=2)
    begun = open_match(setup)
    for entry in (*SEATED, sealed(*ADDED), started(*ADDED)):
        begun, _ = apply(begun, entry, SECRET)
    while begun.phase is Phase.PLAYING:
        seat = begun.actors[0]
        view = begun.game.view(begun.state, seat)
        move = next(iter(begun.game.moves(view)))
        begun, _ = apply(begun, Moved(seat, begun.game.notate(move)), SECRET)
    assert refused(begun, started(*ADDED)) == Code.BAD_SHUFFLE
    plain, _ = apply(begun, Started(), SECRET)
    assert not plain.chance
    second, _ = apply(begun, sealed(*ADDED, round_=1), SECRET)
    second, _ = apply(second, started(*ADDED), SECRET)
    assert second.chance
    assert second.chance.seed == seed_of_round(
        SECRET, 1, sealed(*ADDED, round_=1).commitments, started(*ADDED).openings
    )
