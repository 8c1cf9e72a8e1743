"""What a server is set to when nobody says otherwise, and that it can be said otherwise."""

from pathlib import Path
from typing import Any

import pytest

from diadem_server.config import Config, Invocation, SshConfig, WebConfig
from diadem_server.options import Declared, declared

OPTIONS = [
    each for holder in (Config, SshConfig, WebConfig, Invocation) for each in declared(holder)
]
SHOWN = [each for each in OPTIONS if each.shown_default]


def test_no_two_options_have_one_name() -> None:
    assert len({each.name for each in OPTIONS}) == len(OPTIONS)


def could_be_typed(option: Declared) -> bool:
    kind = option.option.kind
    return (
        kind is not None
        and kind.read(option.shown_default) == option.default
        and (kind.choices is None or option.default in kind.choices)
    )


def test_a_default_is_one_that_could_be_typed() -> None:
    assert SHOWN
    assert {option.flag for option in SHOWN if not could_be_typed(option)} == set()


def test_every_option_is_explained_in_a_few_words() -> None:
    for each in OPTIONS:
        assert 0 < len(each.option.help) < 100
        assert each.option.help[0].islower() or each.option.help.startswith("X-")
        assert not each.option.help.endswith(".")


def test_a_server_is_for_its_host_alone_to_change(tmp_path: Path) -> None:
    config: Any = Config(tmp_path)
    with pytest.raises(AttributeError):
        config.max_tables = 1
    assert config.ssh is None
    assert config.password is None
