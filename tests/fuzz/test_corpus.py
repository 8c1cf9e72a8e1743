"""Every input that the search begins with, or that broke a promise once; and that each search starts."""

from pathlib import Path

import pytest

from tests.fuzz import CORPUS, NAMES, REACHED, corpus, harness, instrumented, reached

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", NAMES)
def test_no_input_breaks_a_promise(name: str) -> None:
    known = [*harness(name).SEEDS, *reached(name), *(path.read_bytes() for path in corpus(name))]
    for seed in known:
        try:
            harness(name).one_input(seed)
        except Exception as broken:
            broken.add_note(f"the input was {seed!r}")
            raise


def test_the_search_is_guided_by_what_each_harness_names() -> None:
    """Read from the source, as the search does it before it imports anything."""
    names = {name: list(harness(name).INSTRUMENTED) for name in NAMES}
    assert {name: instrumented(name) for name in NAMES} == names
    assert all(names.values())


def test_every_harness_is_searched() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py") if "\ndef one_input(" in path.read_text()}
    assert modules == set(NAMES)
    assert {path.stem for path in REACHED.iterdir()} == set(NAMES)


def test_every_folder_of_the_corpus_has_a_harness() -> None:
    assert {path.name for path in CORPUS.iterdir()} <= set(NAMES)
