"""Pictures of the imports leave out what follows from others, and nothing else."""

from tools.architecture import picture, reduced


def test_an_import_that_follows_from_others_is_not_drawn() -> None:
    assert reduced({"cli": {"app", "net"}, "app": {"net"}, "net": set()}) == {
        "cli": {"app"},
        "app": {"net"},
        "net": set(),
    }


def test_parts_that_import_each_other_keep_all_their_arrows() -> None:
    circle = {"a": {"b", "c"}, "b": {"c"}, "c": {"a"}}
    assert reduced(circle) == circle


def test_a_way_into_a_circle_is_drawn_to_each_part_of_it_that_is_imported() -> None:
    graph = {"app": {"a", "b"}, "a": {"b"}, "b": {"a"}}
    assert reduced(graph) == graph


def test_an_import_upwards_would_be_drawn() -> None:
    assert "    lesson --> games" in list(picture("diadem_shared"))
    assert "    games --> lesson" not in list(picture("diadem_shared"))
