"""How options are read, refused, shown, and named in the environment."""

from argparse import ArgumentTypeError
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest

from diadem_server import options
from diadem_server.options import Declared, Option, OptionKind, choice, declared, number, seconds


@dataclass(frozen=True)
class Oven:
    heat: Annotated[int, Option("how hot", number(50, 250))] = 180
    light: Annotated[bool, Option("bake in the dark")] = True
    timer: Annotated[
        float, Option("how long", number(0, 90, metavar="MINUTES", unit=60), "for")
    ] = 120.0
    tray: Annotated[Path, Option("what is baked", options.FILE, default=Path("bread"))] = Path()
    colour: str = "grey"
    """No option."""


def by_field(field: str) -> Declared:
    return next(each for each in declared(Oven) if each.field == field)


def test_options_come_in_the_order_of_the_fields_that_they_set() -> None:
    assert [each.flag for each in declared(Oven)] == ["--heat", "--no-light", "--for", "--tray"]


def test_names_follow_from_the_field_or_are_given() -> None:
    heat, light, timer = map(by_field, ("heat", "light", "timer"))
    assert (heat.variable, heat.destination) == ("DIADEM_HEAT", "heat")
    assert (light.variable, light.destination) == ("DIADEM_NO_LIGHT", "no_light")
    assert (timer.variable, timer.destination) == ("DIADEM_FOR", "for")


def test_defaults_are_shown_as_they_would_be_typed() -> None:
    assert by_field("heat").shown_default == "180"
    assert by_field("timer").shown_default == "2"
    assert not by_field("light").shown_default


def test_a_switch_that_is_given_turns_the_default_round() -> None:
    light = by_field("light")
    assert light.value(True) is False  # noqa: FBT003, as the parser has read it
    assert light.value(False) is True  # noqa: FBT003


def test_what_may_be_given_often_makes_one_value() -> None:
    several = Declared("hosts", Option("names", options.HOSTS), ())
    assert several.value(["a.example", "b.example"]) == ("a.example", "b.example")
    assert not several.shown_default


VALUES: tuple[tuple[OptionKind, str, object], ...] = (
    (number(1, 5), "5", 5),
    (number(0, 90, unit=60), "2", 120),
    (seconds(60), "0.5", 0.5),
    (options.FILE, "a/b", Path("a/b")),
    (options.WORD_LISTS, "words=a=b.txt", ("words", (Path("a=b.txt"), ""))),
    (options.WORD_LISTS, "words:fr=C:/b.txt", ("words", (Path("C:/b.txt"), "fr"))),
    (options.ORIGINS, "https://games.example", "https://games.example:443"),
    (options.PUBLIC_ADDRESS, "games.example", ("games.example", None, None)),
    (options.PUBLIC_ADDRESS, "192.0.2.7:7000", ("192.0.2.7", 7000, None)),
    (options.PUBLIC_ADDRESS, "wss://Games.Example:443/", ("games.example", 443, True)),
    (options.PUBLIC_ADDRESS, "ws://[2001:DB8::1]", ("2001:db8::1", None, False)),
)


def test_a_value_is_read() -> None:
    read = [(kind, text, kind.read(text)) for kind, text, _ in VALUES]
    assert [row for row, right in zip(read, VALUES, strict=True) if row[2] != right[2]] == []


UNREADABLE = (
    (number(1, 5), "6"),
    (number(1, 5), "0"),
    (number(1, 5), "2.5"),
    (number(1, 5), "two"),
    (seconds(60), "61"),
    (seconds(60), "nan"),
    (options.NETWORK, "192.0.2.300"),
    (options.HOSTS, "https://games.example/"),
    (options.ORIGINS, "games.example"),
    (options.PUBLIC_ADDRESS, ""),
    (options.PUBLIC_ADDRESS, "https://games.example"),
    (options.PUBLIC_ADDRESS, "games.example:0"),
    (options.PUBLIC_ADDRESS, "games.example:70000"),
    (options.PUBLIC_ADDRESS, "games.example/K7F3"),
    (options.PUBLIC_ADDRESS, "games.example;ls"),
    (options.PUBLIC_ADDRESS, "-oProxyCommand=ls"),
    (options.PUBLIC_ADDRESS, "ana@games.example"),
    (options.PUBLIC_ADDRESS, "2001:db8::1"),
    (options.WORD_LISTS, "words"),
    (options.WORD_LISTS, "=words.txt"),
    (options.WORD_LISTS, "words:=words.txt"),
    (options.WORD_LISTS, "words:French=words.txt"),
    (options.WORD_LISTS, "wo\x1brds=words.txt"),
    (options.WORD_LISTS, 31 * "x" + "=words.txt"),
)


def test_what_cannot_be_read_is_quoted_in_a_sentence() -> None:
    for kind, text in UNREADABLE:
        with pytest.raises(ArgumentTypeError) as refused:
            kind.read(text)
        assert str(refused.value).startswith(f"{text!r} is ")


def test_a_network_may_be_named_by_any_of_its_addresses() -> None:
    assert str(options.NETWORK.read("192.0.2.7/24")) == "192.0.2.0/24"


def test_a_choice_says_what_there_is_to_choose() -> None:
    kind = choice("human", "json")
    assert (kind.metavar, kind.allowed) == ("human|json", "human or json")
