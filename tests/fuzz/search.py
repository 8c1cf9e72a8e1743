"""Search one harness with atheris: python -m tests.fuzz.search HARNESS [what libFuzzer takes]."""

import logging
import sys

import atheris

from tests.fuzz import instrumented

NAME = sys.argv.pop(1)
logging.disable()

with atheris.instrument_imports(include=instrumented(NAME)):
    from tests.fuzz import harness

    searched = harness(NAME)
    for seed in searched.SEEDS:
        searched.one_input(seed)  # modules that are imported when they are wanted first

atheris.Setup(sys.argv, searched.one_input)
atheris.Fuzz()
