"""What a monitor reads: names, kinds and numbers, in the text format of Prometheus."""

import re
from dataclasses import fields

from diadem_server.metrics import HELP, Metrics


def test_every_number_has_its_help_and_its_kind() -> None:
    lines = str(Metrics()).splitlines()
    samples = [line for line in lines if not line.startswith("#")]
    for sample in samples:
        name = sample.partition(" ")[0]
        at = lines.index(sample)
        assert re.fullmatch(rf"# HELP {name} \S.*\.", lines[at - 2])
        assert lines[at - 1] in {f"# TYPE {name} gauge", f"# TYPE {name} counter"}
    assert len(samples) == len(fields(Metrics)) == len(HELP)


def test_what_only_grows_is_called_a_total() -> None:
    said = str(Metrics(connections=3, entries=7))
    assert "# TYPE diadem_connections gauge\ndiadem_connections 3\n" in said
    assert "# TYPE diadem_entries_total counter\ndiadem_entries_total 7\n" in said
