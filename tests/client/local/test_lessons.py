"""Every guided first game, in every language, played through by the moves it proposes."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from diadem_client import i18n
from diadem_client.board.canvas import wrapped
from diadem_client.games import GAMES as CLIENT_GAMES
from diadem_client.i18n import gettext as _
from diadem_client.local.lessons import coach_at, lesson_of, setup_of
from diadem_client.state.coach import Coach
from diadem_client.wording.rules import rules_of
from diadem_shared.bot_levels import gentlest
from diadem_shared.chance import Chance
from diadem_shared.entries import Entry, Moved, Sat, Setup, Started
from diadem_shared.game import Event
from diadem_shared.games import GAMES
from diadem_shared.match import Phase, Told, apply, open_match
from tests.cases import cases
from tests.client.ui.screens.staged import Sitting
from tests.game_features import WITH_LESSON

NARROW = 58
"""Columns for what is said on the smallest terminal, which has two rows for it."""
OTHER = "Bartholomea"

languages = cases("language", i18n.LANGUAGES)
games = cases("game", WITH_LESSON)


class Table:
    """The learner has the first seat, as who makes a table has; the second one plays by the script."""

    def __init__(self, setup: Setup) -> None:
        coach = coach_at(setup)
        assert coach is not None
        self.coach = coach
        self.events: list[tuple[int, Event]] = []
        self.secret = coach.deal.table.secret
        self.match = open_match(setup)
        self.script = list(coach.deal.table.moves)
        for entry in (Sat("Ana"), Sat(OTHER, gentlest(GAMES[setup.game].bots)), Started()):
            self.enter(entry)

    def enter(self, entry: Entry) -> None:
        self.match, told = apply(self.match, entry, self.secret)
        self.keep(told)

    def keep(self, told: Told) -> None:
        kind = self.match.game.event_type
        events = [each.told(0) for each in told]
        self.events += [(self.match.entries, each) for each in events if isinstance(each, kind)]
        if self.match.phase is Phase.PLAYING:
            view = self.match.game.view(self.match.state, 0)
            may_act = 0 in self.match.actors
            self.coach.see("TABL", view, self.events, may_act=may_act)

    def others_move(self) -> None:
        """What it is given; where that is not allowed, as when it judges, what it does by itself."""
        rules = self.match.game
        while self.match.phase is Phase.PLAYING and 0 not in self.match.actors:
            view = rules.view(self.match.state, 1)
            if self.script and rules.explain(view, rules.parse(self.script[0])) is None:
                self.enter(Moved(1, self.script.pop(0)))
            else:
                mind = rules.bots[self.match.players[1].bot or ""](Chance(b""))
                self.enter(Moved(1, rules.notate(mind.decide(view).move)))

    def plays(self, move: str) -> None:
        self.enter(Moved(0, move))
        self.others_move()


def sentences(coach: Coach) -> Iterator[str]:
    for step in coach.lesson.steps:
        yield _(step.say).format(other=OTHER, **coach.deal.named)


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    yield
    i18n.set_language("en")


def begin(game: str, language: str) -> Table:
    i18n.set_language(language)
    setup = setup_of(game)
    assert setup is not None
    return Table(setup)


@games
@languages
def test_the_proposed_moves_lead_through_all_steps_one_after_the_other(
    game: str, language: str
) -> None:
    table = begin(game, language)
    coach, moves = table.coach, iter(table.coach.deal.moves)
    for number, step in enumerate(coach.lesson.steps):
        for _move in range(step.moves):
            assert (coach.at, coach.strayed, coach.waits) == (number, False, False)
            table.plays(next(moves))
    assert coach.is_over
    assert list(moves) == table.script == []
    assert table.match.phase is Phase.PLAYING, "there is something left to play on with"


@games
@languages
def test_what_is_said_fits_the_smallest_terminal_and_stands_in_the_rules(
    game: str, language: str
) -> None:
    coach = begin(game, language).coach
    assert 5 <= len(coach.lesson.steps) <= 10
    for sentence in sentences(coach):
        assert len(wrapped(f"1/5  {sentence}", NARROW)) <= 2, sentence
    clauses = rules_of(game).clauses
    assert {step.clause for step in coach.lesson.steps} <= {*clauses}
    assert all(clauses.values())


@games
def test_whoever_does_something_else_is_never_stuck(game: str) -> None:
    """Any allowed move, all the time: there is always something to say, and no step breaks."""
    for seed in (b"1", b"2", b"3"):
        table, chance = begin(game, "en"), Chance(seed)
        coach, rules = table.coach, table.match.game
        for _turn in range(25):
            if table.match.phase is not Phase.PLAYING:
                break
            seat = table.match.actors[0]
            view = rules.view(table.match.state, seat)
            if seat == 0 and coach.step is not None:
                assert coach.step.fits(view, coach.lesson.proposed(coach.at or 0, coach.deal))
            move = chance.pick([*rules.listed(view)])
            table.enter(Moved(seat, rules.notate(move)))


def test_a_game_has_deals_where_the_client_has_its_lesson() -> None:
    assert [game for game in CLIENT_GAMES if lesson_of(game)] == WITH_LESSON


def test_a_game_without_a_lesson_has_no_coach() -> None:
    assert lesson_of("chess") is None
    assert setup_of("chess") is None
    assert coach_at(Setup("chess", lesson=True)) is None


def test_where_others_play_no_server_can_claim_a_lesson() -> None:
    """There the client adds to the shuffle, and looks at what was dealt."""
    setup = setup_of("diamoniak")
    assert setup is not None
    sitting = Sitting(setup)
    sitting.enter(Sat("Ana"), Sat("Bob", "easy"), Started())
    table = sitting.client_state.table
    assert table is not None
    assert table.is_lesson
    ana, bob = table.public.players
    people = replace(table.public, players=(ana, replace(bob, bot=None)))
    assert not replace(table, public=people).is_lesson
    assert not replace(table, public=replace(table.public, setup=Setup("diamoniak"))).is_lesson
