"""What each game finds worth remembering of a match."""

import msgspec
import pytest

from diadem_shared.entries import Sat
from diadem_shared.game import Event
from diadem_shared.games import GAMES
from diadem_shared.games.castles import table as castles
from diadem_shared.games.diadingo import table as diadingo
from diadem_shared.games.diamino import table as diamino
from diadem_shared.games.diamino.play import Direction, Play
from diadem_shared.games.diamino.verdict import Run
from diadem_shared.highlights import AnyHighlights, Highlight
from diadem_shared.match import apply, reopen_match
from diadem_shared.results import Summary
from tests.rig.recorded import FOLDER, Recording


def seen(game: str, *events: Event, options: dict[str, object] | None = None) -> AnyHighlights:
    highlights = GAMES[game].highlights_type(GAMES[game].read_options(options or {}))
    for event in events:
        highlights.see(event)
    return highlights


def test_castles_count_own_turns_and_cards_that_no_danger_took() -> None:
    began, drew = castles.Began, castles.Drew
    highlights = seen(
        "diamoniak",
        *(began(0), drew(0, "blue1"), drew(0, "currency"), castles.Stopped(0)),
        *(began(1), drew(1, "blue1"), drew(1, "currency"), drew(1, "shield"), drew(1, "danger")),
        *(began(0), drew(0, "blue2"), castles.Completed(0, "blue")),
        *(began(1), began(0), began(1), castles.Completed(1, "pink")),
    )
    assert highlights.of(0) == (Highlight("drawn", 2), Highlight("castle", 2, "blue"))
    assert highlights.of(1) == (Highlight("castle", 2, "pink"),)


def test_c5_turns_of_a_round_that_was_stopped_are_not_counted_in_the_next() -> None:
    highlights = seen("diamoniak", castles.Began(0), castles.Began(1), castles.Began(0))
    highlights.end_round([1, 0])
    for event in (castles.Began(0), castles.Drew(0, "blue6"), castles.Completed(0, "blue")):
        highlights.see(event)
    assert Highlight("castle", 1, "blue") in highlights.of(0)


def test_diadingo_counts_diamonds_in_a_row_and_the_dearest_theft() -> None:
    tried = [diadingo.Tried(0, "A1", 1000, loose) for loose in (True, True, False, True)]
    highlights = seen(
        "diadingo", *tried, diadingo.Stole(0, 1, 3000), diadingo.Stole(0, 1, 2000),
        diadingo.Ended("cards"), tried[0], tried[0],
    )  # fmt: skip
    highlights.end_round([5000, -200])
    assert {each.kind: each.value for each in highlights.of(0)} == {
        "run": 2,
        "theft": 3000,
        "round": 5000,
    }
    assert highlights.of(1) == (Highlight("round", -200),)


def test_diamino_keeps_the_word_whose_tiles_are_worth_most() -> None:
    runs = tuple(Run("A1", Direction.ACROSS, tiles, ()) for tiles in ("QUIZ", "QUIzE"))
    laid = diamino.Laid(
        0, Play("A1", Direction.ACROSS, "QUI"), ("Quiz", "Quize"), 0, 0, black=False,
        points=(0, 0), runs=runs,
    )  # fmt: skip
    highlights = seen("diamino-bonus", laid)
    assert highlights.of(0) == (Highlight("tiles", 3), Highlight("word", 16, "Quiz"))


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("diamoniak-3-diadem", {"castle", "drawn"}),
        ("diadingo-4-summer", {"round", "run", "theft"}),
        ("diamino-bonus-2-autumn", {"word", "tiles", "round"}),
    ],
)
def test_a_whole_match_has_highlights_of_every_kind(name: str, kinds: set[str]) -> None:
    data = (FOLDER / f"{name}.json").read_bytes()
    recording = msgspec.json.decode(data, type=Recording)
    match, summary = reopen_match(recording.setup, recording.version), Summary(recording.setup)
    for each in recording.entries:
        entry = Sat(each.name) if isinstance(each, Sat) else each  # as if people had played
        match, told = apply(match, entry, recording.seed.encode(), recorded=True)
        summary.follow(entry, told)
    results = [result for result in summary.results(match) if result is not None]
    assert {highlight.kind for result in results for highlight in result.highlights} == kinds
    assert len(results) == len(match.players)


def test_kinds_that_are_not_named_are_left_out() -> None:
    highlights = seen("diadingo")
    highlights.note(0, "unheard", 1)
    assert highlights.of(0) == ()
