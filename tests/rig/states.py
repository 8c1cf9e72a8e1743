"""How long state machines are run: as in every run of the tests, and for as many examples as one likes.

`STATES=2000` looks so many examples further, and elsewhere each time; `make states` does so.
"""

import os

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

SHORT = settings(
    max_examples=40,
    stateful_step_count=30,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
DEEP = settings(
    SHORT,
    max_examples=int(os.environ.get("STATES", "0")) or 1,
    stateful_step_count=80,
    derandomize=False,
)
QUICK = settings(SHORT, max_examples=150, phases=[Phase.generate], database=None, derandomize=False)
"""For a fault that is there to be found."""


def run_states(machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(machine, settings=DEEP if "STATES" in os.environ else SHORT)


def find_planted(machine: type[RuleBasedStateMachine]) -> None:
    """From a seed from which the faults that are planted are found soon."""
    run_state_machine_as_test(seed(4)(type(machine.__name__, (machine,), {})), settings=QUICK)


# Faults to plant


def nothing(*_: object) -> None:
    """Is done."""


async def nothing_happens(*_: object) -> None:
    """Whatever was asked for."""
