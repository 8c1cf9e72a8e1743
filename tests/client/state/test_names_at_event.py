"""What happened before somebody left is told by the names of that time."""

from hypothesis import given
from hypothesis import strategies as st

from diadem_client.state.names_at_event import former_names
from diadem_shared.entries import Changed, Entry, Left, Sat, Setup

NAMES = ("Ana", "Bob", "Cleo", "Dee")
EVENTS: list[Entry] = [Sat("Ana"), Sat("Bob"), Sat("Cleo"), Left(1), Sat("Dee"), Left(0)]


def test_who_left_is_named_and_nobody_who_sits_there_now() -> None:
    assert former_names(EVENTS, ["Cleo", "Dee"]) == [
        ("Ana",),
        ("Ana", "Bob"),
        ("Ana", "Bob", "Cleo"),
        ("Ana", "Bob", "Cleo"),
        ("Ana", "Cleo", "Dee"),
        ("Ana", "Cleo", "Dee"),
    ]


def test_who_sat_down_before_what_is_known_has_no_name() -> None:
    assert former_names(EVENTS[3:4], ["Ana", "Cleo"]) == [("Ana", "", "Cleo")]


def test_a_server_that_contradicts_itself_is_no_trouble() -> None:
    assert former_names([Left(9), Sat("Ana"), Sat("Bob")], []) == [(), (), ()]


@st.composite
def gatherings(draw: st.DrawFn) -> tuple[list[Entry], list[tuple[str, ...]], list[str]]:
    """Events, the names by which each is to be told, and the names at the end."""
    seated: list[str] = []
    events: list[Entry] = []
    told: list[tuple[str, ...]] = []
    for _ in range(draw(st.integers(0, 20))):
        match draw(st.sampled_from(["sit", "leave", "change"])):
            case "sit" if len(seated) < 4:
                name = draw(st.sampled_from(NAMES))
                seated.append(name)
                events.append(Sat(name))
                told.append(tuple(seated))
            case "leave" if seated:
                seat = draw(st.integers(0, len(seated) - 1))
                events.append(Left(seat))
                told.append(tuple(seated))
                del seated[seat]
            case _:
                events.append(Changed(Setup("diadingo")))
                told.append(tuple(seated))
    return events, told, seated


@given(gatherings())
def test_a_history_from_the_beginning_knows_everybody(
    gathering: tuple[list[Entry], list[tuple[str, ...]], list[str]],
) -> None:
    events, told, names = gathering
    assert former_names(events, names) == told
