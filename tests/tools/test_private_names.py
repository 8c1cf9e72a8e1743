"""Private names of other packages are found wherever they hide; those of our own are ours."""

import argparse
import sys
from types import ModuleType

from textual.app import App
from textual.driver import Driver

from tools.private_names import in_classes, in_source, private_names


def test_private_names_of_other_packages_are_found() -> None:
    findings = {
        "from textual._xterm_parser import XTermParser": "_xterm_parser of textual",
        "from textual import _xterm_parser": "_xterm_parser of textual",
        "import asyncio._private_module as p": "_private_module of asyncio",
        "import_module('textual.widgets._input')": "_input of textual",
        "PRELOADED = ('textual.widgets._input',)": "_input of textual",
        "getattr(app, '_driver')": "_driver, in a string",
        "monkeypatch.setattr(App, '_driver', None)": "_driver, in a string",
        "patch.object(App, '_driver', None)": "_driver, in a string",
        "monkeypatch.setattr('a.b._c', None)": "_c, in a string",
        "connection.recv_messages.paused": "recv_messages, not documented by websockets",
        "def process_event(self, event): ...": "process_event, not documented by websockets",
        "from diadem_client.i18n import gettext as _": None,
        "from tools.bench import _serving": None,
        "from __future__ import annotations": None,
        "getattr(app, '__name__')": None,
        "getattr(app, 'driver_class')": None,
        "self._driver.write('x')": None,
        "word = 'see the file _notes'": None,
    }
    found = {source: [text for _, text in in_source(source)] for source in findings}
    assert found == {source: [text] if text else [] for source, text in findings.items()}


class Overriding(App[None]):
    def _handle_exception(self, error: Exception) -> None:
        raise error


class Using(argparse.ArgumentParser):
    def names(self) -> list[str]:
        return list(self._option_string_actions)


class OfOurOwn(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self._diadem_only = 1


def test_private_names_of_a_base_are_found_in_its_subclass() -> None:
    found = {each.partition(".")[2] for each in in_classes(sys.modules[__name__])}
    name = __name__.partition(".")[2]
    assert found == {
        f"{name}.Overriding: _handle_exception of textual.app.App",
        f"{name}.Using: _option_string_actions of argparse.ArgumentParser",
        f"{name}.Using: _option_string_actions of argparse._ActionsContainer",
    }


def test_what_another_package_sets_of_itself_is_private_to_it() -> None:
    assert "_app" in private_names(Driver)
    assert not list(in_classes(ModuleType("empty")))
