"""Standings are a fold of results, in which order does not matter within a week and much of the same does not help."""

from collections.abc import Mapping, Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from diadem_shared.glicko import UNKNOWN, Game, Rating, rated
from diadem_shared.results import Other, Result
from diadem_shared.standings import DAY, MOST_A_DAY, WEEK, Line, Standing, rate, week_of

ANA, BOB, CEM = 1, 2, 3
MARKS = {"easy": 1000, "strong": 1900}
NEW = Rating()


def match(
    number: int,
    places: Mapping[int, int],
    *,
    ended: float | None = None,
    left: Sequence[int] = (),
    bots: Sequence[Other] = (),
    programs: Sequence[int] = (),
) -> list[Line]:
    """A match of these sessions and bots."""
    people = {
        session: Other(str(session), None, place, session not in left)
        for session, place in places.items()
    }
    return [
        Line(
            number,
            session,
            number * DAY if ended is None else ended,
            Result(
                *("diamoniak", place, session not in left, 0),
                (*(each for other, each in people.items() if other != session), *bots),
                is_program=session in programs,
            ),
        )
        for session, place in places.items()
    ]


def after(lines: Sequence[Line], standings: Mapping[int, Standing] = {}) -> dict[int, Standing]:
    return dict(filter(None, rate(standings, week_of(lines[0].ended), lines, MARKS)))


def test_two_players_are_rated_as_the_paper_has_it() -> None:
    found = after(match(0, {ANA: 1, BOB: 2}))
    assert found[ANA].rating == rated(NEW, [Game(NEW, 1.0)])
    assert found[BOB].rating == rated(NEW, [Game(NEW, 0.0)])
    assert found[ANA].matches == found[BOB].matches == 1


def test_of_more_each_two_are_a_game_and_weigh_less() -> None:
    found = after(match(0, {ANA: 1, BOB: 2, CEM: 2}))
    weight = 2 / 3
    assert found[ANA].rating == rated(NEW, [Game(NEW, 1.0, weight)] * 2)
    assert found[BOB].rating == rated(NEW, [Game(NEW, 0.0, weight), Game(NEW, 0.5, weight)])
    assert (
        found[ANA].rating.deviation
        > after([*match(0, {ANA: 1, BOB: 2}), *match(1, {ANA: 1, CEM: 2})])[ANA].rating.deviation
    )


def test_who_has_left_has_lost_against_who_stayed_and_nothing_else_is_told() -> None:
    whole = after(match(0, {ANA: 1, BOB: 2, CEM: 2}, left=[BOB, CEM]))
    assert whole[BOB].rating == whole[CEM].rating == rated(NEW, [Game(NEW, 0.0, 2 / 3)])
    ended = after(match(0, {ANA: 0, BOB: 0, CEM: 3}, left=[CEM]))
    assert ended[ANA].rating == rated(NEW, [Game(NEW, 1.0, 2 / 3)])
    assert after(match(0, {ANA: 0, BOB: 0})) == {}
    assert after(match(0, {ANA: 2, BOB: 2}, left=[ANA, BOB])) == {}


def test_bots_are_yardsticks_and_programs_are_nobody() -> None:
    strong = Other("Oak", "strong", 2, stayed=True)
    zombie = Other("Elm", "zombie", 2, stayed=True)
    found = after(match(0, {ANA: 1}, bots=[strong, zombie]))
    assert found[ANA].rating == rated(NEW, [Game(Rating(1900, 0), 1.0, 2 / 3)])
    assert after(match(0, {ANA: 1}, bots=[zombie])) == {}
    assert after(match(0, {ANA: 1, BOB: 2}, programs=[BOB])) == {}


def test_the_same_two_count_so_often_a_day() -> None:
    evening = [
        line for number in range(50) for line in match(number, {ANA: 1, BOB: 2}, ended=number * 60)
    ]
    found = after(evening)
    assert found[ANA].matches == MOST_A_DAY
    assert found == after(evening[: 2 * MOST_A_DAY])
    alone = [
        line
        for number in range(50)
        for line in match(
            number, {ANA: 1}, ended=number, bots=[Other("Oak", "easy", 2, stayed=True)] * 2
        )
    ]
    assert after(alone)[ANA].matches == MOST_A_DAY
    days = [line for day in range(7) for line in match(day, {ANA: 1, BOB: 2})]
    assert after(days)[ANA].matches == 7


def test_who_does_not_play_keeps_the_mark_and_grows_uncertain() -> None:
    found = after(match(0, {ANA: 1, BOB: 2}))[ANA]
    assert found.at(1) == found.rating
    assert found.rating.deviation < found.at(20).deviation < UNKNOWN
    assert found.at(20).mark == found.rating.mark
    assert Standing().at(99) == NEW


def test_a_week_begins_with_what_the_week_before_has_left() -> None:
    first = after(match(0, {ANA: 1, BOB: 2}))
    later = match(9, {ANA: 1, CEM: 2}, ended=3 * WEEK)
    found = after(later, first)
    assert found.keys() == {ANA, CEM}
    assert found[ANA].matches == 2
    assert found[ANA].rating == rated(first[ANA].at(3), [Game(NEW, 1.0)])


TABLES = st.lists(
    st.dictionaries(st.integers(1, 5), st.integers(0, 4), min_size=2, max_size=4), max_size=12
)


@given(TABLES, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_people_keep_in_bounds(
    tables: list[dict[int, int]], chance: Random
) -> None:
    lines = [
        line
        for number, places in enumerate(tables)
        for line in match(number, places, ended=float(number))
    ]
    if not lines:
        return
    found = after(lines)
    chance.shuffle(lines)
    assert after(lines) == found
    for standing in found.values():
        assert 0 < standing.rating.deviation < UNKNOWN
        assert -1000 < standing.rating.mark < 4000
