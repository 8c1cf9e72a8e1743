"""The log, as programs read it."""

import json
import logging

from diadem_server.logs import JsonFormatter


def record(message: str, *given: object, failing: bool = False) -> logging.LogRecord:
    error = ValueError(message)
    raised = (ValueError, error, None) if failing else None
    return logging.LogRecord("diadem", logging.ERROR, "", 1, message, given, raised)


def test_a_line_is_one_object() -> None:
    line = JsonFormatter().format(record('table "%s"\nbroke', "K7F3"))
    assert "\n" not in line
    told = json.loads(line)
    assert (told["level"], told["message"]) == ("error", 'table "K7F3"\nbroke')
    assert told["time"].endswith("+00:00")
    assert "error" not in told


def test_what_broke_is_told_with_its_traceback_in_the_same_line() -> None:
    line = JsonFormatter().format(record("a fault", failing=True))
    assert "\n" not in line
    assert json.loads(line)["error"].endswith("ValueError: a fault")


def test_a_traceback_that_another_handler_has_written_out_is_taken_over() -> None:
    made = record("a fault", failing=True)
    made.exc_text = "as it was written"
    assert json.loads(JsonFormatter().format(made))["error"] == "as it was written"
