"""The coach of a first game: one step after the other, and nothing lost by doing something else."""

from diadem_client.state.coach import Coach, Lesson, Step, happened
from diadem_shared.game import Event, View
from diadem_shared.lesson import Deal, LessonTable


class Built(Event, frozen=True):
    seat: int


class Sold(Event, frozen=True):
    seat: int


class Refused(Event, frozen=True):
    seat: int


def step(say: str, allowed: str, done: type[Event], moves: int = 1) -> Step:
    return Step(
        say,
        "X-1",
        lambda view, _move: allowed in view.public,
        happened(done),
        happened(Refused),
        moves,
    )


LESSON = Lesson((step("build", "b", Built), step("sell", "s", Sold, 2), step("again", "b", Built)))
DEAL = Deal(LessonTable("any"), ("build", "sell", "sell", "build"))


class Table:
    """Ana is in seat 0; what may be done is a string of letters."""

    def __init__(self) -> None:
        self.coach = Coach("game", LESSON, DEAL)
        self.events: list[tuple[int, Event]] = []

    def is_seen(self, may: str, *happened: Event, code: str = "K7F3") -> str:
        self.events += [(len(self.events) + 1, each) for each in happened]
        self.coach.see(code, View(0, may), self.events, may_act=bool(may))
        return self.coach.step.say if self.coach.step else ""


def test_steps_follow_one_another() -> None:
    table = Table()
    assert table.is_seen("bs") == "build"
    assert table.coach.number == 1
    assert table.is_seen("", Built(0)) == ""
    assert table.coach.waits
    assert table.is_seen("bs", Built(1)) == "sell"
    assert table.coach.number == 2
    assert table.is_seen("bs", Sold(0)) == "again"
    assert table.is_seen("bs", Built(0)) == ""
    assert table.coach.is_over


def test_what_others_do_is_not_done_by_the_player() -> None:
    table = Table()
    table.is_seen("bs")
    assert table.is_seen("bs", Built(1)) == "build"
    assert not table.coach.strayed


def test_a_view_that_comes_again_counts_nothing_twice() -> None:
    table = Table()
    table.is_seen("bs")
    assert table.is_seen("bs", Built(0)) == "sell"
    assert table.is_seen("bs") == "sell"


def test_something_else_is_no_mistake_and_the_step_comes_again() -> None:
    table = Table()
    table.is_seen("bs")
    assert table.is_seen("", Sold(0)) == "build"
    assert table.coach.strayed
    assert table.is_seen("bs", Sold(1)) == "build"
    assert table.is_seen("bs", Built(0)) == "sell"
    assert not table.coach.strayed


def test_what_was_tried_in_vain_is_not_praised() -> None:
    table = Table()
    table.is_seen("bs")
    assert table.is_seen("", Sold(0)) == "build"
    assert table.is_seen("bs", Refused(0)) == "build"
    assert not table.coach.strayed


def test_a_step_that_cannot_be_done_gives_way_and_may_come_later() -> None:
    table = Table()
    assert table.is_seen("s") == "sell"
    assert table.is_seen("b", Sold(0)) == "build"
    assert table.is_seen("b", Built(0)) == "again"
    assert table.is_seen("b", Built(0)) == ""
    assert table.coach.is_over


def test_it_is_over_when_nothing_is_left_but_what_was_missed() -> None:
    table = Table()
    table.is_seen("b")
    table.is_seen("b", Built(0))
    assert table.is_seen("s", Built(0)) == "sell"
    assert not table.coach.is_over
    assert table.is_seen("x", Built(0)) == ""
    assert table.coach.is_over


def test_where_no_step_fits_the_player_just_plays() -> None:
    table = Table()
    assert table.is_seen("x") == ""
    assert not table.coach.is_over
    assert not table.coach.waits


def test_another_table_begins_from_the_first_step() -> None:
    table = Table()
    table.is_seen("bs")
    table.is_seen("bs", Built(0))
    table.events = []
    assert table.is_seen("bs", code="M2PX") == "build"
    assert table.coach.number == 1


def test_each_step_has_the_first_of_its_moves() -> None:
    assert [LESSON.proposed(each, DEAL) for each in range(3)] == ["build", "sell", "build"]
