"""How much of each package the tests that are not slow have to reach: `--coverage-floors`, beside `--cov`.

Each floor is just under what was measured. Slow tests are not measured, as that takes half as long again, and what they try
is mostly in other processes, which are not seen; so are gates and clusters.
"""

from io import StringIO

import pytest
from coverage import Coverage
from coverage.exceptions import NoDataError

OPTION = "--coverage-floors"
FLOORS = {"shared": 98.0, "server": 95.0, "client": 83.0}
LEFT_OUT = ["*/cluster/*", "*/gates/*"]
TOLD = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        OPTION, action="store_true", help="fail where tests reach too little of a package"
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if not config.getoption(OPTION) or hasattr(config, "workerinput"):
        return
    reached = {package: _percent(package) for package in FLOORS}
    config.stash[TOLD] = [
        f"{package}: {share:.1f} % reached, {FLOORS[package]:.0f} % are the least"
        for package, share in reached.items()
    ]
    if any(share < FLOORS[package] for package, share in reached.items()):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if told := config.stash.get(TOLD, []):
        terminalreporter.section("coverage")
        for line in told:
            terminalreporter.line(line)


def _percent(package: str) -> float:
    measured = Coverage()
    measured.load()
    try:
        return measured.report(include=[f"{package}/*"], omit=LEFT_OUT, file=StringIO())
    except NoDataError:
        return 0.0
