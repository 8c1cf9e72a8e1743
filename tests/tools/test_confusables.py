"""The shipped table of characters that look alike, and how it is made."""

from importlib.resources import files
from pathlib import Path

import pytest

from diadem_server.sessions.confusables import prototype
from tools.confusables import OURS, BadTable, read, together, written

SAMPLE = (Path(__file__).parent / "confusables_sample.txt").read_text("utf-8")
OUR_OWN = read(OURS.read_text("utf-8"))


def shipped(name: str) -> str:
    return (files("diadem_server") / "data" / name).read_text("utf-8")


def test_what_is_shipped_is_what_the_tool_makes() -> None:
    made = together(read(SAMPLE), OUR_OWN)
    assert len(made) > len(OUR_OWN) > 10
    assert {source: prototype(source) for source in made} == made


def test_a_target_is_followed_to_where_it_leads() -> None:
    table = together({"\u0432": "\u0299", "a": "b"}, {"\u0299": "b", "b": "cd"})
    assert table == {"\u0432": "cd", "\u0299": "cd", "a": "cd", "b": "cd"}


def test_the_file_has_a_line_a_target() -> None:
    assert written({"I": "l", "1": "l", "m": "rn"}) == "6c: 31 49\n72 6e: 6d\n"


def test_a_table_that_is_not_understood_makes_nothing() -> None:
    for line in ("0049 ; 006C", "0049 0050 ; 006C ; MA", "0049 ; ; MA", "x ; y"):
        with pytest.raises(BadTable, match=f"not understood.*{line}"):
            read(line)


def test_a_circle_makes_nothing() -> None:
    with pytest.raises(BadTable, match="circle"):
        together({"a": "b"}, {"b": "a"})


def test_the_licence_is_shipped_whole() -> None:
    licence = shipped("confusables.LICENSE.txt")
    assert "Copyright © 1991-2022 Unicode, Inc." in licence
    assert "THE DATA FILES AND SOFTWARE ARE PROVIDED" in licence
    assert "this is a modified version" in licence
