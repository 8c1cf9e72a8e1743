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
every_option = pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)


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


@pytest.mark.parametrize("options", [["--web-origin", "https://a.example"], ["--web-host", "::1"]])
def test_where_the_page_is_means_nothing_without_a_page(options: list[str]) -> None:
    with pytest.raises(Mistaken, match="give --web PORT too"):
        read(options, {})


@pytest.mark.parametrize("name", ["--cluster-listen", "--cluster-address"])
def test_where_others_reach_a_node_is_a_host_and_a_port(name: str) -> None:
    with pytest.raises(Mistaken, match="mean nothing without --cluster"):
        read([name, "192.0.2.1:7454"], {})
    for text in ("192.0.2.1", "192.0.2.1:", ":7454", "2001:db8::1:7454", "a:65536", "a:-1", "a:b"):
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


@every_option
def test_an_option_sets_its_field_and_nothing_else(option: Declared) -> None:
    typed = [option.flag, text_for(option)] if option.option.kind else [option.flag]
    before, after = (values(read([*company_of(option), *more], {})) for more in ([], typed))
    changed = {name for name in after if name not in before or after[name] != before[name]}
    if holder := GATES.get(option.name):
        assert changed == {f"{holder.__name__}.{field.name}" for field in fields(holder)}
    else:
        by_itself = {"Config.burst"} if option.name == "max-commands" else set()
        (name,) = changed - by_itself
        assert name.endswith(f".{option.field}")


@every_option
def test_an_option_can_be_set_in_the_environment_as_well(option: Declared) -> None:
    company = company_of(option)
    if option.option.kind is None:
        typed, text = [option.flag], "yes"
    else:
        text = text_for(option)
        typed = [option.flag, text]
    in_environment = read(company, {option.variable: text})
    if option.name in ONLY_TYPED:
        assert in_environment == read(company, {})
    else:
        assert in_environment == read([*company, *typed], {})


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


@every_option
def test_a_bound_can_be_reached_and_not_passed(option: Declared) -> None:
    kind = option.option.kind
    if kind is None or " to " not in kind.allowed:
        return
    company = company_of(option)
    least, most = map(int, kind.allowed.split(" to "))
    for allowed in (least, most):
        read([*company, option.flag, str(allowed)], {})
    for beyond in (least - 1, most + 1):
        with pytest.raises(Mistaken, match=f"^{option.flag}: '{beyond}' is not a number"):
            read([*company, f"{option.flag}={beyond}"], {})


@pytest.mark.parametrize("variable", ["DIADEM_SERVICE_HOST", "diadem_port", "NOT_DIADEM_PORT"])
def test_variables_of_other_programs_are_left_alone(variable: str) -> None:
    assert read([], {variable: "10.0.0.1"}) == read([], {})
