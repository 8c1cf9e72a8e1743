"""Options are declared once: typed and set in the environment they lead to the same."""

from dataclasses import fields
from ipaddress import ip_network
from pathlib import Path

import pytest

from diadem_server.command_line import ONLY_TYPED, OPTIONS, Mistaken, read
from diadem_server.config import ClusterConfig, Config, Invocation, SshConfig, WebConfig
from diadem_server.options import Declared, declared

TEXTS = {
    "--allow-host": "games.example",
    "--allow-origin": "https://games.example",
    "--behind-proxy": "192.0.2.0/24",
    "--cluster-address": "db.example:7454",
    "--cluster-listen": "[2001:db8::1]:0",
    "--log": "json",
    "--web-origin": "https://games.example",
    "--word-list": "club=words.txt",
}
NEEDED = {"--tls-key": ("--tls-cert", "cert.pem")}
"""What an option makes no sense without."""
GATES: dict[str, type] = {"ssh": SshConfig, "web": WebConfig, "cluster": ClusterConfig}


def text_for(option: Declared) -> str:
    return TEXTS.get(option.flag, "17")


def company_of(option: Declared) -> list[str]:
    for gate, holder in GATES.items():
        if option in declared(holder) and option.name != gate:
            return [f"--{gate}", "7422"]
    return [*NEEDED.get(option.flag, ())]


def test_without_options_all_is_as_declared() -> None:
    asked = read([], {})
    assert asked == Invocation(Config(asked.config.data))
    assert asked.config.data.name == "diadem"


def test_over_ssh_all_is_as_declared() -> None:
    assert read(["--ssh", "7422"], {}).config.ssh == SshConfig(7422)


def test_in_the_browser_all_is_as_declared() -> None:
    assert read(["--web", "7480"], {}).config.web == WebConfig(7480)


def test_where_the_page_is_means_nothing_without_a_page() -> None:
    for options in (["--web-origin", "https://a.example"], ["--web-host", "::1"]):
        with pytest.raises(Mistaken, match="give --web PORT too"):
            read(options, {})


def test_where_others_reach_a_node_is_a_host_and_a_port() -> None:
    for name in ("--cluster-listen", "--cluster-address"):
        with pytest.raises(Mistaken, match="mean nothing without --cluster"):
            read([name, "192.0.2.1:7454"], {})
        for text in (
            "192.0.2.1",
            "192.0.2.1:",
            ":7454",
            "2001:db8::1:7454",
            "a:65536",
            "a:-1",
            "a:b",
        ):
            with pytest.raises(Mistaken, match="is not HOST:PORT"):
                read(["--cluster", "postgresql://db", f"{name}={text}"], {})


def values(asked: Invocation) -> dict[str, object]:
    """By class and field."""
    config = asked.config
    holders = (asked, config, config.ssh, config.web, config.cluster)
    return {
        f"{type(holder).__name__}.{field.name}": getattr(holder, field.name)
        for holder in holders
        if holder is not None
        for field in fields(holder)
        if field.name not in {"config", *GATES}
    }


def changed_by(option: Declared) -> set[str]:
    typed = [option.flag, text_for(option)] if option.option.kind else [option.flag]
    before, after = (values(read([*company_of(option), *more], {})) for more in ([], typed))
    return {name for name in after if name not in before or after[name] != before[name]}


def test_an_option_sets_its_field_and_nothing_else() -> None:
    wrong = {}
    for option in OPTIONS:
        changed = changed_by(option)
        if holder := GATES.get(option.name):
            is_right = changed == {f"{holder.__name__}.{field.name}" for field in fields(holder)}
        else:
            by_itself = {"Config.burst"} if option.name == "max-commands" else set()
            names = [name.partition(".")[2] for name in changed - by_itself]
            is_right = names == [option.field]
        if not is_right:
            wrong[option.flag] = changed
    assert wrong == {}


def in_environment(option: Declared) -> tuple[list[str], str]:
    """As it is typed, and what its variable is set to instead."""
    if option.option.kind is None:
        return [option.flag], "yes"
    return [option.flag, text_for(option)], text_for(option)


def test_an_option_can_be_set_in_the_environment_as_well() -> None:
    wrong = {}
    for option in OPTIONS:
        roster = company_of(option)
        typed, text = in_environment(option)
        set_there = read(roster, {option.variable: text})
        same_as = roster if option.name in ONLY_TYPED else [*roster, *typed]
        if set_there != read(same_as, {}):
            wrong[option.variable] = set_there
    assert wrong == {}


def test_what_is_typed_goes_before_the_environment() -> None:
    assert read(["--port", "1"], {"DIADEM_PORT": "2"}).config.port == 1


def test_values_are_what_the_server_works_with() -> None:
    typed = "--allow-host a.example --allow-host b.example --word-list de=w.txt --no-announce"
    config = read(f"{typed} --behind-proxy 10.0.0.0/8 --max-commands 30 --ssh 1".split(), {}).config
    assert config.allow_hosts == ("a.example", "b.example")
    assert config.word_lists == {"de": (Path("w.txt"), "")}
    assert not config.announce
    assert config.behind_proxy == ip_network("10.0.0.0/8")
    assert config.burst == 90
    assert config.ssh is not None
    assert config.ssh.idle_seconds == 1800


def test_several_values_in_the_environment_are_told_apart_by_commas() -> None:
    assert read([], {"DIADEM_ALLOW_HOST": "a.example,b.example"}).config.allow_hosts == (
        "a.example",
        "b.example",
    )


def takes(option: Declared, value: int) -> bool:
    try:
        read([*company_of(option), f"{option.flag}={value}"], {})
    except Mistaken as mistake:
        assert str(mistake).startswith(f"{option.flag}: '{value}' is not a number")  # noqa: PT017, if it is one
        return False
    return True


def test_a_bound_can_be_reached_and_not_passed() -> None:
    bounded = [each for each in OPTIONS if each.option.kind and " to " in each.option.kind.allowed]
    wrong = []
    for option in bounded:
        assert option.option.kind is not None
        least, most = map(int, option.option.kind.allowed.split(" to "))
        taken = [takes(option, value) for value in (least - 1, least, most, most + 1)]
        if taken != [False, True, True, False]:
            wrong.append(option.flag)
    assert bounded
    assert wrong == []


def test_variables_of_other_programs_are_left_alone() -> None:
    variables = ("DIADEM_SERVICE_HOST", "diadem_port", "NOT_DIADEM_PORT")
    assert read([], dict.fromkeys(variables, "10.0.0.1")) == read([], {})
