"""The files around the code agree with each other: pyproject, Makefile, hooks, and the pages."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()


def name_of(requirement: str) -> str:
    return re.split(r"[^\w-]", requirement, maxsplit=1)[0]


def declared() -> list[str]:
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"].values()
    return [
        *PYPROJECT["build-system"]["requires"],
        *project["dependencies"],
        *(requirement for extra in extras for requirement in extra),
    ]


def test_every_dependency_has_a_pin_and_every_pin_a_dependency() -> None:
    pins = PYPROJECT["tool"]["uv"]["constraint-dependencies"]
    assert all(re.fullmatch(r"[\w-]+==[\w.]+", pin) for pin in pins)
    assert sorted(map(name_of, pins)) == sorted({*map(name_of, declared())})


def test_whoever_installs_with_pip_gets_no_version_that_may_break_things() -> None:
    extras = PYPROJECT["project"]["optional-dependencies"]
    shipped = [*PYPROJECT["project"]["dependencies"], *extras["fast"], *extras["ssh"]]
    assert [each for each in shipped if not re.search(r">=[\d.]+,<[\d.]+$", each)] == []


def test_the_hooks_before_a_commit_run_what_make_lint_runs() -> None:
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert recipe
    lines = recipe[1].replace("$(BIN)", ".venv/bin").replace("\t", "").splitlines()
    run_by_make = [line for line in lines if not line.startswith("@")]  # what only tells
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"entry: (.*)", hooks) == run_by_make


def test_every_target_is_explained_by_make_help() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    explained = set(re.findall(r"^# make (\w+)", MAKEFILE, re.MULTILINE))
    assert set(phony[1].split()) - {"help", "clean"} == explained
